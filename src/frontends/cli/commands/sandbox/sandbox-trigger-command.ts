import { InvalidArgumentError, Option } from "commander";
import { type Diagnostic, DiagnosticsError, errorOf } from "../../../../core/model/diagnostic.ts";
import type { EventRequest } from "../../../../sandbox/events/event-request.ts";
import type { Triggered } from "../../../../sandbox/events/triggered-events.ts";
import type { OperationContext } from "../../../../operations/context.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import { controlClient, controlUrl } from "./control-client.ts";
import { grouped, addAnswer, newResults, showResults } from "./trigger-results.ts";

interface TriggerOptions {
  readonly campaign?: string;
  readonly lead?: string;
  readonly count: number;
  readonly rate?: number;
  readonly set: readonly (readonly [path: string, value: string])[];
  readonly thirdParty: boolean;
}

const MAX_COUNT = 1_000_000;
const MAX_RATE = 10_000;

/** Triggers events at a running sandbox, and shows the results of their deliveries. An event that no webhook receives is a note, not an error. */
export const definition: CommandDefinition<TriggerOptions, readonly [type: string]> = {
  description:
    "makes a running sandbox, that of OUTREACH_BASE_URL or on port 4010, deliver an event to the webhooks that match",
  example: {
    lines: [
      "outreach sandbox trigger emailsReplied",
      "outreach sandbox trigger emailsSent --set 'cc=Grace Hopper <grace@example.com>' --count 500 --rate 50",
    ],
  },
  declare: (command) =>
    command
      .argument("<event-type>", "the event type, as in emailsReplied")
      .option("--campaign <campaign-id>", "the campaign of the event; by default, a running one with a lead")
      .option("--lead <email>", "the lead of the event; by default, the campaign's first active one")
      .addOption(new Option("--count <number>", "how many events").default(1).argParser(parseCount))
      .addOption(new Option("--rate <number>", "how many events a second; needs --count").argParser(parseRate))
      .addOption(
        new Option("--set <path=value>", "a field of the payload, as in subject=Hello or to[0].name=Ada; repeatable")
          .default([])
          .argParser(collectPair),
      )
      .option("--third-party", "a reply from an address that is not the lead's", false),
  run: async (context, { operands: [type], options }) => {
    const { count, rate = null } = options;
    if (rate !== null && count === 1) throw new DiagnosticsError([RATE_ALONE]);
    const client = controlClient(context, controlUrl(context));
    const request = requestOf(type, options);
    const begunMs = context.clock.monotonicMs();
    const results = newResults();
    try {
      await triggerEvents(context, { count, rate }, async (batch) => {
        const expected = { list: "events", refused: "The sandbox refused the event" };
        const answer = (await client.post("/events", { ...request, count: batch }, expected)) as Triggered;
        addAnswer(results, answer, batch);
        return answer;
      });
    } catch (error) {
      if (results.triggered > 0)
        context.err(`Triggered ${grouped(results.triggered)} of ${grouped(count)} events before the error.\n`);
      throw error;
    }
    results.durationMs = Math.round(context.clock.monotonicMs() - begunMs);
    await showResults(context, client, results, count);
    return results.triggered < count ? 1 : 0;
  },
};

function parseCount(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1 || count > MAX_COUNT)
    throw new InvalidArgumentError(`Use a number from 1 to ${String(MAX_COUNT)}.`);
  return count;
}

function parseRate(text: string): number {
  const rate = Number(text);
  if (!/^\d+(?:\.\d+)?$/.test(text) || rate <= 0 || rate > MAX_RATE)
    throw new InvalidArgumentError(`Use a number of events a second, up to ${String(MAX_RATE)}.`);
  return rate;
}

function collectPair(text: string, before: TriggerOptions["set"]): TriggerOptions["set"] {
  const at = text.indexOf("=");
  if (at <= 0) throw new InvalidArgumentError("Use PATH=VALUE, as in subject=Hello.");
  const path = text.slice(0, at);
  if (before.some(([other]) => other === path)) throw new InvalidArgumentError(`${path} is set twice.`);
  return [...before, [path, text.slice(at + 1)]];
}

const RATE_ALONE: Diagnostic = errorOf("command_line", "Conflicting options", {
  detail: "--rate spaces out several events, but only one is triggered.",
  hint: "Say how many, as in --count 500 --rate 50.",
});

/** The request for one event. The sandbox checks it: it knows its campaigns, leads and fields. */
function requestOf(type: string, { campaign, lead, thirdParty, set }: TriggerOptions): EventRequest {
  return {
    type,
    ...(campaign === undefined ? {} : { campaignId: campaign }),
    ...(lead === undefined ? {} : { lead }),
    ...(thirdParty ? { thirdParty } : {}),
    // __proto__ is a name like any other.
    ...(set.length === 0 ? {} : { set: Object.fromEntries(set) }),
  };
}

/** How many events to trigger, and how many a second; null: as fast as the sandbox takes them. */
interface Pace {
  readonly count: number;
  readonly rate: number | null;
}

/** Events in one request. */
const MAX_BATCH = 500;
/** The shortest time between two requests with a rate. */
const TICK_MS = 20;
/** The queue length from which the deliveries of the sandbox get time to catch up. */
const MANY_QUEUED = 50_000;
const CATCH_UP_MS = 1000;

/**
 * Triggers events in batches until there are `count`, or until an interrupt. `post` triggers some of them, and returns how many deliveries the
 * sandbox has not finished. Returns how many events it triggered.
 */
async function triggerEvents(
  { clock, stop }: OperationContext,
  { count, rate }: Pace,
  post: (count: number) => Promise<{ readonly unfinished: number }>,
): Promise<number> {
  const begunMs = clock.monotonicMs();
  const pause = (ms: number): Promise<void> => clock.sleep(ms, stop).catch(() => undefined);
  let triggered = 0;
  while (triggered < count && !stop.aborted) {
    const elapsedMs = clock.monotonicMs() - begunMs;
    // The first event is due at once.
    const due = rate === null ? count : Math.min(count, Math.floor((elapsedMs * rate) / 1000) + 1);
    const batch = Math.min(due - triggered, MAX_BATCH);
    if (batch <= 0) {
      await pause(Math.max(TICK_MS, (triggered * 1000) / (rate ?? 1) - elapsedMs));
      continue;
    }
    const { unfinished } = await post(batch);
    triggered += batch;
    if (unfinished > MANY_QUEUED && triggered < count) await pause(CATCH_UP_MS);
  }
  return triggered;
}
