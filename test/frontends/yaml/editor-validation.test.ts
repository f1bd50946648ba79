import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { validate } from "../../../src/frontends/yaml/generated/validate-config.js";
import { EDITOR_KEYWORDS, editorSchema } from "../../../src/generate/editor-schema.ts";
import { catalog } from "../../../src/service/resources/catalog.ts";
import { checkConfiguration } from "./check-configuration.ts";

const SOUND = {
  version: 1,
  service: { base_url: "https://api.example.com/api", rate_share: "50%", api_key: { env: "KEY" } },
  state: { backend: "local", path: "a.json" },
  variables: { stage: { default: "test", sensitive: false, description: "x" }, other: null },
  data: { campaign: { q3: { name: "Q3 launch" } }, campaigns: { live: { status: "running" } } },
  webhooks: {
    crm: {
      target_url: "https://crm.example.com/a",
      type: "emailsSent",
      campaign: "q3",
      secret: { command: ["pass", "crm"] },
      is_first: '${var.stage == "test"}',
    },
    two: { target_url: "https://crm.example.com/b", types: ["emailsSent", "networkInviteDone"], campaigns: "live" },
  },
  lead_unsubscriptions: { gone: { campaign_id: "cam_1", emails: ["a@x.io"] } },
  outputs: { id: "${outreach_webhook.crm.id}", more: { value: ["a", 1], sensitive: true } },
  limits: { delete: 3, recreate: "20%", unsubscribe: 100 },
};

/** Names that mean something somewhere in the schema, and some that do not. */
const NAMES = [
  "env",
  "file",
  "command",
  "value",
  "default",
  "name",
  "type",
  "types",
  "campaigns",
  "delete",
  "a b",
  "1st",
  "émile",
  "nothing",
];
const editors = new Ajv2020({ unicodeRegExp: true }).addVocabulary(EDITOR_KEYWORDS);
const isValidForEditors = editors.compile(editorSchema(catalog));

/** Keys that exclude others, or need them, and their values. */
const KEYS = [
  "id",
  "name",
  "type",
  "types",
  "campaign",
  "campaign_id",
  "campaigns",
  "email",
  "emails",
  "emails_from",
  "backend",
  "bucket",
  "key",
  "path",
];
const VALUES: readonly unknown[] = [
  "${var.stage}",
  "%{ if true }a%{ endif }",
  "create_frist",
  "emailReplied",
  "skipped",
  "s3",
  "pg",
  "q3",
  ["q3"],
  ["emailReplied"],
];

/** The value with another one at a path; with none, without it. */
function put(value: unknown, [key, ...deeper]: readonly string[], given: unknown): unknown {
  if (key === undefined) return given;
  const { [key]: before, ...others } = value as { readonly [key: string]: unknown };
  return deeper.length === 0 && given === undefined ? others : { ...others, [key]: put(before ?? {}, deeper, given) };
}

const PLACES = [
  ["webhooks", "crm"],
  ["webhooks", "two"],
  ["lead_unsubscriptions", "gone"],
  ["data", "campaign", "q3"],
  ["data", "campaigns", "live"],
  ["state"],
  ["service"],
  ["limits"],
];

async function errorsOf(value: unknown): Promise<readonly string[]> {
  const { diagnostics } = await checkConfiguration(JSON.stringify(value), { var: ["other=x"] });
  return diagnostics.flatMap(({ severity, detail }) => (severity === "error" ? [detail] : []));
}

test("editors refuse what the command refuses, and nothing that the command accepts", async () => {
  expect([isValidForEditors(SOUND), await errorsOf(SOUND)]).toEqual([true, []]);
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.tuple(fc.constantFrom(...PLACES), fc.constantFrom(...KEYS), fc.constantFrom(undefined, ...VALUES, ...NAMES)),
        { minLength: 1, maxLength: 2 },
      ),
      async (changes) => {
        const value = changes.reduce<unknown>(
          (before, [place, key, given]) => put(before, [...place, key], given),
          SOUND,
        );
        const isSound = isValidForEditors(value);
        const isSoundForCommand = validate(value);
        outcomes.add(`${String(isSoundForCommand)}, ${String(isSound)}`);
        if (!isSoundForCommand) expect(isSound).toBe(false);
        else if (!isSound) expect(await errorsOf(value)).not.toEqual([]);
      },
    ),
    { numRuns: 1500 },
  );
  expect([...outcomes].toSorted()).toEqual(["false, false", "true, false", "true, true"]);
}, 120_000);
