import { blockOf } from "../model/address.ts";
import type { Declaration, Evaluate, Evaluation, SecretSource } from "../model/declaration.ts";
import { type AnyResource, type Catalog, pluralOf, resourceOf } from "../model/definition.ts";
import { type Diagnostic, hasErrors, noteOf, warningOf } from "../model/diagnostic.ts";
import type { RecordedInstance } from "../model/instance.ts";
import { followed, relocate } from "../model/relocate.ts";
import { type Attributes, type Value, canonicalJson, isSecretDigest } from "../model/value.ts";
import { firstFew } from "../model/words.ts";
import { protectedDiagnostic } from "./diagnostics.ts";
import { isProtected } from "./protection.ts";

/** The records of an earlier version of a state. */
export interface EarlierRecords {
  readonly serial: number;
  readonly instances: readonly RecordedInstance[];
}

interface Rollback {
  readonly catalog: Catalog;
  readonly earlier: EarlierRecords;
  /** The source of a secret that all instances of a declared block share. */
  readonly sourceOf: (block: string, attribute: string) => SecretSource | undefined;
}

/**
 * The evaluation with the declarations of an earlier state: its values at the addresses that the objects have now, and the secrets that
 * the configuration gives today. Settings of ours stay as they are, so that no guard is lifted. Left as they are: objects whose secret
 * the configuration no longer gives, and everything irreversible.
 */
export function rolledBack(evaluate: Evaluate, { catalog, earlier, sourceOf }: Rollback): Evaluate {
  return (seen) => {
    const evaluated = evaluate(seen);
    if (hasErrors(evaluated.diagnostics)) return evaluated;
    const { moved, removed, removals: _, declarations: declared, ...others } = evaluated;
    const { instances } = relocate(seen.instances, moved);
    const today = new Map(declared.map((one) => [one.address, one]));
    const recorded = new Map(instances.map((one) => [one.address, one]));
    const wanted = placed(earlier.instances.filter(isListed(catalog)), instances, evaluated).map((one) => {
      const { address, type } = one;
      const standing = today.get(address)?.attributes ?? recorded.get(address)?.attributes;
      const source = (attribute: string): SecretSource | undefined =>
        today.get(address)?.secrets[attribute] ?? sourceOf(blockOf(address), attribute);
      return declarationOf(one, { definition: resourceOf(catalog, type), standing, source });
    });
    const declarations = wanted.map(({ declaration }) => declaration);
    const left = wanted.flatMap(({ declaration, isLeft }) => (isLeft ? [declaration.address] : []));
    const final = seen.instances.filter((one) => !isListed(catalog)(one)).map(({ address }) => blockOf(address));
    const blocks = new Set(declarations.map(({ address }) => blockOf(address)));
    const returning = new Set(declarations.map(({ address }) => address));
    const lost = declared.filter(({ address }) => !returning.has(address) && recorded.has(address));
    return {
      ...others,
      declarations,
      imports: [],
      moved,
      removed: removed.filter(({ from }) => !blocks.has(from)),
      leaves: [...new Set([...left, ...final])],
      diagnostics: [
        ...(left.length > 0 ? [secretsGone(earlier, left)] : []),
        ...irreversibleNote(catalog, [...declared, ...seen.instances, ...earlier.instances]),
        ...lost.flatMap((one) => protectedToday(one, recorded.get(one.address), catalog)),
      ],
    };
  };
}

/** How many objects of a state differ from those of an earlier one, as a rollback would see them. */
export function changedSince(catalog: Catalog, earlier: EarlierRecords, now: readonly RecordedInstance[]): number {
  const valuesOf = (instances: readonly RecordedInstance[]): ReadonlyMap<string, string> =>
    new Map(
      instances.filter(isListed(catalog)).map((one) => [one.address, comparedText(one, resourceOf(catalog, one.type))]),
    );
  const before = valuesOf(placed(earlier.instances.filter(isListed(catalog)), now, { moved: [] }));
  const after = valuesOf(now);
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (address) => before.get(address) !== after.get(address),
  ).length;
}

/** Settings of ours stay as they are, and of secrets only whether there is one comes back. */
function comparedText({ attributes }: RecordedInstance, { schema }: AnyResource): string {
  const compared = Object.entries(attributes).filter(
    ([name]) => schema[name]?.mode !== "computed" && schema[name]?.onChange !== "record",
  );
  return canonicalJson(
    Object.fromEntries(compared.map(([name, value]) => [name, isSecretDigest(value) ? true : value])),
  );
}

/** What can be listed can be created and deleted again. */
function isListed(catalog: Catalog): (one: { readonly type: string }) => boolean {
  return ({ type }) => resourceOf(catalog, type).list !== undefined;
}

/** The records under the addresses that their objects have now: an object keeps its id when only its name changes. */
function placed(
  earlier: readonly RecordedInstance[],
  now: readonly RecordedInstance[],
  { moved }: Pick<Evaluation, "moved">,
): readonly RecordedInstance[] {
  const addresses = new Map(now.flatMap(({ type, id, address }) => (id === null ? [] : [[`${type} ${id}`, address]])));
  const found = earlier.map((one) => ({
    ...one,
    address: addresses.get(`${one.type} ${String(one.id)}`) ?? followed(one.address, moved),
  }));
  return new Set(found.map(({ address }) => address)).size === found.length ? found : earlier;
}

interface Today {
  readonly definition: AnyResource;
  /** The values that are declared or recorded at the address now. */
  readonly standing: Attributes | undefined;
  readonly source: (attribute: string) => SecretSource | undefined;
}

/** Left are objects with a secret that the configuration does not give any more. Their declaration tells only whose place they take. */
function declarationOf(
  one: RecordedInstance,
  { definition: { schema }, standing, source }: Today,
): { readonly declaration: Declaration; readonly isLeft: boolean } {
  const { address, type, provider, masked = [] } = one;
  const attributes: Record<string, Value> = {};
  const secrets: Record<string, SecretSource> = {};
  let isLeft = false;
  for (const [name, attribute] of Object.entries(schema)) {
    if (attribute.mode === "computed" || attribute.writeOnly) continue;
    const before = one.attributes[name] ?? null;
    if (isSecretDigest(before)) {
      const found = source(name);
      if (found) secrets[name] = found;
      else {
        attributes[name] = before;
        isLeft = true;
      }
    } else
      attributes[name] =
        standing && (attribute.onChange === "record" || one.unobserved.includes(name))
          ? (standing[name] ?? null)
          : before;
  }
  const declaration = {
    address,
    type,
    provider,
    attributes,
    secrets: isLeft ? {} : secrets,
    masked,
    locate: () => undefined,
  };
  return { declaration, isLeft };
}

/** The protection that the configuration declares applies at once, also before it is recorded. */
function protectedToday(
  { address, attributes, type }: Declaration,
  instance: RecordedInstance | undefined,
  catalog: Catalog,
): readonly Diagnostic[] {
  if (!isProtected(attributes) || !instance || isProtected(instance.attributes)) return [];
  return [protectedDiagnostic(resourceOf(catalog, type), { address, isDeclared: true, because: null, destroy: false })];
}

const SHOWN = 20;

function secretsGone({ serial }: EarlierRecords, left: readonly string[]): Diagnostic {
  const lines = firstFew(left, SHOWN, { separator: "\n  - ", last: "\n  - … and " });
  return warningOf("rollback_secret_gone", "Left as they are, because their secrets are gone", {
    detail: `These had a secret at serial ${String(serial)}, and the configuration no longer says where it is:\n\n  - ${lines}\n`,
    hint: "Declare them again with their secret, for example by reverting the commit. Then plan.",
  });
}

function irreversibleNote(catalog: Catalog, all: readonly { readonly type: string }[]): readonly Diagnostic[] {
  const types = [...new Set(all.filter((one) => !isListed(catalog)(one)).map(({ type }) => type))];
  if (types.length === 0) return [];
  const plural = pluralOf(catalog, types);
  return [
    noteOf("rollback_final", `No rollback of ${plural}`, {
      detail: `No documented request undoes ${plural}. A rollback leaves all of them as they are, and sends none.`,
    }),
  ];
}
