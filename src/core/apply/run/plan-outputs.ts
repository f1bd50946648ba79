import { byName } from "../../model/address.ts";
import type { OutputValue } from "../../model/declaration.ts";
import type { RecordedInstance } from "../../model/instance.ts";
import { type Attributes, canonicalJson, hasUnknown, isUnknown } from "../../model/value.ts";
import type { OutputChange } from "../../plan/plan.ts";
import { isPartial } from "../../plan/targets.ts";
import type { Prepared } from "./prepare.ts";
import type { PlanRequest } from "./run-ports.ts";

interface Evaluated {
  readonly request: PlanRequest;
  readonly prepared: Pick<Prepared, "known" | "outputs">;
  readonly instances: readonly RecordedInstance[];
  readonly recorded: readonly OutputValue[];
}

/** The planned or recorded objects. */
type Managed = () => ReadonlyMap<string, Attributes>;

/** Sorted by name, as they are recorded and printed. One that refers to what a partial plan leaves out, and what does not exist, keeps its recorded value. */
export function outputsOf(
  { request, prepared, instances, recorded }: Evaluated,
  managed: Managed,
): readonly OutputValue[] {
  if (request.options.destroy) return [];
  const { known, outputs } = prepared;
  if (!outputs.some(isOpen)) return outputs.toSorted(byName);
  const evaluated = (attributes: ReadonlyMap<string, Attributes>) =>
    request.evaluate({ known, instances, managed: attributes }).outputs;
  const planned = managed();
  const values = evaluated(planned);
  if (!isPartial(request.options) || !values.some(isOpen)) return values.toSorted(byName);
  const absent = new Set(evaluated(settled(planned)).flatMap((output) => (isOpen(output) ? [output.name] : [])));
  return [
    ...values.filter(({ name }) => !absent.has(name)),
    ...recorded.filter(({ name }) => absent.has(name)),
  ].toSorted(byName);
}

function isOpen({ value }: OutputValue): boolean {
  return hasUnknown(value);
}

/** Any value in the place of each that the apply brings. */
function settled(managed: ReadonlyMap<string, Attributes>): ReadonlyMap<string, Attributes> {
  const known = (attributes: Attributes): Attributes =>
    Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, isUnknown(value) ? "" : value]));
  return new Map([...managed].map(([address, attributes]) => [address, known(attributes)]));
}

export function outputChanges(evaluated: Evaluated, managed: Managed): readonly OutputChange[] {
  const before = new Map(evaluated.recorded.map((output) => [output.name, output]));
  const after = new Map(outputsOf(evaluated, managed).map((output) => [output.name, output]));
  return [...new Set([...before.keys(), ...after.keys()])].toSorted().flatMap((name) => {
    const [had, has] = [before.get(name) ?? null, after.get(name) ?? null];
    const sensitive = had?.sensitive === true || has?.sensitive === true;
    if (had && has && had.sensitive === has.sensitive && canonicalJson(had.value) === canonicalJson(has.value))
      return [];
    return [{ name, before: had && { value: had.value }, after: has && { value: has.value }, sensitive }];
  });
}
