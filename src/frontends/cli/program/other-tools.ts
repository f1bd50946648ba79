import type { Command } from "commander";

/** Commands that users know from other tools, and ours for the same. */
const COMMANDS: { readonly [word: string]: string } = {
  campaigns: "get campaigns",
  check: "validate",
  delete: "destroy",
  deploy: "apply",
  diff: "plan",
  down: "destroy",
  dump: "get webhooks",
  lint: "validate",
  list: "state list",
  ls: "state list",
  mv: "state mv",
  outputs: "output",
  preview: "plan",
  remove: "destroy",
  replay: "listen replay",
  rm: "state rm",
  schedules: "get schedules",
  serve: "sandbox",
  start: "sandbox",
  status: "plan",
  sync: "apply",
  trigger: "sandbox trigger",
  unlock: "force-unlock",
  unregister: "listen unregister",
  up: "apply",
  warmup: "get warmup",
  webhooks: "get webhooks",
};

/** A hint for a command that outreach does not have; null where no other tool has it either. */
export function otherCommandHint(program: string, word: string): string | null {
  const ours = program === "outreach" ? COMMANDS[word.toLowerCase()] : undefined;
  return ours === undefined ? null : `Did you mean outreach ${ours}?`;
}

const DRY_RUN = ["--dry-run", "--dryrun", "--diff", "--preview", "-n"];
const APPROVAL = ["--yes", "-y", "--assume-yes", "--approve", "--force"];
const MORE_LINES = ["--verbose", "-v", "--debug"];
const FOLDER = ["--chdir", "--cwd", "-C"];
const NAMES_CONFIGURATION = ["--file", "-f", "--configuration", "--config-file", "--stack", "-s"];

/** A hint for an option that the command does not have; null where no other tool has it either. */
export function otherOptionHint(command: Command, flag: string): string | null {
  const [word = ""] = flag.split("=", 1);
  const has = (long: string): boolean => command.options.some((option) => option.long === long);
  if (command.parent === null && ["-v", "-V"].includes(word)) return "Did you mean --version?";
  if (command.parent === null) return "Options follow the command, as in outreach plan -c outreach.yaml.";
  if (DRY_RUN.includes(word)) return dryRunHint(command.name());
  if (APPROVAL.includes(word) && has("--auto-approve")) return "Did you mean --auto-approve?";
  if (APPROVAL.includes(word) && command.name() === "plan") return "A plan changes nothing, so it asks for no approval.";
  if (MORE_LINES.includes(word)) return "To log every request to stderr, set OUTREACH_LOG=debug.";
  if (FOLDER.includes(word) && has("--config")) return "Name the folder with -c FOLDER, or run the command in it.";
  if (NAMES_CONFIGURATION.includes(word) && has("--config")) return "Did you mean -c?";
  if (["-o", "--output", "--save"].includes(word) && has("--out")) return "Did you mean --out?";
  if (word === "--no-lock" && has("--lock")) return "Did you mean --lock=false?";
  if (["--env", "--environment", "--set", "-e"].includes(word) && has("--var")) return "Values that differ between runs are variables: --var NAME=VALUE.";
  if (word === "--parallelism") return "outreach sends as fast as the service's rate limit allows. To leave a share of it to others, set service.rate_share.";
  return null;
}

function dryRunHint(command: string): string | null {
  if (command === "plan") return "A plan is a dry run: it sends no writes.";
  if (command === "apply") return "Did you mean outreach plan? It shows what apply would do, and sends no writes.";
  return command === "destroy" ? "Did you mean outreach plan --destroy? It shows what destroy would do, and sends no writes." : null;
}
