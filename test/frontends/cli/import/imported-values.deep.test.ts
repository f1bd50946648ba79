import { describe, expect, test } from "vitest";
import { lettingGo } from "../../generate/handover.ts";
import { type Project, useProjects } from "../project.ts";

const openProject = useProjects();

/** The value that is declared late, by the name of its attribute; each is declared on a webhook of its own, which has that name. */
const LATE = {
  type: "emailsReplied",
  campaign_id: "cam_000001",
  is_first: true,
  automation_id: "7",
  secret: "a-late-secret",
} as const;
type Name = keyof typeof LATE;
const NAMES = Object.keys(LATE) as readonly Name[];
const STACK = "cdktf.out/stacks/hooks";

/** Names of blocks, and which of them declare their late value. */
interface Declared {
  readonly late?: readonly Name[];
  readonly prefix?: string;
  /** Further blocks of the file. */
  readonly rest?: string;
}

function urlOf(name: Name): string {
  return `https://${name.replaceAll("_", "-")}.example.com/hook`;
}

function yaml({ late = [], prefix = "", rest = "" }: Declared = {}): string {
  const webhooks = NAMES.map((name) => {
    const value = late.includes(name)
      ? `, ${name}: ${name === "secret" ? "{ env: LATE_SECRET }" : JSON.stringify(LATE[name])}`
      : "";
    return `  ${prefix}${name}: { target_url: ${urlOf(name)}${value} }\n`;
  });
  return `version: 1\nlimits: { replace: 100% }\n${rest}webhooks:\n${webhooks.join("")}`;
}

function stack({ late = [], rest = "" }: Declared = {}): string {
  const webhooks = NAMES.map((name) => {
    const value = late.includes(name) ? { [name]: name === "secret" ? "${var.late_secret}" : LATE[name] } : {};
    return [name, { "//": { metadata: { path: `hooks/${name}`, uniqueId: name } }, target_url: urlOf(name), ...value }];
  });
  return JSON.stringify({
    "//": { metadata: { backend: "local", stackName: "hooks", version: "0.21.0" }, outputs: {} },
    provider: { outreach: [{}] },
    resource: { outreach_webhook: Object.fromEntries(webhooks) as object },
    terraform: { required_providers: { outreach: { source: "outreach-as-code/outreach", version: "0.1.0" } } },
    ...(late.includes("secret") ? { variable: { late_secret: { sensitive: true, type: "string" } } } : {}),
    ...(JSON.parse(rest === "" ? "{}" : rest) as object),
  });
}

/** Webhooks that somebody made: the list shows of them no more than the URL. */
async function withWebhooks(): Promise<Project> {
  const project = await openProject();
  Object.assign(project.environment, { LATE_SECRET: LATE.secret, TF_VAR_late_secret: LATE.secret });
  for (const name of NAMES) project.sandbox.add("webhooks", { _id: `hoo_${name}`, targetUrl: urlOf(name) });
  return project;
}

async function done(project: Project, line: string): Promise<string> {
  const { code, out, err } = await project.run(line);
  expect([line, code], err).toEqual([line, 0]);
  return out;
}

const importsOf = (prefix = ""): string =>
  `imports:\n${NAMES.map((name) => `  - { to: outreach_webhook.${prefix}${name}, id: hoo_${name} }\n`).join("")}`;

const STACK_IMPORTS = JSON.stringify({
  import: NAMES.map((name) => ({ to: `outreach_webhook.${name}`, id: `hoo_${name}` })),
});

async function importEach(project: Project, options = ""): Promise<void> {
  for (const name of NAMES) await done(project, `import outreach_webhook.${name} hoo_${name}${options}`);
}

/** How webhooks come under management, without a request. What follows is one apply with the same declarations, which changes nothing. */
interface Way {
  readonly take: (project: Project) => Promise<void>;
  /** Where the configuration is, and what declares in it. */
  readonly config?: string;
  readonly write?: (given: Declared) => string;
  /** What the list shows of all, because it has a webhook with a type and a campaign. */
  readonly observed?: readonly Name[];
}

const yamlFile = (project: Project, given: Declared = {}): void => project.write("outreach.yaml", yaml(given));
const stackFile = (project: Project, given: Declared = {}): void => project.write(`${STACK}/cdk.tf.json`, stack(given));

const WAYS: { readonly [way: string]: Way } = {
  "imports:": {
    take: async (project) => {
      yamlFile(project, { rest: importsOf() });
      expect(await done(project, "apply --auto-approve")).toContain("Resources: 5 imported, ");
    },
  },
  "outreach import": {
    take: async (project) => {
      yamlFile(project);
      await importEach(project);
      await done(project, "apply --auto-approve");
    },
  },
  "outreach import, and a saved plan without changes": {
    take: async (project) => {
      yamlFile(project);
      await importEach(project);
      await done(project, "plan --out saved.plan");
      await done(project, "apply saved.plan");
    },
  },
  "--adopt": {
    observed: ["type", "campaign_id"],
    take: async (project) => {
      project.sandbox.add("webhooks", {
        targetUrl: "https://other.example.com/",
        type: "emailsSent",
        campaignId: "cam_000002",
      });
      yamlFile(project);
      expect(await done(project, "apply --auto-approve --adopt")).toContain("Resources: 5 imported, ");
    },
  },
  generate: {
    take: async (project) => {
      const generated = await done(project, "generate");
      project.write("outreach.yaml", generated);
      expect(await done(project, "apply --auto-approve")).toContain("Resources: 5 imported, ");
      // The generated names come from the URLs.
      const blocks = generated.matchAll(/^ {2}([\w-]+):\n {4}target_url: https:\/\/([a-z-]+)\./gm);
      const moves = [...blocks]
        .map(([, from = "", host = ""]) => [from, host.replaceAll("-", "_")] as const)
        .filter(([from, to]) => from !== to);
      yamlFile(project, {
        rest: `moved:\n${moves.map(([from, to]) => `  - { from: outreach_webhook.${from}, to: outreach_webhook.${to} }\n`).join("")}`,
      });
      await done(project, "apply --auto-approve");
    },
  },
  "state rm, and another import": {
    take: async (project) => {
      yamlFile(project, { late: NAMES });
      await importEach(project);
      await done(project, "apply --auto-approve");
      for (const name of NAMES) await done(project, `state rm outreach_webhook.${name}`);
      yamlFile(project);
      await importEach(project);
      await done(project, "apply --auto-approve");
    },
  },
  "other addresses before: moved and state mv": {
    take: async (project) => {
      yamlFile(project, { prefix: "old_", rest: importsOf("old_") });
      await done(project, "apply --auto-approve");
      await done(project, "state mv outreach_webhook.old_secret outreach_webhook.secret");
      const moved = NAMES.filter((name) => name !== "secret").map(
        (name) => `  - { from: outreach_webhook.old_${name}, to: outreach_webhook.${name} }\n`,
      );
      yamlFile(project, { rest: `moved:\n${moved.join("")}` });
      await done(project, "apply --auto-approve");
    },
  },
  "imports of a stack": {
    config: STACK,
    write: stack,
    take: async (project) => {
      stackFile(project, { rest: STACK_IMPORTS });
      expect(await done(project, `apply --auto-approve -c ${STACK}`)).toContain("Resources: 5 imported, ");
    },
  },
  "outreach import into a stack": {
    config: STACK,
    write: stack,
    take: async (project) => {
      stackFile(project);
      await importEach(project, ` -c ${STACK}`);
      await done(project, `apply --auto-approve -c ${STACK}`);
    },
  },
  "YAML that a stack was written from": {
    config: STACK,
    write: stack,
    take: async (project) => {
      yamlFile(project, { rest: importsOf() });
      await done(project, "apply --auto-approve");
      const { err } = await project.run("generate --from-state --to hcl");
      project.write("outreach.yaml", `version: 1\n${lettingGo(err)}`);
      expect(await done(project, "apply --auto-approve")).toContain("5 to forget.");
      stackFile(project, { rest: STACK_IMPORTS });
      expect(await done(project, `apply --auto-approve -c ${STACK}`)).toContain("Resources: 5 imported, ");
    },
  },
};

describe("a value that is declared after the import was applied is sent", () => {
  test.each(Object.entries(WAYS))(
    "%s",
    { timeout: 60_000 },
    async (_, { take, config = "outreach.yaml", write = yaml, observed = [] }) => {
      const project = await withWebhooks();
      await take(project);
      const of = `-c ${config} --allow-replaces`;
      const writes = () => project.sandbox.requests().filter(({ method }) => method !== "GET");
      const settled = project.files();
      expect(await done(project, `apply --auto-approve ${of}`)).toContain("No changes.");
      expect(project.files(), "an apply without changes leaves the state as it is").toEqual(settled);
      expect(writes()).toEqual([]);

      project.write(config === STACK ? `${STACK}/cdk.tf.json` : config, write({ late: NAMES }));
      const plan = await done(project, `plan ${of}`);
      expect(plan).toContain("Plan: 5 to add, 0 to change, 5 to destroy.");
      for (const name of NAMES) {
        const reason = `  # outreach_webhook.${name} must be replaced\n  # (${name} was not declared at the import, and the service does not show it: only a replace sends it)\n`;
        if (observed.includes(name)) expect(plan).not.toContain(reason);
        else expect(plan).toContain(reason);
      }
      const secretless = await project.run(`plan --no-secrets ${of}`);
      expect(secretless.out, secretless.err).toContain("Plan: 5 to add, 0 to change, 5 to destroy.");
      await done(project, `apply --auto-approve ${of}`);
      const live = project.sandbox
        .webhooks()
        .filter(({ targetUrl }) => NAMES.some((name) => urlOf(name) === targetUrl));
      const sent = {
        type: "type",
        campaign_id: "campaignId",
        is_first: "isFirst",
        automation_id: "automationId",
        secret: "secret",
      } as const;
      expect(live).toHaveLength(NAMES.length);
      for (const name of NAMES)
        expect(live.find(({ targetUrl }) => targetUrl === urlOf(name))).toMatchObject({ [sent[name]]: LATE[name] });
      expect(await done(project, `plan ${of}`)).toContain("No changes.");
    },
  );
});

describe("a value that is declared before the first apply is recorded without a request", () => {
  const ASSUMED = "Note: Secret assumed, not verified [secret_assumed]\n\n  with outreach_webhook.secret\n";

  test.each([
    ["in the import", { first: NAMES, isChange: false }],
    ["after outreach import, though a refresh, a plan and a partial apply came first", { first: [], isChange: true }],
  ])("%s", async (_, { first, isChange }) => {
    const project = await withWebhooks();
    yamlFile(project, { late: first });
    await importEach(project);
    if (isChange)
      for (const line of ["refresh", "plan", "apply --auto-approve --target outreach_webhook.type"])
        await done(project, line);
    // The partial apply was one: it is over for its target alone.
    const names = isChange ? NAMES.filter((name) => name !== "type") : NAMES;
    yamlFile(project, { late: names });
    const applied = await project.run("apply --auto-approve");
    expect(applied.out, applied.err).toContain(isChange ? "Plan: 0 to add, 4 to change, 0 to destroy." : "No changes.");
    expect(applied.err).toContain(ASSUMED);
    expect(applied.sent).toEqual(["GET /hooks 200"]);
    const again = await project.run("plan");
    expect(again.out, again.err).toContain("No changes.");
    expect(again.err).toContain(ASSUMED);
    // From now on every change replaces.
    yamlFile(project, { late: isChange ? NAMES : [] });
    const plan = await done(project, "plan");
    if (isChange)
      expect(plan).toContain("  # outreach_webhook.type must be replaced\n  # (type was not declared at the import");
    else expect(plan).toContain("Plan: 5 to add, 0 to change, 5 to destroy.");
  });
});
