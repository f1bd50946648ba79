import type { AnyResource, LiveObject } from "../../../../core/model/definition.ts";
import type { RecordedInstance } from "../../../../core/model/instance.ts";
import { type IgnoredWarnings, isIgnored } from "../../../../core/model/ignored-warnings.ts";
import { isoTime, parsedTimeMs } from "../../../../core/model/iso-time.ts";
import { groupBy } from "../../../../core/model/maps.ts";
import type { Attributes } from "../../../../core/model/value.ts";
import { isIdentified, oldestFirst } from "../../../../core/plan/adoptable.ts";
import { identityKey } from "../../../../core/plan/identity.ts";
import { sensitiveFinder } from "../../../../core/plan/masking.ts";
import { observe } from "../../../../core/plan/observe.ts";
import { overlapIndex } from "../../../../core/plan/overlaps.ts";
import { allowsDuplicate } from "../../../../core/plan/protection.ts";
import type { UndecidedWrite } from "../../../../core/plan/undecided.ts";
import { secretsOf, withoutSecretCode } from "../../../../core/plan/without-secret.ts";
import { AUDIT_RULES, type AuditRule } from "./audit-rules.ts";

/** What is live of one type, and what an audit found. Data, the oldest objects first. */
export interface AuditReport {
  readonly type: string;
  readonly objects: readonly AuditedObject[];
  /** The names of what the objects refer to, by id, as far as they were read. */
  readonly names: { readonly [id: string]: string };
  /** What the service does not show, by the attribute that an audit needs: it is never a finding. */
  readonly unknown: readonly { readonly attribute: string; readonly count: number }[];
}

export interface AuditedObject {
  readonly id: string;
  /** What the service shows, and what it does not show as it is recorded. An absent attribute is not known. */
  readonly attributes: Attributes;
  /** Names of attributes that were made from sensitive variables. */
  readonly masked: readonly string[];
  readonly holder: Holder;
  readonly findings: readonly AuditFinding[];
}

/**
 * Who has an object: an address of the state, an undecided create that may have made it, another part of this program that still
 * needs it, or nobody that this state knows.
 */
export type Holder =
  | { readonly kind: "managed"; readonly address: string; readonly isDeposed: boolean }
  | { readonly kind: "undecided"; readonly address: string | null }
  | { readonly kind: "temporary" }
  | { readonly kind: "unmanaged" };

export interface AuditFinding {
  /** `duplicate`, `overlap`, `old`, that of an object without a secret, or that of a rule of the type. */
  readonly id: string;
  /** A clause. */
  readonly why: string;
  /** The objects that it is about, in addition to its own. */
  readonly others: readonly string[];
}

export interface AuditInput {
  readonly definition: AnyResource;
  readonly objects: readonly LiveObject[];
  readonly instances: readonly RecordedInstance[];
  readonly undecided: readonly UndecidedWrite[];
  /** Objects that another part of this program removes itself. */
  readonly temporary: ReadonlySet<string>;
  /** What the definition's `refers` names; null where it could not be read. */
  readonly referred: ReadonlyMap<string, Attributes> | null;
  readonly nowMs: number;
  /** Objects that were created longer ago are a finding; null for none. */
  readonly olderThanMs: number | null;
  readonly ignored: IgnoredWarnings;
}

type Known = Omit<AuditedObject, "findings"> & { readonly record: RecordedInstance | null };

/** Sorts the live objects of one type by who has them, and looks for what somebody should look at. Pure. */
export function auditReport(input: AuditInput): AuditReport {
  const { definition } = input;
  const known = knownObjects(input);
  const finders = [
    duplicatesIn(definition, known),
    overlapsIn(definition, known),
    ...rulesOf(input),
    withoutRecordedSecret(definition),
    ageOf(input),
  ];
  const objects = known.map((one): AuditedObject => {
    const { id, attributes, masked, holder } = one;
    const address = holder.kind === "managed" ? holder.address : undefined;
    const findings = finders
      .flatMap((find) => find(one))
      .filter((found) => !isIgnored(input.ignored, found.id, address));
    return { id, attributes, masked, holder, findings };
  });
  return { type: definition.type, objects, names: namesIn(input, known), unknown: unknownIn(input, known) };
}

function namesIn({ definition: { type }, referred }: AuditInput, known: readonly Known[]): AuditReport["names"] {
  const rules = AUDIT_RULES[type];
  const ids = rules ? known.map(({ attributes }) => attributes[rules.refers.attribute]) : [];
  return Object.fromEntries(
    [...new Set(ids)].flatMap((id) => {
      const name = typeof id === "string" ? referred?.get(id)?.["name"] : undefined;
      return typeof id === "string" && typeof name === "string" ? [[id, name]] : [];
    }),
  );
}

type Find = (object: Known) => readonly AuditFinding[];

function knownObjects({ definition, objects, instances, undecided, temporary }: AuditInput): readonly Known[] {
  const records = new Map(
    instances.flatMap((record) =>
      record.type === definition.type && record.id !== null ? [[record.id, record] as const] : [],
    ),
  );
  const deposed = new Map(
    instances.flatMap(({ address, deposed: old = [] }) => old.map(({ id }) => [id, address] as const)),
  );
  const open = new Map(undecided.flatMap(({ address, candidates }) => candidates.map((id) => [id, address] as const)));
  const sensitive = sensitiveFinder([...records.values()]);
  const holderOf = (id: string): Holder => {
    const address = records.get(id)?.address ?? deposed.get(id);
    if (address !== undefined) return { kind: "managed", address, isDeposed: !records.has(id) };
    if (open.has(id)) return { kind: "undecided", address: open.get(id) ?? null };
    return { kind: temporary.has(id) ? "temporary" : "unmanaged" };
  };
  return oldestFirst(definition, objects).map((object) => {
    const record = records.get(object.id) ?? null;
    const attributes = record ? observedOf(definition, record, object) : object.attributes;
    return { id: object.id, attributes, masked: sensitive(attributes), holder: holderOf(object.id), record };
  });
}

function observedOf(definition: AnyResource, record: RecordedInstance, object: LiveObject): Attributes {
  const { attributes, unobserved } = observe(definition, record, object);
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !unobserved.includes(name)));
}

function duplicatesIn(definition: AnyResource, known: readonly Known[]): Find {
  const identified = known.filter(
    ({ attributes }) => isIdentified(definition, attributes) && !allowsDuplicate(attributes),
  );
  const groups = [...groupBy(identified, ({ attributes }) => identityKey(definition, attributes)).values()].filter(
    ({ length }) => length > 1,
  );
  const groupOf = new Map(groups.flatMap((group) => group.map(({ id }) => [id, group] as const)));
  return ({ id }) => {
    const others = (groupOf.get(id) ?? []).filter((one) => one.id !== id);
    return others.length === 0
      ? []
      : [
          {
            id: "duplicate",
            why: `identical to ${others.map(nameOf).join(", ")}`,
            others: others.map((one) => one.id),
          },
        ];
  };
}

function overlapsIn(definition: AnyResource, known: readonly Known[]): Find {
  const index = overlapIndex<Known>(definition);
  for (const one of known) if (isIdentified(definition, one.attributes)) index.add(one.attributes, one);
  return ({ attributes }) => {
    const other = isIdentified(definition, attributes) ? index.find(attributes) : undefined;
    if (!other || !definition.overlap) return [];
    return [
      {
        id: "overlap",
        why: `with ${nameOf(other)}: ${definition.overlap.effect(attributes, other.attributes)}`,
        others: [other.id],
      },
    ];
  };
}

/** An id, with the address that manages it. */
function nameOf({ id, holder }: Known): string {
  return holder.kind === "managed" ? `${id} (${holder.address})` : id;
}

function rulesOf({ definition, referred }: AuditInput): readonly Find[] {
  return (AUDIT_RULES[definition.type]?.rules ?? []).map((rule: AuditRule): Find => ({ attributes, holder }) => {
    if (rule.onlyUnmanaged && holder.kind !== "unmanaged") return [];
    const why = rule.find(attributes, referred);
    return why === null ? [] : [{ id: rule.id, why, others: [] }];
  });
}

/** No list shows a secret: only a record can tell that there is none. */
function withoutRecordedSecret(definition: AnyResource): Find {
  const secrets = secretsOf(definition);
  return ({ record }) => {
    if (record === null) return [];
    return secrets
      .filter((name) => (record.attributes[name] ?? null) === null && !record.unobserved.includes(name))
      .map((name): AuditFinding => ({ id: withoutSecretCode(definition), why: `no ${name} is recorded`, others: [] }));
  };
}

function ageOf({ definition: { createdAt }, nowMs, olderThanMs }: AuditInput): Find {
  return ({ attributes }) => {
    const ageMs = createdAt === undefined || olderThanMs === null ? null : ageMsOf(attributes[createdAt], nowMs);
    return ageMs === null || olderThanMs === null || ageMs <= olderThanMs
      ? []
      : [{ id: "old", why: `created ${isoTime(nowMs - ageMs).slice(0, 10)}`, others: [] }];
  };
}

/** How long ago a time of the service is; null where it shows none. */
export function ageMsOf(time: Attributes[string] | undefined, nowMs: number): number | null {
  const createdMs = typeof time === "string" ? parsedTimeMs(time) : null;
  return createdMs === null ? null : nowMs - createdMs;
}

function unknownIn({ definition, referred, olderThanMs }: AuditInput, known: readonly Known[]): AuditReport["unknown"] {
  const { identity, createdAt, schema } = definition;
  const rules = AUDIT_RULES[definition.type];
  const secrets = new Set(secretsOf(definition));
  const needed = new Set([...identity, ...(rules?.rules ?? []).flatMap(({ reads }) => reads), ...secrets]);
  if (createdAt !== undefined && olderThanMs !== null) needed.add(createdAt);
  const isUnknown = (name: string, { attributes, record }: Known): boolean => {
    if (secrets.has(name)) return record === null || record.unobserved.includes(name);
    if (name === createdAt) return ageMsOf(attributes[name], 0) === null;
    // Without what it refers to, its value says nothing.
    return (
      attributes[name] === undefined ||
      (name === rules?.refers.attribute && referred === null && attributes[name] !== null)
    );
  };
  return Object.keys(schema).flatMap((attribute) => {
    const count = needed.has(attribute) ? known.filter((one) => isUnknown(attribute, one)).length : 0;
    return count === 0 ? [] : [{ attribute, count }];
  });
}
