import { errorAnswer, messageAnswer } from "./answer.ts";
import type { Answer } from "./answer.ts";
import type { ErrorName, Operation } from "./choices.ts";
import type { Deliveries } from "./delivery/deliveries.ts";
import type { SandboxSettings } from "./sandbox-settings.ts";
import type { World, WorldSource } from "./world.ts";

/** One authenticated API request, ready to be processed. */
export type Call = {
  readonly operation: Operation;
  /** Decoded path parameters. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The body's text; empty if the request has no body. */
  readonly bodyText: string;
  readonly contentType: string | undefined;
  /** The team of the key's user: "every request is scoped to the team of the API key's user". */
  readonly teamId: string;
  readonly world: World;
  readonly settings: SandboxSettings;
  readonly source: WorldSource;
  /** Delivers activities to the webhooks that match. */
  readonly deliveries: Pick<Deliveries, "cancel" | "emit">;
  /** The server's address, without a path. */
  readonly url: string;
};

/** A documented error as the answer to this call. */
export function refuse(call: Call, name: ErrorName): Answer {
  return errorAnswer(name, call.operation, call.settings.choices);
}

/** Refuses invalid input, with 400 by default and the sandbox's own wording. */
export function refuseInput(call: Call, message: string, status = 400): Answer {
  return messageAnswer(status, message, call.operation, call.settings.choices);
}

/** The answer for another team's resource: `Bad team`, or the same as if it did not exist. */
export function refuseForeign(call: Call, notFound: ErrorName): Answer {
  return refuse(call, call.settings.choices.foreign === "bad-team" ? "badTeam" : notFound);
}

/** A whole number in a query parameter; `absent` without one, null for any other text. */
export function readCount(text: string | undefined, absent: number): number | null {
  if (text === undefined) return absent;
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}
