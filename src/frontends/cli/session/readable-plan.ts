import type { Diagnostic } from "../../../core/model/diagnostic.ts";
import type { Plan } from "../../../core/plan/plan.ts";
import { isPersonal } from "../../../output/content/step-groups.ts";
import type { Environment, Product } from "../../../operations/context.ts";

/** In CI, where a plan travels as an artifact: what an unencrypted plan contains, and who can read it. */
export function readablePlan(
  { environment, catalog }: Environment & Product,
  path: string,
  { plan: { steps }, withSecrets }: { readonly plan: Plan; readonly withSecrets: boolean },
): readonly Diagnostic[] {
  if ((environment["CI"] ?? "") === "") return [];
  const leads = steps.filter(({ type }) => isPersonal(type, catalog)).length;
  const emails = leads === 0 ? [] : [leads === 1 ? "the email of 1 lead" : `the emails of ${String(leads)} leads`];
  const contents = ["target URLs", "campaign ids", "fingerprints of secrets", ...emails];
  return [
    {
      code: "plan_readable",
      severity: "note",
      summary: "The saved plan is not encrypted",
      detail: `If you upload ${path}, anyone who can download the artifacts of this job can read its ${contents.slice(0, -1).join(", ")} and ${contents.at(-1)}.`,
      hint: withSecrets
        ? "To encrypt it with the key of the state, set state.encryption: see docs/guides/encryption.md."
        : "A plan without secrets is never encrypted. Upload a report instead, as of outreach show --format html.",
    },
  ];
}
