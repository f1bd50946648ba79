import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { useProjects } from "../cli/project.ts";
import { NO_CHANGES } from "../cli/no-changes.ts";
import { lettingGo } from "./handover.ts";

const openProject = useProjects();

const STACK = "cdktf.out/stacks/hooks";

/** A stack whose instances no fan-out of YAML can give. */
function stack(resource: object): string {
  return JSON.stringify({
    "//": { metadata: { backend: "local", stackName: "hooks", version: "0.21.0" }, outputs: {} },
    provider: { outreach: [{}] },
    resource: { outreach_webhook: resource },
    terraform: { required_providers: { outreach: { source: "outreach-as-code/outreach", version: "0.1.0" } } },
  });
}

describe("where the tool stays, its state does", () => {
  test("from a stack to YAML, with a move for each address that cannot stay", async () => {
    const project = await openProject();
    const hook = { target_url: "${each.value}", for_each: { a: "https://a.example.com", b: "https://b.example.com" } };
    const types = { target_url: "https://t.example.com", type: "${each.key}", for_each: '${toset(["emailsSent"])}' };
    const two = { target_url: "https://c.example.com/${count.index}", count: 2 };
    project.write(`${STACK}/cdk.tf.json`, stack({ hook, types, two }));
    const options = "--state shared.json";
    expect(await project.run(`apply -c ${STACK} ${options} --auto-approve`)).toMatchObject({ code: 0 });
    const generated = await project.run(`generate -c ${STACK} ${options} --from-state --to yaml`);
    expect(generated.err).toContain("The state stays, so nothing is imported or released.");
    expect(generated.out).not.toContain("imports:");
    expect(parse(generated.out)).toMatchObject({
      webhooks: { types: { types: ["emailsSent"] }, "hook-a": {}, "hook-b": {}, "two-0": {}, "two-1": {} },
      moved: [
        { from: 'outreach_webhook.hook["a"]', to: "outreach_webhook.hook-a" },
        { from: 'outreach_webhook.hook["b"]', to: "outreach_webhook.hook-b" },
        { from: "outreach_webhook.two[0]", to: "outreach_webhook.two-0" },
        { from: "outreach_webhook.two[1]", to: "outreach_webhook.two-1" },
      ],
    });
    project.write("outreach.yaml", generated.out);
    const { out, sent } = await project.run(`apply ${options} --auto-approve`);
    expect(out).toContain("Plan: 0 to add, 0 to change, 0 to destroy.");
    expect(sent.filter((one) => !one.startsWith("GET"))).toEqual([]);
    expect(await project.run(`plan ${options} --detailed-exitcode`)).toMatchObject({ code: 0, out: NO_CHANGES });
  });

  test("from a stack to HCL, the statements that let go are for the stack", async () => {
    const project = await openProject();
    project.write(`${STACK}/cdk.tf.json`, stack({ crm: { target_url: "https://crm.example.com" } }));
    expect(await project.run(`apply -c ${STACK} --auto-approve`)).toMatchObject({ code: 0 });
    const { err } = await project.run(`generate -c ${STACK} --from-state --to hcl`);
    expect(lettingGo(err)).toBe(
      `this.addOverride("removed", [\n  { from: "outreach_webhook.crm", lifecycle: { destroy: false } },\n]);\n`,
    );
  });
});

test("instances that differ in their secrets: a map of variables in HCL, blocks in YAML", async () => {
  const secrets = { KEY_emailsSent: "the-first-secret", KEY_emailsBounced: "the-second-secret" };
  const project = await openProject();
  Object.assign(project.environment, secrets);
  project.write(
    "outreach.yaml",
    "version: 1\nwebhooks:\n  a: { target_url: https://a.example.com, types: [emailsSent, emailsBounced], secret: { env: 'KEY_${each.type}' } }\n",
  );
  expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
  const hcl = await project.run("generate --from-state --to hcl");
  expect(hcl.out).toContain("  secret     = lookup(var.a_secret, each.key, null)\n");
  expect(hcl.out).toContain('variable "a_secret" {\n  type      = map(string)\n  sensitive = true\n}\n');
  const yaml = await project.run("generate --from-state --to yaml");
  expect(parse(yaml.out)).toMatchObject({
    webhooks: {
      "a-emailsBounced": { type: "emailsBounced", secret: { env: "A_EMAILSBOUNCED_SECRET" } },
      "a-emailsSent": { type: "emailsSent", secret: { env: "A_EMAILSSENT_SECRET" } },
    },
  });
});

test("names that the other form does not allow are made legal, each once", async () => {
  const project = await openProject();
  project.write("shown.json", shown([named("a\u0301·b"), named("á-b"), named("x"), named("é")]));
  const yaml = await project.run("generate --from-state shown.json --to yaml");
  expect(Object.keys((parse(yaml.out) as { readonly webhooks: object }).webhooks)).toEqual(["x", "á-b", "á-b-2", "é"]);
  const hcl = await project.run("generate --from-state shown.json --to hcl");
  expect([...hcl.out.matchAll(/^resource "outreach_webhook" "(.*)" \{$/gm)].map(([, name]) => name)).toEqual(
    expect.arrayContaining(["á·b", "á-b", "x", "é"]),
  );
});

test.each(["", "(", "aa|.", "constructor"])("a key like %j does not mislead what looks for a fan-out", async (key) => {
  const project = await openProject();
  const one = (id: string, index: string, path: string): Shown => ({
    ...named("a"),
    address: `outreach_webhook.a[${JSON.stringify(index)}]`,
    index,
    values: { id, target_url: `https://a.example.com/${path}`, ...(index === "" ? {} : { type: index }) },
  });
  project.write("shown.json", shown([one("hoo_1", key, `${key}x`), one("hoo_2", "emailsSent", "emailsSentx")]));
  const { code, out, err } = await project.run("generate --from-state shown.json --to yaml");
  expect(code, err).toBe(0);
  const { webhooks, imports } = parse(out) as { readonly webhooks: object; readonly imports: readonly Shown[] };
  expect(imports.map(({ id }) => String(id)).toSorted()).toEqual(["hoo_1", "hoo_2"]);
  if (key === "") expect(Object.keys(webhooks)).toEqual(["a-", "a-emailsSent"]);
  else
    expect(webhooks).toEqual({
      a: { target_url: "https://a.example.com/${each.type}x", types: [key, "emailsSent"].toSorted() },
    });
});

test("a key that is empty makes no fan-out", async () => {
  const project = await openProject();
  project.write("shown.json", shown([{ ...named("a"), address: 'outreach_webhook.a[""]', index: "" }]));
  const { out } = await project.run("generate --from-state shown.json --to yaml");
  expect(parse(out)).toMatchObject({ webhooks: { "a-": { target_url: "https://a.example.com" } } });
});

interface Shown {
  readonly [field: string]: unknown;
}

function named(name: string, more: Shown = {}): Shown {
  const values = {
    id: `hoo_${[...name].map((letter) => letter.charCodeAt(0)).join("")}`,
    target_url: "https://a.example.com",
  };
  const type = "outreach_webhook";
  return { address: `${type}.${name}`, mode: "managed", type, name, values, sensitive_values: {}, ...more };
}

function shown(resources: readonly Shown[]): string {
  return JSON.stringify({ format_version: "1.0", values: { root_module: { resources } } });
}

describe("what is not a settled state is refused", () => {
  const ADDRESS = "outreach_webhook.crm";
  test.each([
    ["a deposed object", shown([named("crm", { deposed_key: "1a2b" })]), `${ADDRESS} has a deposed object`],
    ["a tainted webhook", shown([named("crm", { tainted: true })]), `${ADDRESS} is tainted`],
    ["a plan", '{"format_version":"1.2","planned_values":{},"resource_changes":[]}', "It is a plan, not a state."],
    ["another format", '{"format_version":"2.0","values":{}}', 'It has the format "2.0"; this version reads 1.x.'],
    ["no format", '{"values":{}}', "It has no format_version."],
    ["a state file", '{"version":4,"lineage":"x","resources":[]}', "It is a state file itself."],
    ["no JSON", "outreach_webhook.crm:", "It is not JSON."],
    ["no text", "\ud800", "It is not JSON."],
    ["something else", '{"format_version":"1.0","values":{"root_module":[]}}', "Its values are not those of a state."],
    [
      "a webhook of something else",
      shown([named("crm", { values: { id: 7 } })]),
      `${ADDRESS} is not a webhook of this provider`,
    ],
  ])("%s", async (_, text, said) => {
    const project = await openProject();
    project.write("shown.json", text);
    const { code, out, err } = await project.run("generate --from-state shown.json --to yaml --out new.yaml");
    expect({ code, out, files: Object.keys(project.files()) }).toEqual({ code: 1, out: "", files: ["shown.json"] });
    expect(err.replaceAll("\n", " ")).toContain(said);
  });

  test("a file that does not exist, and a state that does not", async () => {
    const project = await openProject();
    expect((await project.run("generate --from-state shown.json --to yaml")).err).toContain("The file does not exist.");
    project.write("outreach.yaml", "version: 1\n");
    expect((await project.run("generate --from-state --to yaml")).err).toContain("No state was found");
  });

  test("an open outcome, of our own state", async () => {
    const project = await openProject();
    project.write("outreach.yaml", "version: 1\nwebhooks: { crm: { target_url: https://crm.example.com } }\n");
    project.sandbox.configure({ profile: { cap: 10, offset: false } });
    for (let index = 0; index < 11; index++)
      project.sandbox.add("webhooks", { targetUrl: `https://other.example.com/${String(index)}` });
    project.sandbox.addFault({ action: { kind: "drop" }, when: "after", method: "POST" });
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 3 });
    const { code, out, err } = await project.run("generate --from-state --to hcl");
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain("outreach_webhook.crm has a write with an open outcome.");
  });

  test("a deposed object, of our own state", async () => {
    const project = await openProject();
    const yaml = (type: string): string =>
      `version: 1\nwebhooks: { crm: { target_url: https://crm.example.com, type: ${type}, rotation: create_first } }\n`;
    project.write("outreach.yaml", yaml("emailsSent"));
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
    project.write("outreach.yaml", yaml("emailsOpened"));
    project.sandbox.addFault({ action: { kind: "answer", status: 401 }, method: "DELETE", times: null });
    await project.run("apply --auto-approve --allow-replaces");
    const { code, out, err } = await project.run("generate --from-state --to hcl");
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain("outreach_webhook.crm has a deposed object that is still to be deleted.");
  });
});

test("resources that are no webhooks stay, and an empty state has nothing to write", async () => {
  const project = await openProject();
  const other = { ...named("x"), address: "aws_thing.x", type: "aws_thing", values: {} };
  const lead = { ...named("y"), address: "outreach_lead_unsubscription.y", type: "outreach_lead_unsubscription" };
  project.write("shown.json", shown([named("crm"), other, lead, { ...named("d"), mode: "data" }]));
  const { code, out, err } = await project.run("generate --from-state shown.json --to yaml");
  expect(code).toBe(0);
  expect(Object.keys(parse(out) as object)).toEqual(["version", "webhooks", "imports"]);
  expect(err).toContain("The state also has 1 other resource of this provider.");
  for (const empty of ['{"format_version":"1.0"}', shown([other])]) {
    project.write("shown.json", empty);
    expect(await project.run("generate --from-state shown.json --to hcl")).toMatchObject({
      code: 0,
      out: "",
      err: "Nothing to write: shown.json has no webhooks.\n",
    });
  }
});

test("options that do not fit together are refused, and no file is overwritten", async () => {
  const project = await openProject();
  project.write("shown.json", shown([named("crm")]));
  for (const [line, said] of [
    ["--to hcl", "Pass --from-state too."],
    ["--from-state", "Pass --to yaml or --to hcl."],
    ["--from-state --to yaml --all", "Unknown option"],
    ["--from-state shown.json --to yaml --out shown.json", "generate never overwrites a file"],
  ] as const) {
    const { code, out, err } = await project.run(`generate ${line}`);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(said);
  }
});
