import { startSandbox } from "../../src/sandbox/server.ts";
import { nodeClock } from "../../src/platform/node-clock.ts";
import { FOLDER, diskWith, run } from "./product.ts";

/** What real runs leave, as texts. */
export interface Recorded {
  readonly state: string;
  readonly journal: string;
  readonly plan: string;
}

const NEVER = new AbortController().signal;

const CONFIGURATION = `version: 1
webhooks:
  a: { target_url: "https://a.example/hooks", type: emailsSent, campaign_id: cam_000001, secret: { env: S } }
  b: { target_url: "https://b.example/hooks", rotation: create_first }
  c: { target_url: "https://c.example/hooks", types: [emailsOpened, emailsClicked] }
lead_unsubscriptions:
  d: { campaign_id: cam_000001, emails: [ada@example.com] }
outputs:
  id: { value: "\${outreach_webhook.a.id}" }
`;

/** Applies a configuration, changes it, saves the plan, and applies it on a disk that breaks before the journal is folded. */
export async function recorded(): Promise<Recorded> {
  const sandbox = await startSandbox({
    clock: { now: nodeClock.now, sleep: (ms, signal = NEVER) => nodeClock.sleep(ms, signal) },
    random: () => 0.5,
    rateLimit: null,
  });
  const environment = {
    OUTREACH_BASE_URL: sandbox.baseUrl,
    OUTREACH_API_KEY: sandbox.keys.good,
    S: "the-secret-of-the-hook",
    OUTREACH_SETTLE: "0s",
  };
  try {
    const disk = await diskWith({ "outreach.yaml": CONFIGURATION });
    const first = await run(disk, ["apply", "--auto-approve"], environment);
    const changed = CONFIGURATION.replaceAll("/hooks", "/other").replace("emailsOpened, ", "");
    await disk.writeDurably(`${FOLDER}/outreach.yaml`, new TextEncoder().encode(changed));
    const planned = await run(disk, ["plan", "--out", "saved.plan"], environment);
    const state = disk.text(`${FOLDER}/outreach.state.json`);
    const plan = disk.text(`${FOLDER}/saved.plan`);
    // Before it sends anything, the run replaces state and backup with their own bytes.
    disk.fail({ at: 2, code: "EIO", done: "nothing", operations: ["rename"] });
    const broken = await run(disk, ["apply", "--auto-approve"], environment);
    const journal = disk.text(`${FOLDER}/outreach.state.json.journal`);
    if (state === null || plan === null || journal === null)
      throw new Error([first, planned, broken].map(({ err }) => err).join("\n"));
    return { state, journal, plan };
  } finally {
    await sandbox.close();
  }
}
