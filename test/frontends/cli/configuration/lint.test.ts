import { describe, expect, test } from "vitest";
import { catalog } from "../../../../src/service/resources/catalog.ts";
import { stackOf, webhooks } from "../../cdk/stack.ts";
import { useProjects } from "../project.ts";

const openProject = useProjects();

const URL = "target_url: https://crm.example.com/hook";
const WELL = "type: emailsReplied, secret: { env: HOOK_SECRET }";
const ACCOUNTS = "[customDomainErrors, connectionIssue, sendLimitReached, warmupPaused, deliverabilityAlertTriggered]";

/** One webhook with these keys, from line 5, and more lines. */
function one(keys: string, ...more: readonly string[]): string {
  return `version: 1\nlint: LINT\nwebhooks:\n  crm:\n    { ${keys} }\n${more.map((line) => `${line}\n`).join("")}`;
}

const Q3 = (id: string): string => `data: { campaign: { q3: { id: ${id} } } }`;

/** The ids of the warnings. */
function idsIn(text: string): readonly string[] {
  return [...text.matchAll(/^Warning: .* \[(\w+)\]$/gm)].map(([, id = ""]) => id);
}

/** A configuration that each rule finds something in, and one in which it finds nothing. */
const RULES: { readonly [id: string]: { readonly found: string; readonly none: string } } = {
  overlapping_webhooks: {
    found: one(`${URL}, ${WELL}`, `  all: { ${URL} }`),
    none: one(`${URL}, ${WELL}`, `  sent: { ${URL}, type: emailsSent }`),
  },
  no_secret: { found: one(`${URL}, types: [emailsReplied, emailsSent]`), none: one(`${URL}, ${WELL}`) },
  all_events: { found: one(`${URL}, secret: { env: HOOK_SECRET }`), none: one(`${URL}, ${WELL}`) },
  http: { found: one("target_url: http://localhost:3000/hook"), none: one(URL) },
  campaign_ended: {
    found: one(`${URL}, campaign: q3`, Q3("cam_000005")),
    none: one(`${URL}, campaign: q3`, Q3("cam_000001")),
  },
  no_receiver: {
    found: one(`${URL}, campaign_id: cam_000001`),
    none: one(`target_url: "https://a.example.com/\${each.type}", types: ${ACCOUNTS}`),
  },
  unused_variable: {
    found: one(URL, "variables: { stage: { default: a } }"),
    none: one(
      "target_url: https://crm.example.com/a, secret: { env: 'HOOK_${upper(var.stage)}' }",
      "variables: { stage: { default: secret } }",
    ),
  },
};

test("every rule has a case here, or needs the records of the state", () => {
  const rules = catalog.lint?.rules.filter(({ reads }) => reads !== "state").map(({ id }) => id);
  expect(Object.keys(RULES).toSorted()).toEqual(rules?.toSorted());
});

/** Runs a command on a configuration with these settings, and returns the ids of its warnings. */
async function openRules(text: string, set: string): Promise<(command: string) => Promise<readonly string[]>> {
  const project = await openProject();
  project.environment["HOOK_SECRET"] = "s3cret";
  project.write("outreach.yaml", text.replace("LINT", set));
  return async (command) => {
    const ran = await project.run(command);
    expect(ran, ran.err).toMatchObject({ code: 0 });
    return idsIn(ran.err).filter((one) => one !== "state_missing");
  };
}

const ruleOf = (id: string) => catalog.lint?.rules.find((one) => one.id === id);

describe.each(Object.entries(RULES))("the rule %s", (id, { found, none }) => {
  const isOn = ruleOf(id)?.initially === "on";
  const isOfFiles = ruleOf(id)?.reads === "nothing";

  test("warns in validate and in each plan where it is on, and finds nothing else", async () => {
    const run = await openRules(found, `{ ${id}: on }`);
    if (isOfFiles) expect(await run("validate")).toEqual([id]);
    expect(await run("plan")).toEqual([id]);
    const quiet = await openRules(none, `{ ${id}: on }`);
    expect([await quiet("validate"), await quiet("plan")]).toEqual([[], []]);
  });

  test("is as the table says by default, and off where the configuration turns it off, also for --lint all", async () => {
    const run = await openRules(found, "{}");
    expect(await run("plan")).toEqual(isOn ? [id] : []);
    if (isOfFiles) expect(await run("validate --lint all")).toContain(id);
    const off = await openRules(found, `{ ${id}: off }`);
    expect(await off("plan")).toEqual([]);
    expect(await off("validate --lint all")).not.toContain(id);
    if (isOfFiles) expect(await off(`validate --lint ${id}`)).toEqual([id]);
  });
});

test.for(Object.entries(RULES).filter(([id]) => ruleOf(id)?.type !== undefined))(
  "a block turns %s off for itself",
  async ([id, { found }]) => {
    const run = await openRules(found.replace("    { ", `    { lint: { ${id}: off }, `), `{ ${id}: on }`);
    expect(await run("plan")).toEqual([]);
    expect(await run("validate --lint all")).not.toContain(id);
  },
);

describe("the age of secrets", () => {
  const config = (max: string, own = ""): string =>
    one(`${URL}, ${WELL}${own}`, `  open: { target_url: https://open.example.com, type: emailsSent }`).replace(
      "LINT",
      `{ secret_max_age: ${max} }`,
    );

  test("is compared by plan and drift, from the record of the webhook's creation, and no rotation is called old", async () => {
    const project = await openProject();
    project.environment["HOOK_SECRET"] = "s3cret";
    project.write("outreach.yaml", config("30d"));
    expect(idsIn((await project.run("apply --auto-approve")).err)).toEqual([]);
    project.clock.pass(29 * 86_400_000);
    expect(idsIn((await project.run("plan")).err)).toEqual([]);
    project.clock.pass(3 * 86_400_000);
    const planned = await project.run("plan");
    expect(idsIn(planned.err)).toEqual(["secret_max_age"]);
    expect(planned.err.replaceAll("\n", " ")).toMatch(
      /The secret of outreach_webhook\.crm is 32 days old\. It was set when the webhook was created, on \d{4}-\d\d-\d\d\. The configuration allows 30d\./,
    );
    expect(planned.out).toContain("No changes.");
    expect(idsIn((await project.run("plan --no-secrets", { HOOK_SECRET: undefined })).err)).toEqual(["secret_max_age"]);
    const drift = await project.run("drift");
    expect([drift.code, idsIn(drift.err)]).toEqual([0, ["secret_max_age"]]);
    project.write("outreach.yaml", config("30d", ", lint: { secret_max_age: off }"));
    expect(idsIn((await project.run("plan")).err)).toEqual([]);
    project.write("outreach.yaml", config("off"));
    expect(idsIn((await project.run("plan")).err)).toEqual([]);
    project.write("outreach.yaml", config("30d"));
    expect(idsIn((await project.run("plan", { HOOK_SECRET: "rotated" })).err)).toEqual([]);
  });
});

test("a refresh compares nothing of the files", async () => {
  const run = await openRules(
    one(`${URL}, ${WELL}`, "variables: { stage: { default: a } }"),
    "{ unused_variable: on }",
  );
  expect([await run("plan"), await run("plan --refresh-only"), await run("plan --destroy")]).toEqual([
    ["unused_variable"],
    [],
    [],
  ]);
});

describe("a warning without a rule", () => {
  const HOST = "target_url: https://EXÄMPLE.com/hook";

  test("is turned off for a block, or for all", async () => {
    const project = await openProject();
    const idsWith = async (set: string, own: string): Promise<readonly (readonly string[])[]> => {
      project.write("outreach.yaml", one(`${HOST}${own}`).replace("LINT", set));
      return [idsIn((await project.run("validate")).err), idsIn((await project.run("plan")).err)];
    };
    expect(await idsWith("{}", "")).toEqual([["target_url_host"], ["target_url_host"]]);
    expect(await idsWith("{}", ", lint: { target_url_host: off }")).toEqual([[], []]);
    expect(await idsWith("{ target_url_host: off }", "")).toEqual([[], []]);
  });

  test("about what is live is turned off for all", async () => {
    const project = await openProject();
    project.write("outreach.yaml", one(URL).replace("LINT", "{}"));
    await project.run("apply --auto-approve");
    project.sandbox.add("webhooks", { _id: "hoo_copy", targetUrl: "https://crm.example.com/hook" });
    expect(idsIn((await project.run("plan")).err)).toEqual(["duplicate_live"]);
    project.write("outreach.yaml", one(URL).replace("LINT", "{ duplicate_live: off }"));
    expect(idsIn((await project.run("plan")).err)).toEqual([]);
  });
});

describe("mistakes", () => {
  test.for<readonly [what: string, set: string, own: string, said: string]>([
    ["a typo", "{ no_secrt: on }", "", '"no_secrt" is not a known key in lint.\nDid you mean no_secret?'],
    [
      "a typo in a block",
      "{}",
      "{ all_event: off }",
      '"all_event" is not a known key in webhooks.crm.lint.\nDid you mean all_events?',
    ],
    ["a name of JavaScript's", "{ toString: off }", "", '"toString" is not a known key in lint.'],
    ["true", "{ http: true }", "", "true is not a value of lint.http.\nWrite http: on or off."],
    ["on in a block", "{}", "{ no_secret: on }", 'webhooks.crm.lint.no_secret must be "off".\nWrite no_secret: off.'],
    [
      "a number",
      "{ secret_max_age: 180 }",
      "",
      "lint.secret_max_age must be text, but is a number.\nWrite secret_max_age: off, or a duration such as 180d.",
    ],
    [
      "a duration in words",
      "{ secret_max_age: half a year }",
      "",
      "lint.secret_max_age is not written as it must be, as in 180d.",
    ],
    [
      "a rule of the whole configuration in a block",
      "{}",
      "{ unused_variable: off }",
      '"unused_variable" is not a known key in webhooks.crm.lint.',
    ],
    ["a list", "[no_secret]", "", "lint must be a map, but is a list."],
    [
      "a warning that protects",
      "{ list_maybe_truncated: off }",
      "",
      "list_maybe_truncated protects the objects of this configuration. It says what the plan could not compare.\nRemove it. The warning itself says how to end it.",
    ],
    [
      "such a warning in a block",
      "{}",
      "{ created_although_rejected: off }",
      "It says what became of a write, which nothing else shows.",
    ],
  ])("%s", async ([, set, own, said]) => {
    const project = await openProject();
    project.write("outreach.yaml", one(`${URL}${own === "" ? "" : `, lint: ${own}`}`).replace("LINT", set));
    const { code, err } = await project.run("validate");
    expect([code, err.match(/^Error: /gm)?.length]).toEqual([1, 1]);
    expect(err).toContain(said);
  });

  test.for<readonly [option: string, said: string]>([
    ["no_secrt", '"no_secrt" is no rule of --lint.\nDid you mean no_secret?'],
    ["everything", "Rules: all, overlapping_webhooks, no_secret, "],
    [
      "campaign_ended",
      "campaign_ended compares what a plan reads of the service, so validate cannot check it.\nSet it under lint: in the configuration, as in campaign_ended: on",
    ],
    [
      "secret_max_age",
      "secret_max_age compares the records of the state, so validate cannot check it.\nSet it under lint: in the configuration, as in secret_max_age: 180d",
    ],
  ])("--lint %s", async ([option, said]) => {
    const project = await openProject();
    project.write("outreach.yaml", one(URL).replace("LINT", "{}"));
    const { code, out, err } = await project.run(`validate --lint ${option}`);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(said);
    expect(JSON.parse((await project.run(`validate --lint ${option} --json`)).out)).toMatchObject({
      valid: false,
      error_count: 1,
    });
  });

  test("the section in two files of a folder is one", async () => {
    const project = await openProject();
    project.write("config/a.yaml", one(URL).replace("LINT", "{ no_secret: on }"));
    project.write("config/b.yaml", "version: 1\nlint: { http: on }\n");
    expect((await project.run("validate -c config")).err).toContain(
      "lint is given in config/a.yaml:2:1 and in config/b.yaml:2:1.",
    );
  });
});

test("JSON has the ids, and a stack is checked with --lint", async () => {
  const project = await openProject();
  project.write(
    "cdktf.out/stacks/hooks/cdk.tf.json",
    stackOf(webhooks({ crm: { target_url: "https://crm.example.com/hook" } })),
  );
  const { code, out } = await project.run("validate --json --lint all -c cdktf.out/stacks/hooks");
  const { diagnostics } = JSON.parse(out) as { readonly diagnostics: readonly { readonly code: string }[] };
  expect([code, diagnostics.map((found) => found.code).toSorted()]).toEqual([0, ["all_events", "no_secret"]]);
});

test("a mistake in a rule that is named after secrets is shown", async () => {
  const project = await openProject();
  project.write(
    "outreach.yaml",
    'version: 1\nlint: { no_secret: "yes", secret: hunter2 }\nwebhooks: { a: { target_url: https://a.example.com } }\n',
  );
  const { code, err } = await project.run("validate");
  expect(code).toBe(1);
  expect(err).toContain('no_secret: "yes"');
  expect(err).not.toContain("hunter2");
});
