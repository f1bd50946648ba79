import type { ToolDefinition } from "../commands/mcp/tool-call.ts";
import type { CommandDefinition, Example } from "./command-definition.ts";

/** A command by its words, as in `state mv`. Its file is loaded only when it is needed, so that every command starts fast. */
export interface ListedCommand {
  readonly words: string;
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

/** A word that only has commands behind it: `outreach state …`. */
export interface CommandGroup {
  readonly words: string;
  readonly description: string;
  readonly example: Example;
}

/** Every command, in the order of `outreach --help`. Commands behind a word follow its row. */
export const COMMANDS: readonly (ListedCommand | CommandGroup)[] = [
  { words: "version", load: () => import("../commands/version-command.ts") },
  {
    words: "validate",
    load: () => import("../commands/validate-command.ts"),
    tool: () => import("../commands/validate-tool.ts"),
  },
  {
    words: "plan",
    load: () => import("../commands/plan-command.ts"),
    tool: () => import("../commands/plan-tool.ts"),
  },
  {
    words: "explain",
    load: () => import("../commands/explain/explain-command.ts"),
    tool: () => import("../commands/explain/explain-tool.ts"),
  },
  { words: "apply", load: () => import("../commands/apply-command.ts"), writes: "recorded" },
  { words: "refresh", load: () => import("../commands/refresh-command.ts"), writes: "other" },
  { words: "recheck", load: () => import("../commands/recheck-command.ts"), writes: "recorded" },
  {
    words: "drift",
    load: () => import("../commands/drift/drift-command.ts"),
    tool: () => import("../commands/drift/drift-tool.ts"),
  },
  {
    words: "audit",
    load: () => import("../commands/audit/audit-command.ts"),
    tool: () => import("../commands/audit/audit-tool.ts"),
  },
  { words: "destroy", load: () => import("../commands/destroy-command.ts"), writes: "recorded" },
  { words: "generate", load: () => import("../commands/generate/generate-command.ts") },
  { words: "import", load: () => import("../commands/import-command.ts"), writes: "other" },
  { words: "resolve", load: () => import("../commands/resolve-command.ts"), writes: "recorded" },
  { words: "show", load: () => import("../commands/show-command.ts") },
  { words: "comment", load: () => import("../commands/comment/comment-command.ts"), writes: "other" },
  { words: "output", load: () => import("../commands/output-command.ts") },
  {
    words: "report",
    description: "prints what the state proves: unsubscriptions",
    example: { lines: ["outreach report unsubscriptions"] },
  },
  { words: "report unsubscriptions", load: () => import("../commands/report/report-unsubscriptions-command.ts") },
  {
    words: "state",
    description: "inspects and edits the state: list, show, mv, rm, pull, push, lock",
    example: { lines: ["outreach state list"] },
  },
  { words: "state list", load: () => import("../commands/state/state-list-command.ts") },
  { words: "state show", load: () => import("../commands/state/state-show-command.ts") },
  { words: "state mv", load: () => import("../commands/state/state-mv-command.ts"), writes: "other" },
  { words: "state rm", load: () => import("../commands/state/state-rm-command.ts"), writes: "other" },
  { words: "state pull", load: () => import("../commands/state/state-pull-command.ts") },
  { words: "state push", load: () => import("../commands/state/state-push-command.ts"), writes: "other" },
  { words: "state lock", load: () => import("../commands/state/state-lock-command.ts") },
  { words: "force-unlock", load: () => import("../commands/force-unlock-command.ts"), writes: "other" },
  {
    words: "get",
    description: "prints live data of the service: campaigns, schedules, warmup, webhooks",
    example: { lines: ["outreach get campaigns"] },
  },
  ...(["campaigns", "schedules", "warmup"] as const).map((name) => ({
    words: `get ${name}`,
    load: async () => ({ definition: (await import("../commands/get/get-commands.ts")).GET_COMMANDS[name] }),
  })),
  { words: "get webhooks", load: () => import("../commands/get/get-webhooks-command.ts") },
  { words: "export", load: () => import("../commands/export/export-command.ts"), writes: "other" },
  { words: "doctor", load: () => import("../commands/doctor/doctor-command.ts") },
  {
    words: "events",
    load: () => import("../commands/events/events-command.ts"),
    tool: () => import("../commands/events/events-tool.ts"),
  },
  {
    words: "provider",
    description: "manages the provider for Terraform and OpenTofu: install",
    example: { lines: ["outreach provider install"] },
  },
  {
    words: "provider install",
    load: () => import("../commands/provider/provider-install-command.ts"),
    writes: "other",
  },
  {
    words: "controller",
    load: () => import("../commands/controller/controller-command.ts"),
    serves: true,
    writes: "other",
  },
  { words: "controller status", load: () => import("../commands/controller/controller-status-command.ts") },
  { words: "controller set", load: () => import("../commands/controller/controller-set-command.ts"), writes: "other" },
  ...(["run", "adopt", "pause", "resume", "approve"] as const).map((name) => ({
    words: `controller ${name}`,
    load: async () => ({
      definition: (await import("../commands/controller/controller-team-commands.ts")).TEAM_COMMANDS[name],
    }),
    writes: "other" as const,
  })),
  { words: "mcp", load: () => import("../commands/mcp/mcp-command.ts"), serves: true },
  { words: "init", load: () => import("../commands/init/init-command.ts"), writes: "other" },
  { words: "completion", load: () => import("../commands/completion/completion-command.ts") },
  {
    words: "sandbox",
    load: () => import("../commands/sandbox/sandbox-command.ts"),
    serves: true,
    writes: "other",
  },
  { words: "sandbox trigger", load: () => import("../commands/sandbox/sandbox-trigger-command.ts"), writes: "other" },
  {
    words: "listen",
    load: () => import("../commands/listen/listen-command.ts"),
    serves: true,
    writes: "other",
  },
  { words: "listen replay", load: () => import("../commands/listen/listen-replay-command.ts"), writes: "other" },
];

/** The words of every command: `plan`, `state mv`. */
export function commandWords(): readonly string[] {
  return COMMANDS.flatMap((row) => ("load" in row ? [row.words] : []));
}
