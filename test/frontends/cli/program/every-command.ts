import { existsSync, readdirSync } from "node:fs";
import { expect } from "vitest";
import { type Project, type Ran, oneWebhook } from "../project.ts";
import { type CommandTrials, type HappyStory, apply } from "./command-trial.ts";

export const VALID = oneWebhook(
  "target_url: https://crm.example.com/hooks",
  "outputs:\n  id: ${outreach_webhook.crm.id}\n",
);
const LOCK = {
  id: "11111111-2222",
  operation: "apply",
  who: "w",
  host: "elsewhere",
  bootId: "b",
  pid: 1,
  pidNamespace: null,
  startedAt: "1",
  since: "2026-01-01T00:00:00.000Z",
};

/** Commands on the main path. Earlier ones make what later ones need. */
const MAIN: CommandTrials = {
  version: {
    lines: ["version"],
    story: { words: "version", out: "outreach v" },
    without: { service: 0, key: 0 },
  },
  validate: {
    lines: ["validate", "validate --json"],
    story: { words: "validate", out: "valid" },
    without: { service: 0, key: 0 },
    calls: [{}],
  },
  plan: {
    lines: ["plan", "plan --json", "plan --out saved.plan"],
    story: { words: "plan", out: "Plan: 1 to add, 0 to change, 0 to destroy." },
    without: { service: 1, key: 1 },
    calls: [{}, { targets: ["outreach_webhook.crm"] }, { destroy: true }, { refresh_only: true }],
    homePaths: [
      "plan --out=~/outreach.plan",
      "plan --out=~",
      "plan --out=~ada/outreach.plan",
      "plan -c ~/outreach.yaml",
      "plan --var-file=~/prod.yaml",
    ],
    untrusted: "plan --no-secrets --json",
  },
  apply: {
    lines: ["apply saved.plan", "apply --auto-approve", "apply --auto-approve --json"],
    story: { words: "apply --auto-approve", out: "Resources: 1 added, 0 changed, 0 destroyed." },
    without: { service: 1, key: 1 },
    homePaths: ["apply --auto-approve --var-file=~/prod.yaml", "apply ~/outreach.plan"],
  },
  show: {
    lines: [
      "show",
      "show --json",
      "show --format html",
      "show saved.plan",
      "show --json saved.plan",
      "show --format markdown saved.plan",
      "show --format html saved.plan",
    ],
    story: { before: apply, words: "show", out: "hoo_000001" },
    without: { service: 0, key: 0 },
    printsPlan: "show",
  },
  output: {
    lines: ["output", "output --json"],
    story: { before: apply, words: "output id", out: "hoo_000001" },
    without: { words: "output", service: 0, key: 0 },
  },
  refresh: {
    lines: ["refresh"],
    story: { before: apply, words: "refresh", out: "No changes." },
    without: { service: 1, key: 1 },
  },
  recheck: {
    lines: ["recheck --all", "recheck --json"],
    story: { before: apply, words: "recheck", out: "Recheck complete: 0 sent, 0 unsubscribed." },
    without: { service: 1, key: 1 },
  },
  resolve: {
    lines: ["resolve outreach_webhook.a --retry"],
    fails: /./,
    story: {
      before: async (project) => {
        project.sandbox.configure({ profile: { cap: 10, offset: false } });
        for (let index = 0; index < 11; index++)
          project.sandbox.add("webhooks", { targetUrl: `https://other.example.com/${String(index)}` });
        project.sandbox.addFault({ action: { kind: "drop" }, when: "after", method: "POST" });
        expect(await apply(project)).toMatchObject({ code: 3 });
        project.sandbox.configure({ profile: { cap: null } });
      },
      words: "resolve outreach_webhook.crm --adopt hoo_000012",
      out: "hoo_000012",
    },
    without: { words: "resolve outreach_webhook.crm --retry", service: 1, key: 1 },
  },
  "force-unlock": {
    lines: ["force-unlock 6ba7b810-9dad-11d1-80b4-00c04fd430c8"],
    fails: /./,
    story: {
      before: async (project) => project.write("outreach.state.json.lock", `${JSON.stringify(LOCK)}\n`),
      words: `force-unlock --force ${LOCK.id}`,
      out: "unlocked",
    },
    without: { words: "force-unlock --force 00000000-0000-4000-8000-000000000000", service: 1, key: 1 },
  },
};

/** The first takes over what another one has dropped from the state. */
const LAST: CommandTrials = {
  import: {
    lines: ["import outreach_webhook.c ID_OF_C"],
    story: {
      before: async ({ sandbox }) =>
        sandbox.add("webhooks", { _id: "hoo_theirs", targetUrl: "https://crm.example.com/hooks" }),
      words: "import outreach_webhook.crm hoo_theirs",
      out: "hoo_theirs",
    },
    without: { words: "import outreach_webhook.crm hoo_000001", service: 1, key: 1 },
  },
  destroy: {
    lines: ["destroy --auto-approve"],
    story: { before: apply, words: "destroy --auto-approve", out: "Resources: 1 destroyed." },
    without: { service: 1, key: 1 },
  },
};

/** Commands with a folder have their trials in the folder of their tests. */
const FOLDERS = readdirSync(new URL("../../../../src/frontends/cli/commands/", import.meta.url)).filter(
  (name) => !name.endsWith(".ts"),
);

/** Where the trials of a command are. */
export function trialsFile(words: string): string {
  const [name = ""] = words.split(" ");
  return `test/frontends/cli/${FOLDERS.includes(name) ? `${name}/trials.ts` : "program/every-command.ts"}`;
}

async function trialsIn(folder: string): Promise<CommandTrials> {
  const file = new URL(`../${folder}/trials.ts`, import.meta.url);
  return existsSync(file) ? ((await import(file.href)) as { readonly TRIALS: CommandTrials }).TRIALS : {};
}

/** By command, in the order of a story with canaries. */
export const EVERY_COMMAND: CommandTrials = Object.assign(
  {},
  MAIN,
  ...(await Promise.all(FOLDERS.map(trialsIn))),
  LAST,
) as CommandTrials;

/** What prints a saved plan, which the words precede, and sends nothing. */
export const PLAN_PRINTERS = Object.values(EVERY_COMMAND).flatMap(({ printsPlan = [] }) => printsPlan);

/** Runs a story with the project's command, as a process. */
export async function runStory(project: Project, { before, words }: HappyStory): Promise<Ran> {
  project.write("outreach.yaml", VALID);
  await before?.(project);
  return project.start(words).ended;
}
