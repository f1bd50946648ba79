/**
 * The main jobs in a minute, on the sandbox. Everything runs as a user would run it; each step says what it shows, and a step that
 * is not as told ends the demo with exit code 1.
 */
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Expected, type RunningSandbox, Unexpected, behindOurBack, run, say, startSandbox, stop } from "./stage.ts";

const EXAMPLES = fileURLToPath(new URL("..", import.meta.url));

/** Runs the command in the copy of one example, with secrets and settings of the step beside the usual ones. */
type Outreach = (words: string, expected: Expected, more?: { readonly [name: string]: string }) => Promise<string>;

interface Scene {
  readonly sandbox: RunningSandbox;
  readonly folder: string;
  readonly outreach: Outreach;
}

const SCENES: readonly (readonly [example: string, play: (scene: Scene) => Promise<void>])[] = [
  ["quick-start", oneWebhook],
  ["fan-out", manyWebhooks],
  ["suppression-list", unsubscriptions],
];

async function main(): Promise<void> {
  const place = await mkdtemp(join(tmpdir(), "outreach-demo-"));
  const sandbox = await startSandbox(place);
  try {
    say("The sandbox, a local copy of the service, is running. No account is needed.");
    for (const [example, play] of SCENES) {
      const folder = join(place, example);
      await cp(join(EXAMPLES, example), folder, { recursive: true, filter: (file) => !file.includes(".state.json") });
      await play({ sandbox, folder, outreach: commandIn(folder, sandbox) });
    }
  } finally {
    await stop(sandbox.child);
    await rm(place, { recursive: true });
  }
  say("Done: everything that the demo started is stopped, and its files are removed.");
}

function commandIn(folder: string, { baseUrl, key }: RunningSandbox): Outreach {
  // The sandbox shows a new webhook at once, so that there is little to wait for.
  const usual = { HOME: folder, OUTREACH_BASE_URL: baseUrl, OUTREACH_API_KEY: key, OUTREACH_SETTLE: "1s", CRM_HOOK_SECRET: "first-secret" };
  return (words, expected, more = {}) => run(words, expected, { folder, environment: { ...usual, ...more } });
}

async function oneWebhook({ sandbox, folder, outreach }: Scene): Promise<void> {
  say("One webhook, for a campaign that is looked up by its name:");
  await show(folder);
  say("A plan shows what would be done. It sends nothing that writes.");
  await outreach("plan --detailed-exitcode", { exitCode: 2, says: "Plan: 1 to add, 0 to change, 0 to destroy." });
  say("An apply does it.");
  await outreach("apply --auto-approve", { exitCode: 0, says: "Apply complete! Resources: 1 added, 0 changed, 0 destroyed." });
  say("Plan again: nothing is left to do.");
  await outreach("plan --detailed-exitcode", { exitCode: 0, says: "No changes. Your webhooks match the configuration." });

  const second = { CRM_HOOK_SECRET: "second-secret" };
  say("The secret is rotated. The service cannot change one, so the webhook is deleted and created anew, back to back.");
  const rotated = await outreach("apply --auto-approve", { exitCode: 0, says: "Apply complete! Resources: 1 added, 0 changed, 1 destroyed." }, second);
  const id = /Creation complete after \d+s \[id=(hoo_\w+)\]/.exec(rotated)?.[1];
  if (id === undefined) throw new Unexpected("the apply did not say which webhook it created");

  say(`Somebody deletes ${id} behind our back. The plan shows the drift, and how to mend it.`);
  await behindOurBack(sandbox, "DELETE", `/webhooks/${id}`);
  await outreach("plan --detailed-exitcode", { exitCode: 2, says: "outreach_webhook.crm-replies has been deleted" }, second);

  say("Somebody mends it by hand. A second one would deliver every event twice, so the plan stops.");
  const duplicate = { targetUrl: "https://crm.example.com/hooks/replies", type: "emailsReplied", campaignId: "cam_000001" };
  await behindOurBack(sandbox, "POST", "/webhooks", duplicate);
  await outreach("plan", { exitCode: 1, says: "An identical unmanaged webhook exists" }, second);
  say("It is taken over. Nothing is sent that writes.");
  await outreach("apply --adopt --auto-approve", { exitCode: 0, says: "1 imported." }, second);
  say("Take it away again.");
  await outreach("destroy --auto-approve", { exitCode: 0, says: "Destroy complete! Resources: 1 destroyed." }, second);
}

async function manyWebhooks({ sandbox, folder, outreach }: Scene): Promise<void> {
  say("Fan-out: one block makes a webhook for each event type and each running campaign.");
  await show(folder);
  say("The plan is saved to a file. The file is the approval: exactly this plan is carried out, or nothing.");
  await outreach("plan --out saved.plan", { exitCode: 0, says: "Plan: 6 to add, 0 to change, 0 to destroy." });
  say("The answer to the third create is lost on the way. It is not sent again: the service's list tells that it was carried out.");
  await behindOurBack(sandbox, "POST", "/faults", { action: { kind: "drop" }, when: "after", method: "POST", path: "/hooks", skip: 2 });
  await outreach("apply saved.plan", { exitCode: 0, says: "was carried out" });
  say("All six are there, and each of them once.");
  await outreach("get webhooks", { exitCode: 0, says: "hoo_" });
  await outreach("plan --detailed-exitcode", { exitCode: 0, says: "No changes. Your webhooks match the configuration." });
  say("A saved plan is carried out once. What has changed since would not be what was approved.");
  await outreach("apply saved.plan", { exitCode: 1, says: "Saved plan is stale" });
  say("A campaign is paused, and leaves the filter. Its webhooks are kept, with a note, unless the block says prune: true.");
  await behindOurBack(sandbox, "PATCH", "/campaigns/cam_000007", { status: "paused" });
  await outreach("plan --detailed-exitcode", { exitCode: 0, says: "Kept although it left the filter" });
}

async function unsubscriptions({ folder, outreach }: Scene): Promise<void> {
  say("Leads who asked not to be written to any more are unsubscribed from a campaign.");
  await show(folder);
  say("Their addresses are personal data. Here is no terminal, so they are masked: in plans, messages and reports.");
  await outreach("apply --auto-approve", { exitCode: 0, says: "Apply complete! Resources: 3 added, 0 changed, 0 destroyed." });
  say("The service cannot undo an unsubscription, and none is ever sent twice. A second apply sends nothing.");
  await outreach("apply --auto-approve", { exitCode: 0, says: "No changes." });
}

async function show(folder: string): Promise<void> {
  process.stdout.write(`${await readFile(join(folder, "outreach.yaml"), "utf8")}\n`);
}

try {
  await main();
} catch (error) {
  if (!(error instanceof Unexpected)) throw error;
  process.stderr.write(`\nThe demo went wrong: ${error.message}\n`);
  process.exitCode = 1;
}
