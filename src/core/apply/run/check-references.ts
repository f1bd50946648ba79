import { type Catalog, type IdCheck, dataSourceOf, resourceOf } from "../../model/definition.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { type Attributes, textsIn } from "../../model/value.ts";
import type { Plan } from "../../plan/plan.ts";

/** An id that a configuration gives without a lookup, and where it is first sent. */
interface Reference {
  readonly address: string;
  readonly attribute: string;
  count: number;
  /**
   * Checked before anything is sent, whatever the approval: a replace that deletes first would lose the old object, and an
   * irreversible write would be recorded although it reached nothing.
   */
  isRisky: boolean;
}

/** What was found out about ids, by the type of what they name and the ids: a plan that is made again asks nothing twice. */
export type CheckedReferences = Map<string, Promise<ReadonlyMap<string, Diagnostic>>>;

interface Checking {
  readonly catalog: Catalog;
  /** Unless thorough, only risky references are worth a request. */
  readonly reading: IdCheck<unknown>;
  /** What the run has read, by address. */
  readonly known: ReadonlyMap<string, Attributes>;
  readonly checked: CheckedReferences;
  /** Whether an id may come from a variable of the job, which an untrusted configuration must not ask about. */
  readonly isUntrusted?: boolean;
}

/** The ids that the plan is about to send and that the service does not know. What data sources have found exists, and needs no check. */
export async function checkReferences(
  plan: Pick<Plan, "steps">,
  { catalog, reading, known, checked, isUntrusted = false }: Checking,
): Promise<readonly Diagnostic[]> {
  const found = new Set([...known.values()].flatMap((attributes) => Object.values(attributes).flatMap(textsIn)));
  const diagnostics: Diagnostic[] = [];
  for (const [type, references] of referencesOf(plan, catalog, { found, isUntrusted })) {
    const source = dataSourceOf(catalog, type);
    if (!source.checkIds) continue;
    const isThorough = ({ isRisky }: Reference): boolean => reading.isThorough || isRisky;
    for (const thorough of [true, false]) {
      const ids = [...references]
        .flatMap(([id, reference]) => (isThorough(reference) === thorough ? [id] : []))
        .toSorted();
      if (ids.length === 0) continue;
      const key = [type, thorough, ...ids].join(" ");
      const problems = checked.get(key) ?? source.checkIds(ids, { ...reading, isThorough: thorough });
      checked.set(key, problems);
      for (const [id, problem] of await problems) diagnostics.push(...atReference(problem, references.get(id)));
    }
  }
  return diagnostics;
}

function referencesOf(
  { steps }: Pick<Plan, "steps">,
  catalog: Catalog,
  { found, isUntrusted }: { readonly found: ReadonlySet<string>; readonly isUntrusted: boolean },
): ReadonlyMap<string, Map<string, Reference>> {
  const byType = new Map<string, Map<string, Reference>>();
  for (const step of steps) {
    if (step.action !== "create" && step.action !== "replace") continue;
    const isSentAgain = step.action === "create" && step.again !== undefined;
    const { schema, irreversible } = resourceOf(catalog, step.type);
    for (const [attribute, { refersTo }] of Object.entries(schema)) {
      const id = step.after[attribute];
      if (!refersTo || typeof id !== "string" || found.has(id) || isSentAgain) continue;
      if (isUntrusted && step.masked.includes(attribute)) continue;
      const references = byType.get(refersTo.type) ?? new Map<string, Reference>();
      byType.set(refersTo.type, references);
      const isNew = step.action === "replace" && step.order === "delete-first" && step.before[attribute] !== id;
      const isRisky = isNew || irreversible !== undefined;
      const before = references.get(id);
      if (before) {
        before.count++;
        before.isRisky ||= isRisky;
      } else references.set(id, { address: step.address, attribute, count: 1, isRisky });
    }
  }
  return byType;
}

function atReference(problem: Diagnostic, reference: Reference | undefined): readonly Diagnostic[] {
  if (!reference) return [];
  const { address, attribute, count } = reference;
  const others = count === 1 ? "" : ` ${String(count - 1)} more of this plan name it too.`;
  return [{ ...problem, detail: `${problem.detail}${others}`, address, path: [attribute] }];
}
