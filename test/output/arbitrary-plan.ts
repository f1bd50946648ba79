import fc from "fast-check";
import { type Attributes, UNKNOWN, type Value } from "../../src/core/model/value.ts";
import type { Drift, OutputChange, Plan, Reason, Step } from "../../src/core/plan/plan.ts";
import { catalog } from "../../src/service/resources/catalog.ts";

/** Stands in every digest that is made here: no output may hold it. */
export const DIGEST = "d1gest0fasecret";

const address = fc.record({
  type: fc.constantFrom(...catalog.resources.map(({ type }) => type)),
  name: fc.stringMatching(/^[a-z][a-z0-9_-]{0,5}$/),
  key: fc.option(fc.oneof(fc.string(), fc.nat(5)), { nil: null }),
});

const text = fc.string({ unit: "binary" });
const { value } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<Value>(null, true, UNKNOWN, { $secret: DIGEST }),
    text,
    fc.integer(),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), tie("value"), { maxKeys: 3 }),
  ),
}));

function attributesOf(type: string, unknown: boolean): fc.Arbitrary<Attributes> {
  const names = Object.keys(catalog.resources.find((definition) => definition.type === type)?.schema ?? {});
  const one = fc.constantFrom<Value>(null, { $secret: DIGEST }, ...(unknown ? [UNKNOWN] : []));
  return fc
    .tuple(...names.map(() => fc.oneof(one, text, fc.boolean())))
    .map((values) => Object.fromEntries(names.map((name, index) => [name, values[index] ?? null])));
}

const id = fc.stringMatching(/^hoo_[0-9]{6}$/);

function step(type: string, where: string): fc.Arbitrary<Step> {
  const names = Object.keys(catalog.resources.find((definition) => definition.type === type)?.schema ?? {});
  const reason: fc.Arbitrary<Reason> = fc.oneof(
    fc.record({
      attribute: fc.constantFrom(...names),
      why: fc.constantFrom("config" as const, "drift" as const, "secret" as const),
    }),
    fc.record({ attribute: fc.constantFrom(...names), why: fc.constant("lookup" as const), lookup: text }),
    fc.constant({ attribute: null, why: "requested" as const }),
  );
  const base = {
    address: fc.constant(where),
    type: fc.constant(type),
    provider: fc.constantFrom("outreach", "outreach.eu"),
    masked: fc.subarray(names),
  };
  const [before, after] = [attributesOf(type, false), attributesOf(type, true)];
  const none = { ...base, because: fc.constant([]) };
  const some = { ...base, because: fc.array(reason, { minLength: 1, maxLength: 3 }) };
  const order = fc.constantFrom("delete-first" as const, "create-first" as const);
  const known = attributesOf(type, false);
  return fc.oneof(
    fc.record(
      { ...none, action: fc.constant("create" as const), after, again: fc.constant("unconfirmed" as const) },
      { requiredKeys: ["address", "type", "provider", "masked", "because", "action", "after"] },
    ),
    fc.record(
      { ...some, action: fc.constant("replace" as const), order, id, before, after, imported: fc.constant({}) },
      {
        requiredKeys: ["address", "type", "provider", "masked", "because", "action", "order", "id", "before", "after"],
      },
    ),
    fc.record(
      {
        ...some,
        action: fc.constant("update-state" as const),
        id,
        before,
        after: known,
        returned: fc.constant({}),
        movedFrom: fc.constant(`${type}.old`),
      },
      {
        requiredKeys: [
          "address",
          "type",
          "provider",
          "masked",
          "because",
          "action",
          "id",
          "before",
          "after",
          "returned",
        ],
      },
    ),
    fc.record(
      { ...none, action: fc.constant("delete" as const), id, before, deposed: fc.constant(true as const) },
      { requiredKeys: ["address", "type", "provider", "masked", "because", "action", "id", "before"] },
    ),
    fc.record(
      {
        ...none,
        action: fc.constant("forget" as const),
        before,
        released: fc.constant(true as const),
        movedFrom: fc.constant(`${type}.old`),
      },
      { requiredKeys: ["address", "type", "provider", "masked", "because", "action", "before"] },
    ),
    fc.record({
      ...none,
      action: fc.constant("adopt" as const),
      id: fc.option(id),
      after: known,
      returned: fc.constant({}),
    }),
    fc.record({ ...none, action: fc.constant("keep" as const), id, before }),
  );
}

const drift: fc.Arbitrary<Drift> = address.chain(({ type, name }) =>
  fc.record({
    address: fc.constant(`${type}.${name}`),
    type: fc.constant(type),
    before: attributesOf(type, false),
    after: fc.option(attributesOf(type, false)),
    changed: fc.subarray(Object.keys(catalog.resources.find((definition) => definition.type === type)?.schema ?? {})),
    masked: fc.constant([]),
  }),
);

const side = fc.option(fc.record({ value }));
const output: fc.Arbitrary<OutputChange> = fc.record({
  name: fc.stringMatching(/^[a-z]{1,4}$/),
  before: side,
  after: side,
  sensitive: fc.boolean(),
});

/** Any plan that the types allow, with the real catalog, and with digests and what is not known in unlikely places. */
export const anyPlan: fc.Arbitrary<Plan> = fc.record({
  format: fc.constant(1 as const),
  steps: fc.uniqueArray(
    address.chain(({ type, name, key }) =>
      step(type, `${type}.${name}${key === null ? "" : `[${JSON.stringify(key)}]`}`),
    ),
    { selector: ({ address: where }) => where, maxLength: 15 },
  ),
  drift: fc.array(drift, { maxLength: 3 }),
  outputs: fc.uniqueArray(output, { selector: ({ name }) => name, maxLength: 4 }),
  diagnostics: fc.constant([]),
  undecided: fc.constant([]),
});
