import * as fc from "fast-check";
import { expect, test } from "vitest";
import { configSchema } from "../../../src/frontends/yaml/config-schema.ts";
import { validate } from "../../../src/frontends/yaml/generated/validate-config.js";
import { schemaCheck } from "../../../src/frontends/yaml/schema-check.ts";
import { catalog } from "../../../src/service/resources/catalog.ts";

const isValid = schemaCheck(configSchema(catalog));

const SOUND = {
  version: 1,
  service: { base_url: "https://api.example.com/api", rate_share: "50%", api_key: { env: "KEY" } },
  state: { backend: "local", path: "a.json" },
  variables: { stage: { default: "test", sensitive: false, description: "x" }, other: null },
  data: { campaign: { q3: { name: "Q3 launch" } }, campaigns: { live: { status: "running" } } },
  webhooks: {
    crm: { target_url: "https://crm.example.com/a", type: "emailsSent", campaign: "q3", secret: { command: ["pass", "crm"] }, is_first: "${var.stage}" },
    two: { target_url: "https://crm.example.com/b", types: ["emailsSent", "linkedinInviteDone"], campaigns: "live" },
  },
  lead_unsubscriptions: { gone: { campaign_id: "cam_1", emails: ["a@x.io"] } },
  outputs: { id: "${outreach_webhook.crm.id}", more: { value: ["a", 1], sensitive: true } },
  limits: { delete: 3, recreate: "20%", unsubscribe: 100 },
};

/** Names that mean something somewhere in the schema, and some that do not. */
const NAMES = ["env", "file", "command", "value", "default", "name", "type", "types", "campaigns", "delete", "a b", "1st", "émile", "nothing"];
const anything = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, 1, -1, 1.5, "", "${x}", "1", "50%", "101%", "emailsSent", "local"),
  fc.array(fc.constantFrom<unknown>("a", "", 1, null, {}), { maxLength: 2 }),
  fc.dictionary(fc.constantFrom(...NAMES), fc.constantFrom<unknown>(null, "", "a", 1, true, ["a"], {}), { maxKeys: 3 }),
);

/** The value with something else in it, at a place that the numbers choose. */
function changed(value: unknown, [at = 0, ...deeper]: readonly number[], name: string, put: unknown): unknown {
  if (typeof value !== "object" || value === null) return put;
  const keys = Object.keys(value);
  if (Array.isArray(value)) return keys.length === 0 ? [put] : value.with(at % keys.length, changed(value[at % keys.length], deeper, name, put));
  const key = keys[at % (keys.length + 1)] ?? name;
  return { ...value, [key]: deeper.length === 0 ? put : changed((value as { readonly [key: string]: unknown })[key] ?? null, deeper, name, put) };
}

test("what the full validator accepts and refuses, the quick check does too", () => {
  expect([isValid(SOUND), validate(SOUND)]).toEqual([true, true]);
  const place = fc.array(fc.nat({ max: 12 }), { maxLength: 4 });
  const answers = new Set<boolean>();
  fc.assert(
    fc.property(place, fc.constantFrom(...NAMES), anything, (at, name, put) => {
      const value = changed(SOUND, at, name, put);
      answers.add(isValid(value));
      expect(isValid(value)).toBe(validate(value));
    }),
    { numRuns: 3000 },
  );
  expect([...answers].toSorted()).toEqual([false, true]);
});
