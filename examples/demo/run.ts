/**
 * The main workflows in a minute, on the sandbox. Each step runs the command as a user would, and checks the result. An unexpected
 * result ends the demo with exit code 1. Option: --profile documented (the default) or published, the kind of service.
 */
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import {
  type Expected,
  type RunningSandbox,
  Unexpected,
  byHand,
  run,
  say,
  startReceiver,
  startSandbox,
  stop,
} from "./stage.ts";

const EXAMPLES = fileURLToPath(new URL("..", import.meta.url));

/** Runs the command in the copy of one example, with the environment of the step in addition to the usual one. */
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
  ["receiver", events],
];

async function main(profile: string): Promise<void> {
  const place = await mkdtemp(join(tmpdir(), "outreach-demo-"));
  try {
    await playIn(place, profile);
  } finally {
    await rm(place, { recursive: true });
  }
  say("Done. The demo stopped everything that it started, and removed its files.");
}

async function playIn(place: string, profile: string): Promise<void> {
  const sandbox = await startSandbox(place, profile);
  try {
    say(`The sandbox, a local copy of the service, is running with the profile ${profile}. You need no account.`);
    for (const [example, play] of SCENES) {
      const folder = join(place, example);
      await cp(join(EXAMPLES, example), folder, { recursive: true, filter: (file) => !file.includes(".state.json") });
      await play({ sandbox, folder, outreach: commandIn(folder, sandbox) });
    }
  } finally {
    await stop(sandbox.child);
  }
}

function commandIn(folder: string, { baseUrl, key }: RunningSandbox): Outreach {
  // The sandbox lists a new webhook at once, so wait only briefly.
  const usual = {
    HOME: folder,
    OUTREACH_BASE_URL: baseUrl,
    OUTREACH_API_KEY: key,
    OUTREACH_SETTLE: "1s",
    CRM_HOOK_SECRET: "first-secret",
  };
  return (words, expected, more = {}) => run(words, expected, { folder, environment: { ...usual, ...more } });
}

async function oneWebhook({ sandbox, folder, outreach }: Scene): Promise<void> {
  say("One webhook, for a campaign that outreach looks up by name:");
  await show(folder);
  say("A plan shows every change. It is read-only.");
  await outreach("plan --detailed-exitcode", { exitCode: 2, says: "Plan: 1 to add, 0 to change, 0 to destroy." });
  say("An apply makes the changes.");
  await outreach("apply --auto-approve", {
    exitCode: 0,
    says: "Apply complete! Resources: 1 added, 0 changed, 0 destroyed.",
  });
  say("Plan again: no changes.");
  await outreach("plan --detailed-exitcode", {
    exitCode: 0,
    says: "No changes. Your webhooks match the configuration.",
  });

  const second = { CRM_HOOK_SECRET: "second-secret" };
  say(
    "Rotate the secret. The service cannot change a secret, so outreach deletes the webhook and creates it again, back to back.",
  );
  const rotated = await outreach(
    "apply --auto-approve",
    { exitCode: 0, says: "Apply complete! Resources: 1 added, 0 changed, 1 destroyed." },
    second,
  );
  const id = /Creation complete after \d+s(?: \(gap [\d.]+ s\))? \[id=(hoo_\w+)\]/.exec(rotated)?.[1];
  if (id === undefined) throw new Unexpected("the apply did not print the id of the new webhook");

  say(`Somebody deletes ${id} by hand. The plan shows the drift, and how to fix it.`);
  await byHand(sandbox, "DELETE", `/webhooks/${id}`);
  await outreach(
    "plan --detailed-exitcode",
    { exitCode: 2, says: "outreach_webhook.crm-replies has been deleted" },
    second,
  );

  say("Somebody creates the webhook again by hand. A duplicate would deliver every event twice, so the plan stops.");
  const duplicate = {
    targetUrl: "https://crm.example.com/hooks/replies",
    type: "emailsReplied",
    campaignId: "cam_000001",
  };
  await byHand(sandbox, "POST", "/webhooks", duplicate);
  await outreach("plan", { exitCode: 1, says: "An identical unmanaged webhook exists" }, second);
  say("Import the existing webhook. This changes nothing in the service.");
  await outreach("apply --adopt --auto-approve", { exitCode: 0, says: "1 imported, 0 added" }, second);
  say("Clean up.");
  await outreach("destroy --auto-approve", { exitCode: 0, says: "Destroy complete! Resources: 1 destroyed." }, second);
}

async function manyWebhooks({ sandbox, folder, outreach }: Scene): Promise<void> {
  say("Fan-out: one block creates a webhook per event type and running campaign.");
  await show(folder);
  say("Save the plan to a file. The file is the approval: apply makes exactly these changes, or none.");
  await outreach("plan --out saved.plan", { exitCode: 0, says: "Plan: 6 to add, 0 to change, 0 to destroy." });
  say(
    "The answer to the third create is lost. outreach does not send it again: the service's list shows that it succeeded.",
  );
  await byHand(sandbox, "POST", "/faults", {
    action: { kind: "drop" },
    when: "after",
    method: "POST",
    path: "/hooks",
    skip: 2,
  });
  await outreach("apply saved.plan", { exitCode: 0, says: "was carried out" });
  say("All six webhooks exist, without duplicates.");
  await outreach("get webhooks", { exitCode: 0, says: "hoo_" });
  await outreach("plan --detailed-exitcode", {
    exitCode: 0,
    says: "No changes. Your webhooks match the configuration.",
  });
  say("A saved plan applies only once. Afterwards it no longer matches what you approved.");
  await outreach("apply saved.plan", { exitCode: 1, says: "Saved plan is stale" });
  say(
    "A campaign is paused, and leaves the filter. outreach keeps its webhooks, with a note, unless the block says prune: true.",
  );
  await byHand(sandbox, "PATCH", "/campaigns/cam_000007", { status: "paused" });
  await outreach("plan --detailed-exitcode", { exitCode: 0, says: "Kept after leaving the filter" });
}

async function unsubscriptions({ folder, outreach }: Scene): Promise<void> {
  say("Unsubscribe leads from a campaign.");
  await show(folder);
  say("Their addresses are personal data. This output is not a terminal, so outreach masks them.");
  await outreach("apply --auto-approve", {
    exitCode: 0,
    says: "Apply complete! Resources: 3 added, 0 changed, 0 destroyed.",
  });
  say(
    "The service documents no way to undo an unsubscription, so outreach sends each one once. A second apply sends nothing.",
  );
  await outreach("apply --auto-approve", { exitCode: 0, says: "No changes." });
}

async function events({ folder, outreach }: Scene): Promise<void> {
  say("Webhooks deliver events. A receiver checks their secret, and ignores duplicates.");
  await show(folder);
  const receiver = await startReceiver(folder, { HOOK_SECRET: "first-secret" });
  try {
    const more = { HOOK_SECRET: "first-secret" };
    await outreach(
      `apply --auto-approve --var receiver=${receiver.url}`,
      { exitCode: 0, says: "Resources: 3 added, 0 changed, 0 destroyed." },
      more,
    );
    say("The sandbox delivers an event, as the service would. The receiver prints it.");
    await outreach("sandbox trigger emailsReplied", { exitCode: 0, says: "204 in" });
    receiver.expect("Lead lea_000001 replied in Q3 launch");
  } finally {
    await stop(receiver.child);
  }
}

async function show(folder: string): Promise<void> {
  process.stdout.write(`${await readFile(join(folder, "outreach.yaml"), "utf8")}\n`);
}

try {
  await main(parseArgs({ options: { profile: { type: "string", default: "documented" } } }).values.profile);
} catch (error) {
  if (!(error instanceof Unexpected)) throw error;
  process.stderr.write(`\nThe demo failed: ${error.message}\n`);
  process.exitCode = 1;
}
