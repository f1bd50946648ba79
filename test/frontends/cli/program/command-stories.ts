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

const apply = (project: Project): Promise<Ran> => project.run("apply --auto-approve");

/** By command. */
export const STORIES: { readonly [path: string]: HappyStory } = {
  version: { words: "version", out: "outreach v" },
  validate: { words: "validate", out: "valid" },
  plan: { words: "plan", out: "Plan: 1 to add, 0 to change, 0 to destroy." },
  explain: { words: "explain outreach_webhook.crm", out: "An apply creates the webhook." },
  drift: { before: apply, words: "drift", out: "No drift." },
  audit: { before: apply, words: "audit", out: "1 live webhook: 1 managed." },
  generate: {
    before: async ({ sandbox }) =>
      sandbox.add("webhooks", { _id: "hoo_theirs", targetUrl: "https://theirs.example.com/hooks" }),
    words: "generate",
    out: "id: hoo_theirs",
  },
  comment: { words: "comment --dry-run", out: "1 to add" },
  // Its client has left.
  mcp: { words: "mcp", out: "" },
  apply: { words: "apply --auto-approve", out: "Resources: 1 added, 0 changed, 0 destroyed." },
  refresh: { before: apply, words: "refresh", out: "No changes." },
  recheck: { before: apply, words: "recheck", out: "Recheck complete: 0 sent, 0 unsubscribed." },
  destroy: { before: apply, words: "destroy --auto-approve", out: "Resources: 1 destroyed." },
  import: {
    before: async ({ sandbox }) =>
      sandbox.add("webhooks", { _id: "hoo_theirs", targetUrl: "https://crm.example.com/hooks" }),
    words: "import outreach_webhook.crm hoo_theirs",
    out: "hoo_theirs",
  },
  resolve: {
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
  show: { before: apply, words: "show", out: "hoo_000001" },
  output: { before: apply, words: "output id", out: "hoo_000001" },
  "report unsubscriptions": { before: apply, words: "report unsubscriptions", out: "Nobody was unsubscribed" },
  "state list": { before: apply, words: "state list", out: "outreach_webhook.crm\n" },
  "state show": { before: apply, words: "state show outreach_webhook.crm", out: "hoo_000001" },
  "state mv": {
    before: apply,
    words: "state mv outreach_webhook.crm outreach_webhook.replies",
    out: "outreach_webhook.replies",
  },
  "state rm": { before: apply, words: "state rm outreach_webhook.crm", out: "outreach_webhook.crm" },
  "state pull": { before: apply, words: "state pull", out: '"hoo_000001"' },
  "state push": {
    before: async (project) => {
      await apply(project);
      project.write("copy.json", (await project.run("state pull")).out);
      await project.run("state rm outreach_webhook.crm");
    },
    words: "state push --force copy.json",
    out: "copy.json",
  },
  "state lock": { before: apply, words: "state lock", out: "is not locked" },
  "force-unlock": {
    before: async (project) => project.write("outreach.state.json.lock", `${JSON.stringify(LOCK)}\n`),
    words: `force-unlock --force ${LOCK.id}`,
    out: "unlocked",
  },
  "get campaigns": { words: "get campaigns", out: "cam_000001" },
  "get schedules": { words: "get schedules cam_000001", out: "skd_000001" },
  "get warmup": { words: "get warmup usm_000001", out: "friendly" },
  "get webhooks": { before: apply, words: "get webhooks", out: "hoo_000001" },
  export: { words: "export cam_000001", out: "axp_000001" },
  doctor: { words: "doctor", out: "0 webhooks, as an array" },
  events: { words: "events", out: "emailsReplied" },
  "listen replay": {
    before: async (project) => project.write("events/1.json", "[]"),
    words: "listen replay events --to 9",
    out: "events/1.json  the file is not a JSON object\n0 of 1 event was accepted.\n",
    code: 1,
  },
  "provider install": { words: "provider install", out: "provider_installation {" },
  "sandbox trigger": { words: "sandbox trigger emailsReplied", out: "act_000001  emailsReplied  no webhook" },
  init: { words: "init -c new.yaml", out: "new.yaml" },
  completion: { words: "completion bash", out: "outreach" },
};

/** Runs a story with the project's command, as a process. */
export async function runStory(project: Project, { before, words }: HappyStory): Promise<Ran> {
  project.write("outreach.yaml", VALID);
  await before?.(project);
  return project.start(words).ended;
}
