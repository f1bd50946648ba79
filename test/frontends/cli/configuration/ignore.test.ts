import { describe, expect, test } from "vitest";
import { stackOf, webhooks } from "../../cdk/stack.ts";
import { type Project, useProjects } from "../project.ts";

const openProject = useProjects();

const URL = "target_url: https://crm.example.com/hook";
const SECRET = "secret: { env: HOOK_SECRET }";

/** One webhook with these keys, and what else the file says. */
function one(keys: string, ...more: readonly string[]): string {
  return ["version: 1", "webhooks:", `  crm: { ${keys} }`, ...more, ""].join("\n");
}

/** The codes of the warnings. */
function codesIn(text: string): readonly string[] {
  return [...text.matchAll(/^Warning: .* \[(\w+)\]$/gm)].map(([, code = ""]) => code);
}

async function warnings(project: Project, command: string): Promise<readonly string[]> {
  const ran = await project.run(command, { HOOK_SECRET: "s3cret" });
  expect(ran, ran.err).toMatchObject({ code: 0 });
  return codesIn(ran.err).filter((code) => code !== "state_missing");
}

/** A configuration for each warning, and whether its block can silence it. */
const WARNINGS: readonly (readonly [
  code: string,
  text: string,
  where: "block" | "top",
  commands: readonly string[],
])[] = [
  [
    "overlapping_webhooks",
    one(`${URL}, ${SECRET}, type: emailsReplied, ignore: [shared_target_url]`, `  all: { ${URL}, ${SECRET} }`),
    "top",
    ["validate", "plan"],
  ],
  ["target_url_host", one(`target_url: https://EXÄMPLE.com/hook, ${SECRET}`), "block", ["validate", "plan"]],
  ["unused_variable", one(`${URL}, ${SECRET}`, "variables: { stage: { default: a } }"), "top", ["validate", "plan"]],
  ["webhook_without_secret", one(URL), "block", ["validate"]],
];

describe.each(WARNINGS)("%s", (code, text, _, commands) => {
  test("is a warning by default, and is silenced for all", async () => {
    const project = await openProject();
    project.write("outreach.yaml", text);
    for (const command of ["validate", "plan"])
      expect(await warnings(project, command)).toEqual(commands.includes(command) ? [code] : []);
    project.write("outreach.yaml", `${text}ignore: [${code}]\n`);
    for (const command of ["validate", "plan"]) expect(await warnings(project, command)).toEqual([]);
  });
});

test.each(WARNINGS.filter(([, , where]) => where === "block"))(
  "%s is silenced for a block alone",
  async (code, text) => {
    const project = await openProject();
    const other = text.replace(/^.* crm: .*$/m, (line) => `${line}\n${line.replace("crm:", "other:")}`);
    const both = other.replace("/hook, secret", "/b, secret").replace("/hook }", "/b }");
    project.write("outreach.yaml", both.replace("crm: { ", `crm: { ignore: [${code}], `));
    const { err } = await project.run("validate");
    expect(codesIn(err)).toEqual([code]);
    expect(err).toContain("outreach_webhook.other");
    expect(err).not.toContain("outreach_webhook.crm");
  },
);

test("a variable counts as used where only the name of a secret, a check or another variable's rule refers to it", async () => {
  const project = await openProject();
  project.write(
    "outreach.yaml",
    one(
      "target_url: https://crm.example.com/a, secret: { env: 'HOOK_${upper(var.stage)}' }",
      "variables: { stage: { default: secret } }",
    ),
  );
  expect(await warnings(project, "validate")).toEqual([]);
});

test("several blocks without a secret are one warning that names them", async () => {
  const project = await openProject();
  project.write(
    "outreach.yaml",
    one(URL, "  sent: { target_url: 'https://a.example.com/${each.type}', types: [emailsSent, emailsBounced] }"),
  );
  const { err } = await project.run("validate");
  expect(err).toContain("Warning: Webhooks without a secret [webhook_without_secret]\n\n  on outreach.yaml:3:3");
  expect(err.replaceAll("\n", " ")).toContain("outreach_webhook.crm, outreach_webhook.sent have no secret. ");
});

describe("mistakes", () => {
  test.for<readonly [what: string, top: string, own: string, said: string]>([
    [
      "a typo",
      "[unused_variabel]",
      "",
      '"unused_variabel" is not a value of ignore[0].\nDid you mean unused_variable?',
    ],
    [
      "a typo in a block",
      "[]",
      "[target_url_hots]",
      '"target_url_hots" is not a value of webhooks.crm.ignore[0].\nDid you mean target_url_host?',
    ],
    [
      "a name of JavaScript's",
      "[toString]",
      "",
      '"toString" is not a value of ignore[0].\nWrite overlapping_webhooks, ',
    ],
    [
      "a code of the whole configuration in a block",
      "[]",
      "[unused_variable]",
      "is not a value of webhooks.crm.ignore",
    ],
    ["a map", "{ http: off }", "", "ignore must be a list, but is a map."],
    [
      "a warning that protects",
      "[list_maybe_truncated]",
      "",
      "list_maybe_truncated protects the objects of this configuration. It says what the plan could not compare.",
    ],
    ["duplicates", "[http, duplicate_live]", "", "It says that a managed object exists twice."],
    ["such a warning in a block", "[]", "[created_although_rejected]", "It says what became of a write, which nothing"],
  ])("%s", async ([, top, own, said]) => {
    const project = await openProject();
    project.write("outreach.yaml", one(`${URL}, ${SECRET}${own === "" ? "" : `, ignore: ${own}`}`, `ignore: ${top}`));
    const { code, err } = await project.run("validate");
    expect([code, err.match(/^Error: /gm)?.length]).toEqual([1, 1]);
    expect(err).toContain(said);
    expect(err).toMatch(/on outreach\.yaml:[34]:\d+/);
  });

  test("the list in two files of a folder is one", async () => {
    const project = await openProject();
    project.write("config/a.yaml", one(URL, "ignore: [http]"));
    project.write("config/b.yaml", "version: 1\nignore: [http]\n");
    expect((await project.run("validate -c config")).err).toContain(
      "ignore is given in config/a.yaml:4:1 and in config/b.yaml:2:1.",
    );
  });
});

test("duplicate_live cannot be silenced, and stays", async () => {
  const project = await openProject();
  project.write("outreach.yaml", one(`${URL}, ${SECRET}`));
  expect(await warnings(project, "apply --auto-approve")).toEqual([]);
  project.sandbox.add("webhooks", { _id: "hoo_copy", targetUrl: "https://crm.example.com/hook" });
  expect(await warnings(project, "plan")).toEqual(["duplicate_live"]);
});

test("JSON has the codes, and a stack is checked too", async () => {
  const project = await openProject();
  project.write(
    "cdktf.out/stacks/hooks/cdk.tf.json",
    stackOf(webhooks({ crm: { target_url: "https://crm.example.com/hook" } })),
  );
  const { code, out } = await project.run("validate --json -c cdktf.out/stacks/hooks");
  const { diagnostics } = JSON.parse(out) as { readonly diagnostics: readonly { readonly code: string }[] };
  expect([code, diagnostics.map((found) => found.code)]).toEqual([0, ["webhook_without_secret"]]);
});
