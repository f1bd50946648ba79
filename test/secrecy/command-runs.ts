/** How a command is run with canaries: at least once, and where the service fails. */
export interface CommandRuns {
  /** Command lines; each is run with a service that works, and with one that answers with what it was sent. */
  readonly lines: readonly string[];
  /** What it prints once it serves: it then runs as a process until it is interrupted. */
  readonly serves?: RegExp;
}

/** Every command, in the order of a story: earlier ones make what later ones need. */
export const COMMAND_RUNS: { readonly [words: string]: CommandRuns } = {
  version: { lines: ["version"] },
  init: { lines: ["init -c other/outreach.yaml"] },
  completion: { lines: ["completion bash"] },
  events: { lines: ["events --json"] },
  validate: { lines: ["validate", "validate --json"] },
  doctor: {
    lines: ["doctor", "doctor --json", "doctor --receivers", "doctor --receivers --allow crm.example.com --json"],
  },
  plan: { lines: ["plan", "plan --json", "plan --out saved.plan"] },
  explain: { lines: ["explain outreach_webhook.a", "explain outreach_webhook.b --json"] },
  comment: { lines: ["comment --dry-run saved.plan", "comment"] },
  apply: { lines: ["apply saved.plan", "apply --auto-approve", "apply --auto-approve --json"] },
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
  },
  output: { lines: ["output", "output --json"] },
  refresh: { lines: ["refresh"] },
  recheck: { lines: ["recheck --all", "recheck --json"] },
  drift: { lines: ["drift", "drift --format markdown", "drift --format json"] },
  audit: { lines: ["audit --older-than 1d", "audit --json"] },
  generate: {
    lines: ["generate --out generated.yaml", "generate --from-state --to hcl", "generate --from-state --to yaml"],
  },
  resolve: { lines: ["resolve outreach_webhook.a --retry"] },
  "report unsubscriptions": {
    lines: ["report unsubscriptions", "report unsubscriptions --format csv", "report unsubscriptions --format json"],
  },
  "state list": { lines: ["state list", "state list --json"] },
  "state show": { lines: ["state show outreach_webhook.a"] },
  "state lock": { lines: ["state lock", "state lock --json"] },
  "state pull": { lines: ["state pull", "state pull --show-emails"] },
  "state push": { lines: ["state push outreach.state.json"] },
  "state mv": {
    lines: ["state mv outreach_webhook.a outreach_webhook.z", "state mv outreach_webhook.z outreach_webhook.a"],
  },
  "state rm": { lines: ["state rm outreach_webhook.c"] },
  import: { lines: ["import outreach_webhook.c ID_OF_C"] },
  "force-unlock": { lines: ["force-unlock 6ba7b810-9dad-11d1-80b4-00c04fd430c8"] },
  "get campaigns": { lines: ["get campaigns", "get campaigns --json"] },
  "get schedules": { lines: ["get schedules cam_000001"] },
  "get warmup": { lines: ["get warmup usm_000001"] },
  "get webhooks": { lines: ["get webhooks", "get webhooks --json"] },
  export: { lines: ["export cam_000001", "export cam_000001 --wait", "export cam_000001 --out export.csv"] },
  mcp: { lines: ["mcp"] },
  sandbox: { lines: ["sandbox --port 0"], serves: /http:\/\/127\.0\.0\.1:\d+/ },
  "sandbox trigger": {
    lines: ["sandbox trigger emailsReplied", "sandbox trigger nothing"],
  },
  listen: { lines: ["listen --port 0 --secret env:ENV_SECRET"], serves: /http:\/\/127\.0\.0\.1:\d+/ },
  "listen replay": { lines: ["listen replay event.json --to http://127.0.0.1:9/hooks --secret env:ENV_SECRET"] },
  // With a database, the fleet's own test runs them.
  controller: { lines: ["controller"] },
  "controller status": { lines: ["controller status", "controller status --json"] },
  "controller set": { lines: ["controller set --auto none"] },
  "controller run": { lines: ["controller run emea"] },
  "controller adopt": { lines: ["controller adopt emea"] },
  "controller pause": { lines: ["controller pause emea"] },
  "controller resume": { lines: ["controller resume emea"] },
  "controller approve": { lines: ["controller approve emea 6ba7b810-9dad-11d1-80b4-00c04fd430c8"] },
  "provider install": { lines: ["provider install mirror"] },
  destroy: { lines: ["destroy --auto-approve"] },
};
