import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { catalog } from "../../src/service/resources/catalog.ts";
import { ROOT, read } from "../docs/pages.ts";
import { type Feature, lacks } from "../frontends/terraform/engine.ts";
import { TerraformUnderTest, hasTerraform } from "../frontends/terraform/terraform-under-test.ts";

const EXAMPLES = path.join(ROOT, "examples/terraform");
const PROVIDER = readFileSync(path.join(EXAMPLES, "provider/provider.tf"), "utf8");

/** The folders with an example. */
const folders = readdirSync(EXAMPLES, { recursive: true, withFileTypes: true })
  .flatMap((entry) =>
    entry.isFile() && /\.(tf|tfquery\.hcl)$/.test(entry.name) ? [path.relative(EXAMPLES, entry.parentPath)] : [],
  )
  .filter((folder, index, all) => !folder.includes(".terraform") && all.indexOf(folder) === index)
  .toSorted();

const NEEDS: { readonly [kind: string]: Feature } = {
  actions: "actions",
  functions: "functions",
  "list-resources": "list resources",
};

test("there is an example for everything that the provider has", () => {
  expect(folders).toEqual(
    expect.arrayContaining([
      "",
      "provider",
      ...catalog.resources.map(({ type }) => `resources/${type}`),
      ...catalog.dataSources.map(({ type }) => `data-sources/${type}`),
      ...(catalog.functions ?? []).map(({ name }) => `functions/${name}`),
      ...(catalog.actions ?? []).map(({ type }) => `actions/${type}`),
      ...catalog.resources.flatMap(({ type, search }) => (search ? [`list-resources/${type}`] : [])),
    ]),
  );
});

test.for([
  ...(catalog.actions ?? []).map(({ type, schema }) => ({ file: `actions/${type}/action.tf`, schema })),
  ...catalog.resources.flatMap(({ type, search }) =>
    search ? [{ file: `list-resources/${type}/list-resource.tfquery.hcl`, schema: search.filters }] : [],
  ),
])("what $file configures is in the schema, which no terraform here can tell", ({ file, schema }) => {
  const [, config = ""] =
    /\n {2}config \{\n([^}]*)\n {2}\}/.exec(readFileSync(path.join(EXAMPLES, file), "utf8")) ?? [];
  const given = [...config.matchAll(/^ +(\w+) +=/gm)].map(([, name]) => name);
  expect(given.length).toBeGreaterThan(0);
  expect(Object.keys(schema)).toEqual(expect.arrayContaining(given));
});

describe("terraform", () => {
  let terraform: TerraformUnderTest;
  beforeEach(async ({ skip }) => {
    skip(!hasTerraform, "no terraform on the PATH");
    terraform = await TerraformUnderTest.start({});
  });
  afterEach(() => terraform?.remove());

  test.for(folders)("validates the example in examples/terraform/%s", async (folder, { skip }) => {
    const feature = NEEDS[folder.split(path.sep)[0] ?? ""];
    const missing = feature === undefined ? null : lacks(feature);
    skip(missing !== null, missing ?? "");
    const files = readdirSync(path.join(EXAMPLES, folder)).filter((name) => /\.(tf|hcl|json)$/.test(name));
    const texts = files.map((name) => readFileSync(path.join(EXAMPLES, folder, name), "utf8"));
    for (const [index, name] of files.entries()) terraform.write(name, texts[index] ?? "");
    if (!texts.some((text) => text.includes("required_providers"))) terraform.write("terraform.tf", PROVIDER);
    expect(await terraform.run("validate", "-no-color")).toMatchObject({
      status: 0,
      words: "Success! The configuration is valid.",
    });
  });

  test("validates and formats what the README declares", async () => {
    const [, declared = ""] = /```hcl\n([^]*?)```/.exec(read("README.md")) ?? [];
    terraform.write("main.tf", declared);
    terraform.write("provider.tf", "");
    expect(await terraform.run("validate", "-no-color")).toMatchObject({
      status: 0,
      words: "Success! The configuration is valid.",
    });
    expect(await terraform.run("fmt", "-check", "-diff", "-no-color")).toMatchObject({ status: 0, output: "" });
  });

  test("finds a mistake in an example", async () => {
    terraform.write(
      "main.tf",
      `${PROVIDER}\nresource "outreach_webhook" "a" {\n  target_url = "https://crm.example.com/"\n  kind       = "emailsReplied"\n}\n`,
    );
    const mistaken = await terraform.run("validate", "-no-color");
    expect(mistaken).toMatchObject({
      status: 1,
      output: expect.stringContaining('"kind" is not expected here') as string,
    });
  });

  test("would not format the examples otherwise", async () => {
    expect(await terraform.run("fmt", "-check", "-recursive", "-diff", "-no-color", EXAMPLES)).toMatchObject({
      status: 0,
      output: "",
    });
  });
});
