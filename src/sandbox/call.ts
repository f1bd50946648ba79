import { errorAnswer, messageAnswer } from "./answer.ts";
import type { Answer } from "./answer.ts";
import type { ErrorName, Operation } from "./choices.ts";
import type { SandboxSettings } from "./sandbox-settings.ts";
import type { World, WorldSource } from "./world.ts";

/** One authenticated request of the API, ready to be processed. */
export type Call = {
  readonly operation: Operation;
  /** Decoded path parameters. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The body's text; empty without one. */
  readonly bodyText: string;
  readonly contentType: string | undefined;
  /** The team of the key's user: "every request is scoped to the team of the API key's user". */
  readonly teamId: string;
  readonly world: World;
  readonly settings: SandboxSettings;
  readonly source: WorldSource;
  /** The address of this server, without a path. */
  readonly url: string;
};

/** A documented error as this call's answer. */
export function refuse(call: Call, name: ErrorName): Answer {
  return errorAnswer(name, call.operation, call.settings.choices);
}

/** A refusal of the input, with 400 and words of the sandbox's own. */
export function refuseInput(call: Call, message: string, status = 400): Answer {
  return messageAnswer(status, message, call.operation, call.settings.choices);
}

/** The answer about a thing of another team: `Bad team`, or as if it were not there. */
export function refuseForeign(call: Call, notFound: ErrorName): Answer {
  return refuse(call, call.settings.choices.foreign === "bad-team" ? "badTeam" : notFound);
}
