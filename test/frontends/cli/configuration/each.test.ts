import { describe, expect, test } from "vitest";
import { DEFAULT_SEED } from "../../../../src/sandbox/default-seed.ts";
import { PROFILES } from "../../../../src/sandbox/profiles.ts";
import { type Project, useProjects } from "../project.ts";
import { NO_CHANGES, NO_STATE_YET } from "../no-changes.ts";

const openProject = useProjects();

const LIVE = "data:\n  campaigns:\n    live: { status: running }\n";
const Q3 = "data:\n  campaign: { q3: { name: Q3 launch } }\n";
const HOOK = "https://crm.example.com/hook";

function crm(body: string, rest = ""): string {
  return `version: 1\n${rest}webhooks:\n  crm:\n${body
    .split("\n")
    .map((line) => `    ${line}\n`)
    .join("")}`;
}

const urls = (project: Project): readonly string[] =>
  project.sandbox
    .webhooks()
    .map(({ targetUrl }) => targetUrl)
    .toSorted();
const writesOf = (sent: readonly string[]): readonly string[] => sent.filter((line) => !line.startsWith("GET"));

async function applied(body: string, rest = ""): Promise<Project> {
  const project = await openProject();
  project.write("outreach.yaml", crm(body, rest));
  expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0, err: NO_STATE_YET });
  return project;
}

describe("each gives every webhook of a fan-out a URL of its own", () => {
  test.each([
    [
      "each.type",
      "types: [emailsSent, emailsBounced]",
      "?event=${each.type}",
      "",
      ["?event=emailsBounced", "?event=emailsSent"],
    ],
    [
      "each.campaign_id",
      "campaigns: live",
      "/${each.campaign_id}",
      LIVE,
      ["/cam_000001", "/cam_000002", "/cam_000007"],
    ],
    ["each.key", "types: [emailsSent]\ncampaigns: [q3]", "?of=${each.key}", Q3, ["?of=emailsSent/cam_000001"]],
    [
      "both",
      "types: [emailsSent]\ncampaigns: [q3]",
      "/${each.campaign_id}?event=${upper(each.type)}",
      Q3,
      ["/cam_000001?event=EMAILSSENT"],
    ],
  ])("by %s", async (_name, fanOut, end, rest, ends) => {
    const project = await applied(`target_url: ${HOOK}${end}\n${fanOut}`, rest);
    expect(urls(project)).toEqual(ends.map((one) => `${HOOK}${one}`));
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, err: "", out: NO_CHANGES });
  });

  test("so a service with one webhook per URL takes them all; without it, only the first", async () => {
    const outcome = async (end: string): Promise<readonly [number | null, number]> => {
      const project = await openProject({ ...PROFILES.published, seed: DEFAULT_SEED });
      const before = project.sandbox.webhooks().length;
      project.write(
        "outreach.yaml",
        crm(`target_url: ${HOOK}${end}\ntypes: [emailsSent, emailsBounced, emailsReplied]`),
      );
      const { code } = await project.run("apply --auto-approve");
      return [code, project.sandbox.webhooks().length - before];
    };
    expect(await outcome("?event=${each.type}")).toEqual([0, 3]);
    const [code, created] = await outcome("");
    expect([code === 0, created]).toEqual([false, 1]);
  });

  test("and an automation id and a secret; explain shows them", async () => {
    const project = await openProject();
    for (const type of ["emailsSent", "emailsBounced"]) project.environment[`HOOK_${type}`] = `the secret of ${type}`;
    project.write(
      "outreach.yaml",
      crm(
        `target_url: ${HOOK}?e=\${each.type}\ntypes: [emailsSent, emailsBounced]\nautomation_id: a-\${each.type}\nsecret: { env: "HOOK_\${each.type}" }`,
      ),
    );
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0, err: NO_STATE_YET });
    // Both are created at once, so their order is the service's.
    const created = project.sandbox
      .webhooks()
      .map(({ type, secret, automationId }) => [type, secret, automationId].join(", "));
    expect(created.toSorted()).toEqual(
      ["emailsBounced", "emailsSent"].map((type) => `${type}, the secret of ${type}, a-${type}`),
    );
    const { out } = await project.run(`explain outreach_webhook.crm["emailsSent"]`);
    expect(out).toContain(`target_url    = "${HOOK}?e=emailsSent"`);
    expect(out).toContain("secret        = from the environment variable HOOK_emailsSent");
    project.environment["HOOK_emailsSent"] = "another";
    const { sent } = await project.run("apply --auto-approve");
    expect(writesOf(sent)).toHaveLength(2);
  });

  test("from a file below the configuration", async () => {
    const project = await openProject();
    project.write("secrets/emailsSent", "a secret in a file\n");
    project.write(
      "outreach.yaml",
      crm(`target_url: ${HOOK}\ntypes: [emailsSent]\nsecret: { file: "secrets/\${each.type}" }`),
    );
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
    expect(project.sandbox.webhooks().map(({ secret }) => secret)).toEqual(["a secret in a file"]);
  });

  test("a webhook that is kept after its campaign left the filter keeps its URL", async () => {
    const project = await applied(`target_url: ${HOOK}?c=\${each.campaign_id}\ncampaigns: live`, LIVE);
    project.sandbox.change("campaigns", "cam_000002", { status: "paused" });
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, out: NO_CHANGES });
  });
});

describe("a change of the fan-out", () => {
  test("moves a webhook whose URL stays the same", async () => {
    const project = await applied(`target_url: ${HOOK}?event=emailsSent\ntype: emailsSent\ncampaign_id: cam_000001`);
    const shapes = [
      [`types: [emailsSent]\ncampaign_id: cam_000001`, "", '["emailsSent"]'],
      [`types: [emailsSent]\ncampaigns: [q3]`, Q3, '["emailsSent/cam_000001"]'],
    ] as const;
    for (const [fanOut, rest, key] of shapes) {
      project.write("outreach.yaml", crm(`target_url: ${HOOK}?event=\${each.type}\n${fanOut}`, rest));
      const { code, out, sent } = await project.run("apply --auto-approve");
      expect([code, writesOf(sent)]).toEqual([0, []]);
      expect(out).toContain(` has moved to outreach_webhook.crm${key}\n`);
    }
    expect(urls(project)).toEqual([`${HOOK}?event=emailsSent`]);
  });

  test("replaces one whose URL contains the key, which differs now", async () => {
    const project = await applied(`target_url: ${HOOK}?of=\${each.key}\ntypes: [emailsSent]\ncampaign: q3`, Q3);
    project.write(
      "outreach.yaml",
      crm(`target_url: ${HOOK}?of=\${each.key}\ntypes: [emailsSent]\ncampaigns: [q3]`, Q3),
    );
    const { out } = await project.run("plan");
    expect(out).toContain("Plan: 1 to add, 0 to change, 1 to destroy.");
  });
});

describe("what each cannot say is reported where it stands, before any request", () => {
  const AVAILABLE = "this block fans out over type, so it has each.type and each.key.";
  const NONE = "only a block with a fan-out has each.";
  test.each([
    [
      "without a fan-out",
      `target_url: ${HOOK}?e=\${each.type}\ntype: emailsSent`,
      4,
      50,
      `each.type has no value here: ${NONE}`,
      "set types in the block",
    ],
    [
      "in a secret without a fan-out",
      `target_url: ${HOOK}\nsecret: { env: "H_\${each.type}" }`,
      5,
      25,
      `each.type has no value here: ${NONE}`,
      "set types",
    ],
    [
      "a campaign where only types fan out",
      `target_url: ${HOOK}?c=\${each.campaign_id}\ntypes: [emailsSent]`,
      4,
      50,
      AVAILABLE,
      "set campaigns in the block",
    ],
    [
      "in the secret of a fan-out",
      `target_url: ${HOOK}\ntypes: [emailsSent]\nsecret: { env: "H_\${each.campaign_id}" }`,
      6,
      25,
      AVAILABLE,
      "set campaigns",
    ],
    [
      "as in Terraform",
      `target_url: ${HOOK}?c=\${each.value}\ntypes: [emailsSent]`,
      4,
      50,
      AVAILABLE,
      "A fan-out is a block with types, campaigns or emails.",
    ],
    [
      "while a filter is not read yet",
      `target_url: ${HOOK}?c=\${each.value}\ncampaigns: live`,
      7,
      50,
      "over campaign_id, so it has each.campaign_id and each.key.",
      "A fan-out",
    ],
  ])("%s", async (name, body, line, column, detail, hint) => {
    const project = await openProject();
    project.write("outreach.yaml", crm(body, name.includes("filter") ? LIVE : ""));
    const { code, err } = await project.run("validate");
    expect([code, err.match(/^Error: .*$/gm)]).toEqual([1, ["Error: Invalid reference [reference_invalid]"]]);
    expect(err).toContain(`on outreach.yaml:${String(line)}:${String(column)}, in outreach_webhook.crm\n`);
    expect(err.replaceAll(/\s+/g, " ")).toContain(detail);
    expect(err).toContain(hint);
    expect(err).not.toContain("for_each");
  });

  test("a value that is not valid is reported once for all instances", async () => {
    const project = await openProject();
    project.write(
      "outreach.yaml",
      crm("target_url: ftp://crm.example.com/${each.type}\ntypes: [emailsSent, emailsBounced]"),
    );
    const { code, err } = await project.run("validate");
    expect([code, err.match(/^Error: .*$/gm)?.length]).toEqual([1, 1]);
    expect(err).toContain("on outreach.yaml:4:17, in outreach_webhook.crm");
  });
});

describe("secrets of instances stay secret", () => {
  test("an instance's variable must not be the API key", async () => {
    const project = await openProject();
    const env = 'OUTREACH_API_${each.type == "emailsSent" ? "KEY" : "OTHER"}';
    project.write(
      "outreach.yaml",
      crm(`target_url: ${HOOK}\ntypes: [emailsSent, emailsBounced]\nsecret: { env: '${env}' }`),
    );
    const { code, err, sent } = await project.run("plan");
    expect([code, writesOf(sent)]).toEqual([1, []]);
    expect(err).toContain("Error: API key used as a webhook's secret [secret_is_key]\n\n  on outreach.yaml:");
  });

  test("a name without a fixed part could be any variable", async () => {
    const project = await openProject();
    project.write("outreach.yaml", crm(`target_url: ${HOOK}\ntypes: [emailsSent]\nsecret: { env: "\${each.type}" }`));
    const { code, err } = await project.run("validate");
    expect(code).toBe(1);
    expect(err).toContain("Write a common prefix: env: HOOK_SECRET_${each.type}.");
  });

  test("a command for a secret sees no key of another team, and no place that may hold a password", async () => {
    const project = await openProject({ realProcess: "the command of a secret" });
    Object.assign(project.environment, { OUTREACH_API_KEY_EAST: "key-of-east", OUTREACH_TIMEOUT: "30s" });
    project.environment["OUTREACH_JOURNAL"] = "postgres://ada:pass-word@db.example.com/x";
    const echo = `echo "[$OUTREACH_API_KEY$OUTREACH_API_KEY_EAST$OUTREACH_JOURNAL$OUTREACH_STATE] $OUTREACH_TIMEOUT"`;
    project.write("secret.sh", echo);
    project.write("outreach.yaml", crm(`target_url: ${HOOK}\nsecret: { command: [sh, secret.sh] }`));
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
    expect(project.sandbox.webhooks().map(({ secret }) => secret)).toEqual(["[] 30s"]);
  });

  test("a command for another secret does not see them", async () => {
    const project = await openProject({ realProcess: "the command of a secret" });
    project.environment["HOOK_emailsSent"] = "hidden-from-commands";
    project.environment["HOME_OF_HOOKS"] = "seen";
    project.write(
      "outreach.yaml",
      `${crm(`target_url: ${HOOK}\ntypes: [emailsSent]\nsecret: { env: "HOOK_\${each.type}" }`)}  other:\n    target_url: https://other.example.com/\n    secret: { command: [sh, -c, 'echo "$HOOK_emailsSent-$HOME_OF_HOOKS-secret"'] }\n`,
    );
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
    expect(project.sandbox.webhooks().map(({ secret }) => secret)).toEqual(
      expect.arrayContaining(["hidden-from-commands", "-seen-secret"]),
    );
  });
});
