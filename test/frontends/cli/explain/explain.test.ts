import { describe, expect, test } from "vitest";
import { parseListProfile } from "../../../../src/sandbox/list-profile.ts";
import { type Project, type Ran, oneWebhook, useProjects } from "../project.ts";

const openProject = useProjects();
/** The members of the document, in their order. */
const MEMBERS = "format_version outreach_version address type declared recorded live decision apply diagnostics".split(
  " ",
);

const BODY = "target_url: https://crm.example.com/hooks\ntype: emailsReplied\nsecret: { env: S }";
const CRM = "outreach_webhook.crm";

interface Explained {
  readonly address: string;
  readonly declared: { readonly place: object; readonly values: object; readonly secrets: object } | null;
  readonly recorded: { readonly id: string | null; readonly values: object } | null;
  readonly live: {
    readonly id: string | null;
    readonly list_complete: boolean;
    readonly unobserved: readonly string[];
    readonly identical_unmanaged: readonly string[];
  } | null;
  readonly decision: {
    readonly steps: readonly { readonly action: string }[];
    readonly reasons: readonly { readonly code: string; readonly attribute?: string }[];
    readonly undecided: boolean;
    readonly blocked: boolean;
  };
  readonly apply: string;
  readonly diagnostics: readonly { readonly summary: string }[];
}

/** Runs explain, which must write nothing anywhere, and reads the document that it prints. */
async function explain(project: Project, words: string): Promise<Explained & { readonly ran: Ran }> {
  const before = project.files();
  const ran = await project.run(`explain --json ${words}`);
  expect(project.files()).toEqual(before);
  expect(ran.sent.filter((request) => !request.startsWith("GET "))).toEqual([]);
  const document = JSON.parse(ran.out) as Explained;
  expect(Object.keys(document).filter((name) => name !== "names")).toEqual(MEMBERS);
  return { ...document, ran };
}

const actionsOf = ({ decision }: Explained): readonly string[] => decision.steps.map(({ action }) => action);
const codesOf = ({ decision }: Explained): readonly string[] => decision.reasons.map(({ code }) => code);

async function applied(body = BODY, rest = ""): Promise<Project> {
  const project = await openProject();
  project.environment["S"] = "first-secret-value";
  project.write("outreach.yaml", oneWebhook(body, rest));
  expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
  return project;
}

const ID = (project: Project): string => String(project.sandbox.webhooks()[0]?._id);

interface Case {
  readonly name: string;
  readonly body?: string;
  readonly change: (project: Project) => unknown;
  readonly words?: string;
  readonly actions: readonly string[];
  readonly codes: readonly string[];
  readonly apply: RegExp;
}

const CASES: readonly Case[] = [
  {
    name: "nothing to change",
    change: () => undefined,
    actions: ["keep"],
    codes: ["matches", "unobserved"],
    apply: /does nothing/,
  },
  {
    name: "a changed attribute",
    change: (project) => project.write("outreach.yaml", oneWebhook(BODY.replace("emailsReplied", "emailsSent"))),
    actions: ["replace"],
    codes: ["changed", "unobserved"],
    apply: /deletes hoo_\w+, then creates a new webhook\. In between no events are delivered/,
  },
  {
    name: "a changed attribute, created first",
    body: `${BODY}\nrotation: create_first`,
    change: (project) =>
      project.write(
        "outreach.yaml",
        oneWebhook(`${BODY.replace("emailsReplied", "emailsSent")}\nrotation: create_first`),
      ),
    actions: ["replace"],
    codes: ["changed", "unobserved"],
    apply: /creates a new webhook, then deletes hoo_\w+\. In between each event is delivered twice/,
  },
  {
    name: "a changed secret",
    change: (project) => (project.environment["S"] = "second-secret-value"),
    actions: ["replace"],
    codes: ["secret_changed"],
    apply: /deletes/,
  },
  {
    name: "a changed secret that is not compared",
    change: (project) => (project.environment["S"] = "second-secret-value"),
    words: "--no-secrets",
    actions: ["keep"],
    codes: ["matches", "unobserved", "secret_not_checked"],
    apply: /does nothing/,
  },
  {
    name: "a value that was changed by hand",
    change: (project) => {
      const [webhook] = project.sandbox.webhooks();
      project.sandbox.remove("webhooks", ID(project));
      project.sandbox.add("webhooks", { ...webhook, type: "emailsOpened" } as never);
    },
    actions: ["replace"],
    codes: ["drifted", "unobserved"],
    apply: /deletes/,
  },
  {
    name: "a webhook that was deleted by hand",
    change: (project) => project.sandbox.remove("webhooks", ID(project)),
    actions: ["create"],
    codes: ["missing", "unobserved"],
    apply: /creates the webhook/,
  },
  {
    name: "a setting of ours",
    change: (project) => project.write("outreach.yaml", oneWebhook(`${BODY}\nprotect: true`)),
    actions: ["update-state"],
    codes: ["setting_changed", "unobserved"],
    apply: /changes only the state/,
  },
  {
    name: "a block that is gone",
    change: (project) => project.write("outreach.yaml", "version: 1\n"),
    actions: ["delete"],
    codes: ["not_declared", "unobserved"],
    apply: /deletes hoo_/,
  },
  {
    name: "a block that is gone, and its webhook too",
    change: (project) => {
      project.sandbox.remove("webhooks", ID(project));
      project.write("outreach.yaml", "version: 1\n");
    },
    actions: ["forget"],
    codes: ["gone", "unobserved"],
    apply: /removes the record/,
  },
  {
    name: "a block that is released",
    change: (project) => project.write("outreach.yaml", `version: 1\nremoved: [{ from: ${CRM}, destroy: false }]\n`),
    actions: ["forget"],
    codes: ["released", "unobserved"],
    apply: /removes the record/,
  },
  {
    name: "a protected webhook",
    body: `${BODY}\nprotect: true`,
    change: (project) =>
      project.write("outreach.yaml", oneWebhook(`${BODY.replace("emailsReplied", "emailsSent")}\nprotect: true`)),
    actions: [],
    codes: ["protected", "unobserved"],
    apply: /does nothing: the plan has errors/,
  },
];

describe("explain tells what the plan decides at one address, and why", () => {
  test.each(CASES)("$name", async ({ body, change, words = "", actions, codes, apply }) => {
    const project = await applied(body);
    change(project);
    const explained = await explain(project, `${CRM} ${words}`);
    expect({ actions: actionsOf(explained), codes: codesOf(explained), code: explained.ran.code }).toEqual({
      actions,
      codes,
      code: 0,
    });
    expect(explained.apply).toMatch(apply);
    expect(explained.ran.out).not.toMatch(/first-secret-value|second-secret-value/);
  });

  test("before the first apply", async () => {
    const project = await openProject();
    project.write("outreach.yaml", oneWebhook(BODY));
    project.environment["S"] = "first-secret-value";
    const explained = await explain(project, CRM);
    expect(codesOf(explained)).toEqual(["not_recorded"]);
    expect(explained).toMatchObject({
      declared: {
        place: { file: "outreach.yaml", line: 3, column: 3 },
        values: { type: "emailsReplied" },
        secrets: { secret: { source: "env", name: "S" } },
      },
      recorded: null,
      live: { id: null, list_complete: true, identical_unmanaged: [] },
    });
  });

  test("an identical unmanaged webhook is named, with the ways on", async () => {
    const project = await openProject();
    project.write("outreach.yaml", oneWebhook("target_url: https://crm.example.com/hooks"));
    project.sandbox.add("webhooks", { _id: "hoo_other", targetUrl: "https://crm.example.com/hooks" });
    const explained = await explain(project, CRM);
    expect(explained).toMatchObject({
      live: { identical_unmanaged: ["hoo_other"] },
      decision: { steps: [], blocked: true },
    });
    expect(codesOf(explained)).toEqual(["diagnosed"]);
    expect(explained.diagnostics).toMatchObject([
      {
        summary: "An identical unmanaged webhook exists",
        detail: expect.stringContaining(`outreach import ${CRM} hoo_other`) as string,
      },
    ]);
  });

  test("an imported webhook, whose secret is assumed", async () => {
    const project = await openProject();
    project.environment["S"] = "first-secret-value";
    project.sandbox.add("webhooks", {
      _id: "hoo_old",
      targetUrl: "https://crm.example.com/hooks",
      type: "emailsReplied",
    });
    project.write("outreach.yaml", oneWebhook(BODY, `imports: [{ to: ${CRM}, id: hoo_old }]\n`));
    const before = await explain(project, CRM);
    expect([actionsOf(before), codesOf(before), before.live?.id]).toEqual([["adopt"], ["imported"], "hoo_old"]);
    await project.run("apply --auto-approve");
    expect(codesOf(await explain(project, CRM))).toEqual(["matches", "assumed"]);
  });

  test("an imported webhook, whose secret is declared before and after the first apply", async () => {
    const project = await openProject();
    project.environment["S"] = "first-secret-value";
    project.sandbox.add("webhooks", {
      _id: "hoo_old",
      targetUrl: "https://crm.example.com/hooks",
      type: "emailsReplied",
    });
    const without = oneWebhook("target_url: https://crm.example.com/hooks\ntype: emailsReplied");
    project.write("outreach.yaml", without);
    await project.run(`import ${CRM} hoo_old`);
    project.write("outreach.yaml", oneWebhook(BODY));
    const before = await explain(project, CRM);
    expect([actionsOf(before), codesOf(before)]).toEqual([["update-state"], ["unobserved"]]);
    project.write("outreach.yaml", without);
    await project.run("apply --auto-approve");
    project.write("outreach.yaml", oneWebhook(BODY));
    const after = await explain(project, CRM);
    expect([actionsOf(after), codesOf(after)]).toEqual([["replace"], ["undeclared_at_import"]]);
  });

  test("a moved webhook is found at either address", async () => {
    const project = await applied();
    project.write(
      "outreach.yaml",
      oneWebhook(BODY, `moved: [{ from: ${CRM}, to: outreach_webhook.sales }]\n`).replace("  crm:", "  sales:"),
    );
    for (const address of [CRM, "outreach_webhook.sales"]) {
      const explained = await explain(project, address);
      expect(explained).toMatchObject({ address: "outreach_webhook.sales", recorded: { address: CRM } });
      expect(codesOf(explained)).toContain("moved");
    }
  });

  test("an error elsewhere in the plan, and a guard, block the address too", async () => {
    const project = await applied();
    project.write("outreach.yaml", oneWebhook(BODY.replace("emailsReplied", "emailsSent"), "limits: { replace: 0 }\n"));
    const explained = await explain(project, CRM);
    expect([actionsOf(explained), codesOf(explained)]).toEqual([
      ["replace"],
      ["changed", "unobserved", "plan_blocked"],
    ]);
    expect(explained).toMatchObject({
      decision: { blocked: true },
      diagnostics: [{ summary: "More replaces than allowed" }],
    });
  });

  test("an undecided outcome has exit code 3 and its ways out", async () => {
    const project = await openProject();
    project.write("outreach.yaml", oneWebhook("target_url: https://crm.example.com/hooks"));
    project.sandbox.addFault({ action: { kind: "drop" }, when: "before", method: "POST" });
    project.sandbox.addFault({
      action: { kind: "answer", status: 200, body: '"no list"' },
      operation: "listWebhooks",
      times: null,
      skip: 1,
    });
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 3 });
    project.sandbox.clearFaults();
    project.sandbox.add("webhooks", { _id: "hoo_a", targetUrl: "https://crm.example.com/hooks" });
    project.sandbox.add("webhooks", { _id: "hoo_b", targetUrl: "https://crm.example.com/hooks" });
    const explained = await explain(project, CRM);
    expect(explained).toMatchObject({ ran: { code: 3 }, decision: { undecided: true, steps: [] } });
    expect(codesOf(explained)[0]).toBe("undecided");
    expect(explained.ran.out).toContain(
      "An apply does nothing at this address until the outcome is resolved. It applies the other addresses.",
    );
    expect(explained.ran.out).toContain(`outreach resolve ${CRM} --adopt hoo_a`);
  });

  test("a list that may be truncated leaves it open whether a webhook is missing", async () => {
    const { profile } = parseListProfile("no-offset,cap=10");
    const project = await openProject({ profile });
    const hooks = Array.from(
      { length: 11 },
      (_, index) => `  w${String(index)}: { target_url: 'https://x.example.com/${String(index)}' }\n`,
    );
    project.write("outreach.yaml", `version: 1\nwebhooks:\n${hooks.join("")}`);
    await project.run("apply --auto-approve");
    const last = project.sandbox.webhooks().at(-1);
    const name = `outreach_webhook.w${String(last?.targetUrl.split("/").at(-1))}`;
    const explained = await explain(project, name);
    expect(explained).toMatchObject({
      live: { id: null, list_complete: false },
      diagnostics: [{ summary: "A webhook is missing from a list that may be truncated" }],
    });
    expect(codesOf(explained)).toEqual(["matches"]);
  });
});

describe("what explain shows of values", () => {
  test("a sensitive variable stays hidden everywhere", async () => {
    const project = await openProject();
    project.write(
      "outreach.yaml",
      oneWebhook("target_url: https://crm.example.com/${var.token}", "variables:\n  token: { sensitive: true }\n"),
    );
    project.environment["OUTREACH_VAR_token"] = "token-in-the-path";
    await project.run("apply --auto-approve");
    const explained = await explain(project, CRM);
    const { out } = await project.run(`explain ${CRM}`);
    expect(`${explained.ran.out}${out}`).not.toContain("token-in-the-path");
    expect(out).toContain("(sensitive value) (host crm.example.com)");
    expect(explained.decision.reasons).toContainEqual(
      expect.objectContaining({ code: "masked", attribute: "target_url" }),
    );
  });

  test("an unsubscription is masked, found by its masked form, and never repeated", async () => {
    const project = await openProject();
    project.sandbox.add("leads", { campaignId: "cam_000001", email: "ada@leads.example" });
    project.write(
      "outreach.yaml",
      "version: 1\nlead_unsubscriptions:\n  stop: { campaign_id: cam_000001, emails: [ada@leads.example, bob@leads.example] }\n",
    );
    await project.run("apply --auto-approve");
    const { out } = await project.run("state list");
    const [masked = ""] = out.split("\n").filter((line) => line.includes("a***"));
    const explained = await explain(project, `'${masked}'`);
    expect(explained).toMatchObject({ address: masked, live: null, recorded: { values: { outcome: "unsubscribed" } } });
    expect(codesOf(explained)).toEqual(["matches"]);
    expect(explained.ran.out).not.toContain("ada@");
    expect((await project.run(`explain --show-emails '${masked}'`)).out).toContain("ada@leads.example");
  });

  test("what the service does not return is named", async () => {
    const project = await applied();
    const explained = await explain(project, CRM);
    expect(explained.live?.unobserved).toEqual(expect.arrayContaining(["secret", "is_first", "automation_id"]));
    project.sandbox.configure({ profile: { fields: { type: "omitted", campaignId: "omitted" } } });
    expect((await explain(project, CRM)).live?.unobserved).toEqual(expect.arrayContaining(["type", "campaign_id"]));
  });

  test("the text has the same parts", async () => {
    const project = await applied();
    project.environment["S"] = "second-secret-value";
    const { code, out, err } = await project.run(`explain ${CRM}`);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain(`# ${CRM} must be replaced\n\nDeclared:\n  in outreach.yaml:3:3\n`);
    expect(out).toContain("secret     = from the environment variable S\n");
    expect(out).toMatch(/\nRecorded:\n {2}in outreach\.state\.json, since \d{4}-/);
    expect(out).toMatch(/\nLive:\n {2}yes, as hoo_\w+\n/);
    expect(out).toContain("\nWhy:\n  - The value of secret differs from the recorded fingerprint.");
    expect(out).toMatch(/\nApply:\n {2}.+\n$/);
  });
});

describe("an address that cannot be explained", () => {
  test.each([
    ["outreach_webhook.crn", "neither declared nor recorded", "Did you mean outreach_webhook.crm?"],
    ["nonsense", '"nonsense" is not the address of a resource', "Write TYPE.NAME"],
    ["data.outreach_campaign.q3", "is a data source", "Explain a resource"],
    [
      "outreach_webhook.audit",
      "is a block of 2 instances",
      `outreach explain 'outreach_webhook.audit["emailsBounced"]'`,
    ],
  ])("%s", async (address, detail, hint) => {
    const project = await openProject();
    project.write(
      "outreach.yaml",
      oneWebhook("target_url: https://a.example.com").concat(
        "  audit: { target_url: 'https://b.example.com', types: [emailsSent, emailsBounced] }\n",
      ),
    );
    const { code, out, err } = await project.run(`explain ${address}`);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(detail);
    expect(err).toContain(hint);
    const asJson = await project.run(`explain --json ${address}`);
    expect([asJson.code, asJson.err]).toEqual([1, ""]);
    expect(asJson.out).toContain('"type":"diagnostic"');
  });

  test("a configuration with mistakes is reported as plan reports it", async () => {
    const project = await openProject();
    project.write("outreach.yaml", oneWebhook("target_url: ftp://x"));
    const explained = await project.run(`explain ${CRM}`);
    const planned = await project.run("plan");
    expect([explained.code, explained.err]).toEqual([1, planned.err]);
  });

  test("--no-secrets runs no command, and takes the base URL from the environment alone", async () => {
    const project = await openProject();
    project.write(
      "outreach.yaml",
      oneWebhook(
        "target_url: https://a.example.com\nsecret: { command: [touch, ran] }",
        "service: { base_url: https://evil.example.com }\n",
      ),
    );
    expect((await explain(project, `${CRM} --no-secrets`)).ran.code).toBe(0);
    expect(Object.keys(project.files())).not.toContain("ran");
    const { code, err } = await project.run(`explain ${CRM} --no-secrets`, { OUTREACH_BASE_URL: undefined });
    expect([code, err]).toEqual([1, expect.stringContaining("No base URL")]);
  });
});
