import type { AnyResource } from "../../../core/model/definition.ts";
import type { Diagnostic } from "../../../core/model/diagnostic.ts";
import { hiddenText } from "../../../core/model/process-fate.ts";
import { isoTime } from "../../../core/model/time.ts";
import { processText } from "../../provider-journal/release.ts";
import { keyText, pending, undecided } from "./create-messages.ts";
import type { HiddenProcess, KnownCreate } from "./known-creates.ts";

/** By then, a process that outlived its Terraform has ended in any case. */
export const LONGEST_MS = 75_000;

/** An open create of a process that may still run where this one cannot see it. */
type HiddenCreate = Pick<KnownCreate, "intent"> & { readonly hidden: HiddenProcess };

/** It stops a create of the same. */
export function sentOutOfSight(definition: AnyResource, one: HiddenCreate, journal: string): Diagnostic {
  const { id, overAtMs } = one.hidden;
  return {
    ...undecided(
      `Another run sent such a ${definition.noun}${keyText(definition, one.intent.key)} and recorded no outcome: ${runText(one, journal)} Nothing was sent now: it could create a duplicate.`,
      overAtMs === null
        ? "Wait for that run to end, and apply again."
        : `Apply again after ${isoTime(overAtMs)}: by then the create is certainly over, and the provider looks for its ${definition.noun}.`,
    ),
    ways: [{ kind: "release-creates", id }],
  };
}

/** In a plan, which they do not stop: one warning for all, or none. */
export function openOutOfSight({ noun, plural }: AnyResource, creates: readonly HiddenCreate[], journal: string): readonly Diagnostic[] {
  const [first] = creates;
  if (!first) return [];
  const what = creates.length === 1 ? `a ${noun}` : `${String(creates.length)} ${plural}`;
  const detail = `Another run sent ${what} and recorded no outcome: ${runText(first, journal)} Until its outcome is known, the provider does not create the same again.`;
  return [{ ...pending(detail), ways: [{ kind: "release-creates", id: first.hidden.id }] }];
}

function runText({ hidden: { mark, why }, intent }: HiddenCreate, journal: string): string {
  return `${processText(mark, why)}, at ${isoTime(intent.sentAtMs)}. ${hiddenText(`Its record in ${journal}`, why)}`;
}
