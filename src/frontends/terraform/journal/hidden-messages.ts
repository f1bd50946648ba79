import type { AnyResource } from "../../../core/model/definition.ts";
import type { Diagnostic } from "../../../core/model/diagnostic.ts";
import { hiddenText } from "../../../core/model/process-fate.ts";
import { isoTime } from "../../../core/model/time.ts";
import { processText } from "../../provider-journal/release.ts";
import { keyText } from "./create-messages.ts";
import type { HiddenCreate } from "./journals.ts";

/** By then, a process that outlived its Terraform has ended in any case. */
export const LONGEST_MS = 75_000;

/** A process that may still run, where this one cannot see it, sent the same. */
export function sentOutOfSight(definition: AnyResource, one: HiddenCreate, journal: string): Diagnostic {
  return {
    code: "outcome_undecided",
    severity: "error",
    summary: "The outcome of an earlier create is undecided",
    detail: `Another run sent such a ${definition.noun}${keyText(definition, one.create.intent.key)} and recorded no outcome: ${runText(one, journal)} Nothing was sent now: it could create a duplicate.`,
    hint:
      one.overAtMs === null
        ? "Wait for that run to end, and apply again."
        : `Apply again after ${isoTime(one.overAtMs)}: by then the create is certainly over, and the provider looks for its ${definition.noun}.`,
    ways: [{ kind: "unlock", id: one.id }],
  };
}

/** The same in a plan, which it does not block. */
export function openOutOfSight({ noun, plural }: AnyResource, [first, ...more]: readonly [HiddenCreate, ...HiddenCreate[]], journal: string): Diagnostic {
  const what = more.length === 0 ? `a ${noun}` : `${String(more.length + 1)} ${plural}`;
  return {
    code: "outcome_pending",
    severity: "warning",
    summary: "The outcome of an earlier write is not known yet",
    detail: `Another run sent ${what} and recorded no outcome: ${runText(first, journal)} Until its outcome is known, the provider does not create the same again.`,
    ways: [{ kind: "unlock", id: first.id }],
  };
}

function runText({ owner, why, create }: HiddenCreate, journal: string): string {
  return `${processText(owner, why)}, at ${isoTime(create.intent.sentAtMs)}. ${hiddenText(`Its record in ${journal}`, why)}`;
}
