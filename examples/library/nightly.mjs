// Applies the configuration every night. A plan that deletes or replaces a webhook waits for a person.
import { writeFileSync } from "node:fs";
import { applySaved, plan } from "outreach-as-code";

const CONFIGURATION = "outreach.yaml";
const RISKY = new Set(["delete", "replace"]);

const planned = await plan(CONFIGURATION);
const waiting = (planned.plan?.steps ?? []).filter(({ action }) => RISKY.has(action));
if (planned.saved === null) end("failed", planned.diagnostics);
else if (planned.status === "unchanged") console.log("Nothing to do.");
else if (waiting.length > 0) {
  writeFileSync("nightly.plan", planned.saved, { mode: 0o600 });
  for (const { action, address } of waiting) console.log(`${action} ${address}`);
  console.log("Waits for a person: npx outreach-as-code apply nightly.plan");
} else {
  const { status, counts, diagnostics } = await applySaved(CONFIGURATION, planned.saved);
  console.log(`${counts.add} added.`);
  end(status, diagnostics);
}

/** Every status but `complete` needs a look. */
function end(status, diagnostics) {
  for (const { severity, summary, detail, hint = "" } of diagnostics)
    console.error(`${severity}: ${summary}\n${detail}\n${hint}`);
  if (status !== "complete") process.exitCode = 1;
}
