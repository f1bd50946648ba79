import type { ToolDefinition } from "../commands/mcp/tool-call.ts";
import type { CommandDefinition, Example } from "./command-definition.ts";

/** A command by its name. Its file is loaded only when it is needed, so that every command starts fast. */
export interface ListedCommand {
  readonly name: string;
  readonly load: () => Promise<{ readonly definition: CommandDefinition }>;
  /** The same for agents: `outreach mcp` serves it. Only of a command that is read-only. */
  readonly tool?: () => Promise<{ readonly tool: ToolDefinition }>;
  /** It runs until it is stopped. */
  readonly serves?: true;
  /**
   * It sends writes that the state records, or changes something else: the state, a file that no option names, or another place.
   * Absent: it is read-only.
   */
  readonly writes?: "recorded" | "other";
}

/** A word with commands behind it: `outreach state …`. */
export interface CommandGroup {
  readonly name: string;
  readonly description: string;
  readonly example: Example;
  readonly commands: readonly ListedCommand[];
}

/** A command that has further commands behind it: `outreach sandbox`, and `outreach sandbox trigger …`. */
export interface CommandWithCommands extends ListedCommand {
  readonly commands: readonly ListedCommand[];
}

const STATE: CommandGroup = {
  name: "state",
  description: "inspects and edits the state: list, show, mv, rm, pull, push, lock",
  example: { lines: ["outreach state list"] },
  commands: [
    { name: "list", load: () => import("../commands/state/state-list-command.ts") },
    { name: "show", load: () => import("../commands/state/state-show-command.ts") },
    { name: "mv", load: () => import("../commands/state/state-mv-command.ts"), writes: "other" },
    { name: "rm", load: () => import("../commands/state/state-rm-command.ts"), writes: "other" },
    { name: "pull", load: () => import("../commands/state/state-pull-command.ts") },
    { name: "push", load: () => import("../commands/state/state-push-command.ts"), writes: "other" },
    { name: "lock", load: () => import("../commands/state/state-lock-command.ts") },
  ],
};

const REPORT: CommandGroup = {
  name: "report",
  description: "prints what the state proves: unsubscriptions",
  example: { lines: ["outreach report unsubscriptions"] },
  commands: [{ name: "unsubscriptions", load: () => import("../commands/report/report-unsubscriptions-command.ts") }],
};

const GET: CommandGroup = {
  name: "get",
  description: "prints live data of the service: campaigns, schedules, warmup, webhooks",
  example: { lines: ["outreach get campaigns"] },
  commands: [
    ...(["campaigns", "schedules", "warmup"] as const).map((name) => ({
      name,
      load: async () => ({ definition: (await import("../commands/get/get-commands.ts")).GET_COMMANDS[name] }),
    })),
    { name: "webhooks", load: () => import("../commands/get/get-webhooks-command.ts") },
  ],
};

const PROVIDER: CommandGroup = {
  name: "provider",
  description: "manages the provider for Terraform and OpenTofu: install",
  example: { lines: ["outreach provider install"] },
  commands: [
    { name: "install", load: () => import("../commands/provider/provider-install-command.ts"), writes: "other" },
  ],
};

/** Every command, in the order of `outreach --help`. */
export const COMMANDS: readonly (ListedCommand | CommandGroup | CommandWithCommands)[] = [
  { name: "version", load: () => import("../commands/version-command.ts") },
  {
    name: "validate",
    load: () => import("../commands/validate-command.ts"),
    tool: () => import("../commands/validate-tool.ts"),
  },
  {
    name: "plan",
    load: () => import("../commands/plan-command.ts"),
    tool: () => import("../commands/plan-tool.ts"),
  },
  {
    name: "explain",
    load: () => import("../commands/explain/explain-command.ts"),
    tool: () => import("../commands/explain/explain-tool.ts"),
  },
  { name: "apply", load: () => import("../commands/apply-command.ts"), writes: "recorded" },
  { name: "refresh", load: () => import("../commands/refresh-command.ts"), writes: "other" },
  { name: "recheck", load: () => import("../commands/recheck-command.ts"), writes: "recorded" },
  {
    name: "drift",
    load: () => import("../commands/drift/drift-command.ts"),
    tool: () => import("../commands/drift/drift-tool.ts"),
  },
  {
    name: "audit",
    load: () => import("../commands/audit/audit-command.ts"),
    tool: () => import("../commands/audit/audit-tool.ts"),
  },
  { name: "destroy", load: () => import("../commands/destroy-command.ts"), writes: "recorded" },
  { name: "generate", load: () => import("../commands/generate/generate-command.ts") },
  { name: "import", load: () => import("../commands/import-command.ts"), writes: "other" },
  { name: "resolve", load: () => import("../commands/resolve-command.ts"), writes: "recorded" },
  { name: "show", load: () => import("../commands/show-command.ts") },
  { name: "comment", load: () => import("../commands/comment/comment-command.ts"), writes: "other" },
  { name: "output", load: () => import("../commands/output-command.ts") },
  REPORT,
  STATE,
  { name: "force-unlock", load: () => import("../commands/force-unlock-command.ts"), writes: "other" },
  GET,
  { name: "export", load: () => import("../commands/export/export-command.ts"), writes: "other" },
  { name: "doctor", load: () => import("../commands/doctor/doctor-command.ts") },
  {
    name: "events",
    load: () => import("../commands/events/events-command.ts"),
    tool: () => import("../commands/events/events-tool.ts"),
  },
  PROVIDER,
  {
    name: "controller",
    load: () => import("../commands/controller/controller-command.ts"),
    serves: true,
    writes: "other",
    commands: [
      { name: "status", load: () => import("../commands/controller/controller-status-command.ts") },
      { name: "set", load: () => import("../commands/controller/controller-set-command.ts"), writes: "other" },
      ...(["run", "adopt", "pause", "resume", "approve"] as const).map((name) => ({
        name,
        load: async () => ({
          definition: (await import("../commands/controller/controller-team-commands.ts")).TEAM_COMMANDS[name],
        }),
        writes: "other" as const,
      })),
    ],
  },
  { name: "mcp", load: () => import("../commands/mcp/mcp-command.ts"), serves: true },
  { name: "init", load: () => import("../commands/init/init-command.ts"), writes: "other" },
  { name: "completion", load: () => import("../commands/completion/completion-command.ts") },
  {
    name: "sandbox",
    load: () => import("../commands/sandbox/sandbox-command.ts"),
    serves: true,
    writes: "other",
    commands: [
      { name: "trigger", load: () => import("../commands/sandbox/sandbox-trigger-command.ts"), writes: "other" },
    ],
  },
  {
    name: "listen",
    load: () => import("../commands/listen/listen-command.ts"),
    serves: true,
    writes: "other",
    commands: [{ name: "replay", load: () => import("../commands/listen/listen-replay-command.ts"), writes: "other" }],
  },
];

/** The words of every command: `plan`, `state mv`. */
export function commandWords(): readonly string[] {
  return COMMANDS.flatMap((entry) => {
    const own = "load" in entry ? [entry.name] : [];
    return "commands" in entry ? [...own, ...entry.commands.map(({ name }) => `${entry.name} ${name}`)] : own;
  });
}
