import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import { parse, stringify } from "yaml";
import { WELL_FORMED } from "../core/expression/generated.ts";
import { type Json, TEXT, VALUE, jsonText, mutatedJson, mutatedText } from "./arbitraries.ts";
import { GROWING } from "./expressions.ts";
import { diskWith, expectSound, run } from "./product.ts";
import { target } from "./target.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

function textsBelow(folder: string, extension: string): readonly string[] {
  const entries = readdirSync(path.join(ROOT, folder), { withFileTypes: true, recursive: true }).filter(
    (entry) => entry.isFile() && entry.name.endsWith(extension),
  );
  return entries.map(({ parentPath, name }) => readFileSync(path.join(parentPath, name), "utf8"));
}

function yamlBlocks(markdown: string): readonly string[] {
  return [...markdown.matchAll(/^```yaml[^\n]*\n(.*?)^```/gms)].map(([, block = ""]) => block);
}

/** The examples, and the configurations of the docs. */
const EXAMPLES = [
  ...textsBelow("examples", ".yaml"),
  ...["tutorials", "guides", "explanation"]
    .flatMap((folder) => textsBelow(`docs/${folder}`, ".md"))
    .flatMap(yamlBlocks),
].filter((text) => /^version: 1/m.test(text));
const TREES = EXAMPLES.map((text) => parse(text) as Json);

const SIGNS = [
  ": ",
  "- ",
  "&a ",
  "*a",
  "<<: *a",
  "!!js/function ",
  "? ",
  "|\n",
  ">-\n",
  "---\n",
  "%YAML 1.1\n",
  "{",
  "}",
  "[",
  "]",
  "'",
  '"',
  "\t",
  "  ",
  "\n\n",
  "#",
  "@",
  "`",
  "${",
  "}",
];

/** Many expressions that each take as long as one may. */
const MANY_EXPRESSIONS = fc.tuple(GROWING, fc.constantFrom(20, 200)).map(([growing, count]) =>
  JSON.stringify({
    version: 1,
    outputs: Object.fromEntries(
      Array.from({ length: count }, (_, one) => [`o${String(one)}`, `\${length(${growing})}`]),
    ),
  }),
);

/** Values of the places where expressions stand. */
const WITH_EXPRESSION = fc.tuple(mutatedJson(TREES), WELL_FORMED, fc.nat()).map(([tree, expression, at]) => {
  const text = JSON.stringify(tree);
  const places = [...text.matchAll(/"https:[^"]*"/g)];
  const place = places[at % Math.max(1, places.length)];
  return place
    ? `${text.slice(0, place.index)}${JSON.stringify(`https://a.example/\${${expression}}`)}${text.slice(place.index + place[0].length)}`
    : text;
});

const YAML_TEXT = fc.oneof(
  { weight: 36, arbitrary: mutatedText(EXAMPLES, SIGNS) },
  { weight: 24, arbitrary: mutatedJson(TREES).map((tree) => stringify(tree, { aliasDuplicateObjects: false })) },
  { weight: 12, arbitrary: WITH_EXPRESSION },
  { weight: 12, arbitrary: jsonText(mutatedJson(TREES)) },
  { weight: 6, arbitrary: TEXT },
  { weight: 1, arbitrary: MANY_EXPRESSIONS },
  { weight: 6, arbitrary: VALUE.map((value) => `version: 1\nwebhooks:\n  a: ${JSON.stringify(value)}\n`) },
);

const LINES = [["validate"], ["validate", "--json"], ["output"]] as const;

export const CONFIGURATIONS = target({
  name: "configurations",
  share: 6,
  cases: fc.record({ text: YAML_TEXT, line: fc.constantFrom(...LINES) }),
  run: async ({ text, line }) => expectSound(await run(await diskWith({ "outreach.yaml": text }), line)),
});

const STACK: Json = {
  "//": { metadata: { backend: "local", stackName: "hooks", version: "0.21.0" }, outputs: { hooks: { id: "id" } } },
  terraform: {
    backend: { local: { path: "terraform.tfstate" } },
    required_providers: { outreach: { source: "outreach-as-code/outreach", version: "0.1.0" } },
  },
  provider: { outreach: [{ alias: "other", api_key: "${var.key}" }, {}] },
  variable: {
    key: { type: "string", sensitive: true },
    stages: {
      type: "list(object({ name = string }))",
      default: [{ name: "a" }],
      validation: [{ condition: "${length(var.stages) > 0}", error_message: "none" }],
    },
  },
  locals: { url: "https://a.example/${var.stages[0].name}" },
  data: { outreach_campaign: { q3: { name: "Q3" } } },
  resource: {
    outreach_webhook: {
      a: {
        "//": { metadata: { path: "hooks/a", uniqueId: "a" } },
        target_url: "${local.url}/${each.key}",
        type: "emailsSent",
        for_each: '${toset(["x", "y"])}',
        depends_on: ["data.outreach_campaign.q3"],
        lifecycle: { create_before_destroy: true, ignore_changes: ["type"] },
      },
      b: {
        count: 2,
        target_url: "https://b.example/${count.index}",
        campaign_id: "${data.outreach_campaign.q3.id}",
        secret: "${var.key}",
      },
    },
    outreach_lead_unsubscription: { c: { campaign_id: "cam_000001", email: "ada@example.com" } },
  },
  output: { id: { value: '${outreach_webhook.a["x"].id}', sensitive: true } },
  import: [{ to: "outreach_webhook.b[0]", id: "hoo_000001" }],
  moved: [{ from: "outreach_webhook.z", to: "outreach_webhook.a" }],
  removed: [{ from: "outreach_webhook.y", lifecycle: { destroy: false } }],
};

const STACK_LINES = [
  ["validate", "-c", "hooks"],
  ["validate", "-c", "hooks", "--json"],
] as const;

export const STACKS = target({
  name: "stacks",
  share: 5,
  cases: fc.record({
    text: fc.oneof(
      { weight: 8, arbitrary: jsonText(mutatedJson([STACK])) },
      { weight: 2, arbitrary: mutatedText([JSON.stringify(STACK)], ["{", "}", "[", "]", ",", '"', "${", "\\u0000"]) },
    ),
    line: fc.constantFrom(...STACK_LINES),
  }),
  run: async ({ text, line }) => expectSound(await run(await diskWith({ "hooks/cdk.tf.json": text }), line)),
});
