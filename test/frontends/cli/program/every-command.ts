import { expect } from "vitest";
import { type Project, type Ran, oneWebhook } from "../project.ts";

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

/** What prepares the project, the words, and what stdout holds of the result. */
export interface HappyStory {
  readonly before?: (project: Project) => Promise<unknown>;
  readonly words: string;
  readonly out: string;
  /** 0 by default. */
  readonly code?: number;
}

/** What every command shows of itself: each part is for a test that runs all of them. */
interface CommandTrial {
  /** Command lines that are run with canaries: each with a service that works, and with one that answers with what it was sent. */
  readonly lines: readonly string[];
  /** What it prints once it serves: it then runs as a process until it is interrupted. */
  readonly serves?: RegExp;
  /** How it succeeds, as a process. Absent: a test of its own has it, or it needs a database. */
  readonly story?: HappyStory;
  /** The exit codes without a service that answers, and without a valid key. The words are those of the story, if it has no others. Absent: it serves, or writes into folders of the machine. */
  readonly without?: { readonly words?: string; readonly service: number; readonly key: number };
  /** What its tool is called with by agents. */
  readonly calls?: readonly { readonly [name: string]: unknown }[];
}

const apply = (project: Project): Promise<Ran> => project.run("apply --auto-approve");

/** By command, in the order of a story with canaries: earlier ones make what later ones need. */
export const EVERY_COMMAND: { readonly [words: string]: CommandTrial } = {
  version: {
    lines: ["version"],
    story: { words: "version", out: "outreach v" },
    without: { service: 0, key: 0 },
  },
  init: {
    lines: ["init -c other/outreach.yaml"],
    story: { words: "init -c new.yaml", out: "new.yaml" },
  },
  completion: {
    lines: ["completion bash"],
    story: { words: "completion bash", out: "outreach" },
  },
  events: {
    lines: ["events --json"],
    story: { words: "events", out: "emailsReplied" },
    without: { service: 0, key: 0 },
    calls: [{}],
  },
  validate: {
    lines: ["validate", "validate --json"],
    story: { words: "validate", out: "valid" },
    without: { service: 0, key: 0 },
    calls: [{}],
  },
  doctor: {
    lines: ["doctor", "doctor --json", "doctor --receivers", "doctor --receivers --allow crm.example.com --json"],
    story: { words: "doctor", out: "0 webhooks, as an array" },
    without: { service: 1, key: 1 },
  },
  plan: {
    lines: ["plan", "plan --json", "plan --out saved.plan"],
    story: { words: "plan", out: "Plan: 1 to add, 0 to change, 0 to destroy." },
    without: { service: 1, key: 1 },
    calls: [{}, { targets: ["outreach_webhook.crm"] }, { destroy: true }, { refresh_only: true }],
  },
  explain: {
    lines: ["explain outreach_webhook.a", "explain outreach_webhook.b --json"],
    story: { words: "explain outreach_webhook.crm", out: "An apply creates the webhook." },
    without: { service: 1, key: 1 },
    calls: [{ address: "outreach_webhook.crm" }],
  },
  comment: {
    lines: ["comment --dry-run saved.plan", "comment"],
    story: { words: "comment --dry-run", out: "1 to add" },
    without: { service: 1, key: 1 },
  },
  apply: {
    lines: ["apply saved.plan", "apply --auto-approve", "apply --auto-approve --json"],
    story: { words: "apply --auto-approve", out: "Resources: 1 added, 0 changed, 0 destroyed." },
    without: { service: 1, key: 1 },
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
  drift: {
    lines: ["drift", "drift --format markdown", "drift --format json"],
    story: { before: apply, words: "drift", out: "No drift." },
    without: { service: 1, key: 1 },
    calls: [{}],
  },
  audit: {
    lines: ["audit --older-than 1d", "audit --json"],
    story: { before: apply, words: "audit", out: "1 live webhook: 1 managed." },
    without: { service: 1, key: 1 },
    calls: [{ older_than_days: 1 }],
  },
  generate: {
    lines: ["generate --out generated.yaml", "generate --from-state --to hcl", "generate --from-state --to yaml"],
    story: {
      before: async ({ sandbox }) =>
        sandbox.add("webhooks", { _id: "hoo_theirs", targetUrl: "https://theirs.example.com/hooks" }),
      words: "generate",
      out: "id: hoo_theirs",
    },
    without: { service: 1, key: 1 },
  },
  resolve: {
    lines: ["resolve outreach_webhook.a --retry"],
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
  "report unsubscriptions": {
    lines: ["report unsubscriptions", "report unsubscriptions --format csv", "report unsubscriptions --format json"],
    story: { before: apply, words: "report unsubscriptions", out: "Nobody was unsubscribed" },
    without: { service: 0, key: 0 },
  },
  "state list": {
    lines: ["state list", "state list --json"],
    story: { before: apply, words: "state list", out: "outreach_webhook.crm\n" },
    without: { service: 0, key: 0 },
  },
  "state show": {
    lines: ["state show outreach_webhook.a"],
    story: { before: apply, words: "state show outreach_webhook.crm", out: "hoo_000001" },
    without: { service: 0, key: 0 },
  },
  "state lock": {
    lines: ["state lock", "state lock --json"],
    story: { before: apply, words: "state lock", out: "is not locked" },
    without: { service: 0, key: 0 },
  },
  "state pull": {
    lines: ["state pull", "state pull --show-emails"],
    story: { before: apply, words: "state pull", out: '"hoo_000001"' },
    without: { service: 0, key: 0 },
  },
  "state push": {
    lines: ["state push outreach.state.json"],
    story: {
      before: async (project) => {
        await apply(project);
        project.write("copy.json", (await project.run("state pull")).out);
        await project.run("state rm outreach_webhook.crm");
      },
      words: "state push --force copy.json",
      out: "copy.json",
    },
    without: { words: "state push nothing.json", service: 1, key: 1 },
  },
  "state mv": {
    lines: ["state mv outreach_webhook.a outreach_webhook.z", "state mv outreach_webhook.z outreach_webhook.a"],
    story: {
      before: apply,
      words: "state mv outreach_webhook.crm outreach_webhook.replies",
      out: "outreach_webhook.replies",
    },
    without: { words: "state mv --dry-run outreach_webhook.crm outreach_webhook.b", service: 0, key: 0 },
  },
  "state rm": {
    lines: ["state rm outreach_webhook.c"],
    story: { before: apply, words: "state rm outreach_webhook.crm", out: "outreach_webhook.crm" },
    without: { words: "state rm --dry-run outreach_webhook.crm", service: 0, key: 0 },
  },
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
  "force-unlock": {
    lines: ["force-unlock 6ba7b810-9dad-11d1-80b4-00c04fd430c8"],
    story: {
      before: async (project) => project.write("outreach.state.json.lock", `${JSON.stringify(LOCK)}\n`),
      words: `force-unlock --force ${LOCK.id}`,
      out: "unlocked",
    },
    without: { words: "force-unlock --force 00000000-0000-4000-8000-000000000000", service: 1, key: 1 },
  },
  "get campaigns": {
    lines: ["get campaigns", "get campaigns --json"],
    story: { words: "get campaigns", out: "cam_000001" },
    without: { service: 1, key: 1 },
  },
  "get schedules": {
    lines: ["get schedules cam_000001"],
    story: { words: "get schedules cam_000001", out: "skd_000001" },
    without: { service: 1, key: 1 },
  },
  "get warmup": {
    lines: ["get warmup usm_000001"],
    story: { words: "get warmup usm_000001", out: "friendly" },
    without: { service: 1, key: 1 },
  },
  "get webhooks": {
    lines: ["get webhooks", "get webhooks --json"],
    story: { before: apply, words: "get webhooks", out: "hoo_000001" },
    without: { service: 1, key: 1 },
  },
  export: {
    lines: ["export cam_000001", "export cam_000001 --wait", "export cam_000001 --out export.csv"],
    story: { words: "export cam_000001", out: "axp_000001" },
    without: { service: 1, key: 1 },
  },
  mcp: {
    lines: ["mcp"],

    // Its client has left.
    story: { words: "mcp", out: "" },
  },
  sandbox: {
    lines: ["sandbox --port 0"],
    serves: /http:\/\/127\.0\.0\.1:\d+/,
  },
  "sandbox trigger": {
    lines: ["sandbox trigger emailsReplied", "sandbox trigger nothing"],
    story: { words: "sandbox trigger emailsReplied", out: "act_000001  emailsReplied  no webhook" },
    without: { service: 1, key: 0 },
  },
  listen: {
    lines: ["listen --port 0 --secret env:ENV_SECRET"],
    serves: /http:\/\/127\.0\.0\.1:\d+/,
  },
  "listen replay": {
    lines: ["listen replay event.json --to http://127.0.0.1:9/hooks --secret env:ENV_SECRET"],
    story: {
      before: async (project) => project.write("events/1.json", "[]"),
      words: "listen replay events --to 9",
      out: "events/1.json  the file is not a JSON object\n0 of 1 event was accepted.\n",
      code: 1,
    },
    without: { words: "listen replay nowhere.json --to 9", service: 1, key: 1 },
  },
  // With a database, the fleet's own test runs them.
  controller: {
    lines: ["controller"],
  },
  "controller status": {
    lines: ["controller status", "controller status --json"],
    without: { words: "controller status", service: 1, key: 1 },
  },
  "controller set": {
    lines: ["controller set --auto none"],
    without: { words: "controller set --auto none", service: 1, key: 1 },
  },
  "controller run": {
    lines: ["controller run emea"],
    without: { words: "controller run emea", service: 1, key: 1 },
  },
  "controller adopt": {
    lines: ["controller adopt emea"],
    without: { words: "controller adopt emea", service: 1, key: 1 },
  },
  "controller pause": {
    lines: ["controller pause emea"],
    without: { words: "controller pause emea", service: 1, key: 1 },
  },
  "controller resume": {
    lines: ["controller resume emea"],
    without: { words: "controller resume emea", service: 1, key: 1 },
  },
  "controller approve": {
    lines: ["controller approve emea 6ba7b810-9dad-11d1-80b4-00c04fd430c8"],
    without: { words: "controller approve emea b2600695-9ab3-401e-871b-e99656168a8d", service: 1, key: 1 },
  },
  "provider install": {
    lines: ["provider install mirror"],
    story: { words: "provider install", out: "provider_installation {" },
  },
  destroy: {
    lines: ["destroy --auto-approve"],
    story: { before: apply, words: "destroy --auto-approve", out: "Resources: 1 destroyed." },
    without: { service: 1, key: 1 },
  },
};

/** Runs a story with the project's command, as a process. */
export async function runStory(project: Project, { before, words }: HappyStory): Promise<Ran> {
  project.write("outreach.yaml", VALID);
  await before?.(project);
  return project.start(words).ended;
}
