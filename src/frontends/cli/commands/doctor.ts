import type { Paint } from "../../../output/text/paint.ts";
import { type Inspection, inspectService } from "../../../service/api/inspect.ts";
import type { ExitCode, CommandContext } from "../command-context.ts";
import type { CommandDefinition } from "../program/command-definition.ts";
import { type JsonOptions, withJson } from "../program/options.ts";
import { withService } from "../session/connection.ts";

/** One thing that was looked at, and what it means for what this tool promises. */
interface Finding {
  readonly what: string;
  readonly seen: string;
  readonly means: string;
  /** Null while there is nothing to tell it by. */
  readonly holds: boolean | null;
}

const MAX_SKEW_MS = 60_000;

export const doctorCommand: CommandDefinition<JsonOptions> = {
  name: "doctor",
  description: "look at the real service with reads alone, and say which guarantees hold",
  example: { lines: ["outreach doctor"] },
  declare: withJson,
  run: (context, { options }) => examine(context, options),
};

/** A look at the real service with nothing but reads: what it shows where the specification shows nothing, and which guarantees hold. */
function examine(context: CommandContext, options: JsonOptions): Promise<ExitCode> {
  return withService(context, options, async (caller): Promise<ExitCode> => {
    const inspection = await inspectService(caller, context.stop);
    const findings = findingsOf(inspection);
    if (options.json) context.out(`${JSON.stringify({ ...inspection, findings }, null, 2)}\n`);
    else {
      context.out(`${caller.baseUrl}\n\n`);
      for (const { what, seen, means, holds } of findings) context.out(`${markOf(holds, context.paint)}  ${what}: ${seen}\n      ${means}\n`);
    }
    return 0;
  });
}

function markOf(holds: Finding["holds"], paint: Paint): string {
  if (holds === null) return paint("dim", "open");
  return holds ? paint("green", "ok  ") : paint("yellow", "note");
}

function findingsOf({ listShape, webhookCount, carried, offsetHonoured, rateLimitHeaders, clockSkewMs }: Inspection): readonly Finding[] {
  return [
    {
      what: "List of webhooks",
      seen: `${webhookCount === 1 ? "1 webhook" : `${String(webhookCount)} webhooks`}, as ${listShape === "array" ? "an array" : `an object with ${JSON.stringify(listShape)}`}`,
      means: "Drift is found, and identical unmanaged webhooks are noticed.",
      holds: true,
    },
    fieldFinding("type", carried.type, webhookCount),
    fieldFinding("campaignId", carried.campaignId, webhookCount),
    pagingFinding(offsetHonoured),
    {
      what: "Rate-limit headers",
      seen: rateLimitHeaders.length === 0 ? "none" : rateLimitHeaders.join(", "),
      means: rateLimitHeaders.length === 0 ? "Pacing goes by the documented 20 requests in 2 s alone." : "Pacing is corrected by them.",
      holds: rateLimitHeaders.length > 0,
    },
    {
      what: "Clock",
      seen: clockSkewMs === null ? "the service sends no date" : skewText(Math.round(clockSkewMs / 1000)),
      means:
        clockSkewMs !== null && Math.abs(clockSkewMs) <= MAX_SKEW_MS ? "Times can be compared." : "Times of the service are only compared with each other.",
      holds: clockSkewMs !== null && Math.abs(clockSkewMs) <= MAX_SKEW_MS,
    },
  ];
}

function skewText(seconds: number): string {
  if (seconds === 0) return "the same as here";
  return `${String(Math.abs(seconds))} s ${seconds < 0 ? "behind" : "ahead of"} the clock here`;
}

function pagingFinding(offsetHonoured: boolean | null): Finding {
  const found = { what: "Paging", holds: offsetHonoured };
  if (offsetHonoured === null) return { ...found, seen: "the list is empty, so offset could not be tried", means: LOOK_AGAIN };
  if (offsetHonoured) return { ...found, seen: "offset is honoured", means: "A list is known to be whole." };
  return {
    ...found,
    seen: "offset is ignored",
    means: "Where the list's length is a multiple of 10 it may be cut off: then nothing counts as missing without --allow-recreate.",
  };
}

const LOOK_AGAIN = "Run doctor again once there is a webhook.";

function fieldFinding(field: string, carried: number, webhookCount: number): Finding {
  if (webhookCount === 0) return { what: field, seen: "there is no webhook to look at", means: LOOK_AGAIN, holds: null };
  if (carried > 0)
    return {
      what: field,
      seen: `shown (${String(carried)} of ${String(webhookCount)})`,
      means: "A change of it behind the tool's back is noticed.",
      holds: true,
    };
  return {
    what: field,
    seen: "not shown by any webhook",
    means: "It is unobserved: the recorded value stands, and a change of it is not noticed.",
    holds: false,
  };
}
