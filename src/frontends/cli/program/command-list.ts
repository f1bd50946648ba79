import type { ToolDefinition } from "../../mcp/tool-call.ts";
import type { CommandDefinition, Example } from "./command-definition.ts";

/** A command by its name. Its file is loaded only when it is needed, so that every command starts fast. */
export interface ListedCommand {
  readonly name: string;
  readonly load: () => Promise<CommandDefinition>;
  /** The same for agents: `outreach mcp` serves it. Only of a command that sends no writes. */
  readonly tool?: () => Promise<ToolDefinition>;
  /** It runs until it is stopped. */
  readonly serves?: true;
  /** It sends writes. */
  readonly writes?: true;
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
    { name: "list", load: async () => (await import("../commands/state/state-list-command.ts")).stateListCommand },
    { name: "show", load: async () => (await import("../commands/state/state-show-command.ts")).stateShowCommand },
    { name: "mv", load: async () => (await import("../commands/state/state-mv-command.ts")).stateMvCommand },
    { name: "rm", load: async () => (await import("../commands/state/state-rm-command.ts")).stateRmCommand },
    { name: "pull", load: async () => (await import("../commands/state/state-pull-command.ts")).statePullCommand },
    { name: "push", load: async () => (await import("../commands/state/state-push-command.ts")).statePushCommand },
    { name: "lock", load: async () => (await import("../commands/state/state-lock-command.ts")).stateLockCommand },
  ],
};

const REPORT: CommandGroup = {
  name: "report",
  description: "prints what the state proves: unsubscriptions",
  example: { lines: ["outreach report unsubscriptions"] },
  commands: [
    {
      name: "unsubscriptions",
      load: async () =>
        (await import("../commands/report/report-unsubscriptions-command.ts")).reportUnsubscriptionsCommand,
    },
  ],
};

const GET: CommandGroup = {
  name: "get",
  description: "prints live data of the service: campaigns, schedules, warmup, webhooks",
  example: { lines: ["outreach get campaigns"] },
  commands: [
    { name: "campaigns", load: async () => (await import("../commands/get/get-commands.ts")).getCampaignsCommand },
    { name: "schedules", load: async () => (await import("../commands/get/get-commands.ts")).getSchedulesCommand },
    { name: "warmup", load: async () => (await import("../commands/get/get-commands.ts")).getWarmupCommand },
    {
      name: "webhooks",
      load: async () => (await import("../commands/get/get-webhooks-command.ts")).getWebhooksCommand,
    },
  ],
};

const PROVIDER: CommandGroup = {
  name: "provider",
  description: "manages the provider for Terraform and OpenTofu: install",
  example: { lines: ["outreach provider install"] },
  commands: [
    {
      name: "install",
      load: async () => (await import("../commands/provider/provider-install-command.ts")).providerInstallCommand,
    },
  ],
};

/** Every command, in the order of `outreach --help`. */
export const COMMANDS: readonly (ListedCommand | CommandGroup | CommandWithCommands)[] = [
  { name: "version", load: async () => (await import("../commands/version-command.ts")).versionCommand },
  {
    name: "validate",
    load: async () => (await import("../commands/validate-command.ts")).validateCommand,
    tool: async () => (await import("../commands/validate-tool.ts")).validateTool,
  },
  {
    name: "plan",
    load: async () => (await import("../commands/plan-command.ts")).planCommand,
    tool: async () => (await import("../commands/plan-tool.ts")).planTool,
  },
  {
    name: "explain",
    load: async () => (await import("../commands/explain/explain-command.ts")).explainCommand,
    tool: async () => (await import("../commands/explain/explain-tool.ts")).explainTool,
  },
  { name: "apply", load: async () => (await import("../commands/apply-command.ts")).applyCommand, writes: true },
  { name: "refresh", load: async () => (await import("../commands/refresh-command.ts")).refreshCommand },
  { name: "recheck", load: async () => (await import("../commands/recheck-command.ts")).recheckCommand, writes: true },
  {
    name: "drift",
    load: async () => (await import("../commands/drift-command.ts")).driftCommand,
    tool: async () => (await import("../commands/drift-tool.ts")).driftTool,
  },
  {
    name: "audit",
    load: async () => (await import("../commands/audit/audit-command.ts")).auditCommand,
    tool: async () => (await import("../commands/audit/audit-tool.ts")).auditTool,
  },
  { name: "destroy", load: async () => (await import("../commands/destroy-command.ts")).destroyCommand, writes: true },
  { name: "generate", load: async () => (await import("../commands/generate/generate-command.ts")).generateCommand },
  { name: "import", load: async () => (await import("../commands/import-command.ts")).importCommand },
  { name: "resolve", load: async () => (await import("../commands/resolve-command.ts")).resolveCommand, writes: true },
  { name: "show", load: async () => (await import("../commands/show-command.ts")).showCommand },
  { name: "comment", load: async () => (await import("../commands/comment/comment-command.ts")).commentCommand },
  { name: "output", load: async () => (await import("../commands/output-command.ts")).outputCommand },
  REPORT,
  STATE,
  { name: "force-unlock", load: async () => (await import("../commands/force-unlock-command.ts")).forceUnlockCommand },
  GET,
  { name: "export", load: async () => (await import("../commands/export/export-command.ts")).exportCommand },
  { name: "doctor", load: async () => (await import("../commands/doctor/doctor-command.ts")).doctorCommand },
  {
    name: "events",
    load: async () => (await import("../commands/events/events-command.ts")).eventsCommand,
    tool: async () => (await import("../commands/events/events-tool.ts")).eventsTool,
  },
  PROVIDER,
  {
    name: "controller",
    load: async () => (await import("../commands/controller/controller-command.ts")).controllerCommand,
    serves: true,
    commands: [
      {
        name: "status",
        load: async () => (await import("../commands/controller/controller-status-command.ts")).controllerStatusCommand,
      },
      {
        name: "set",
        load: async () => (await import("../commands/controller/controller-set-command.ts")).controllerSetCommand,
      },
      {
        name: "run",
        load: async () => (await import("../commands/controller/controller-team-commands.ts")).controllerRunCommand,
      },
      {
        name: "adopt",
        load: async () => (await import("../commands/controller/controller-team-commands.ts")).controllerAdoptCommand,
      },
      {
        name: "pause",
        load: async () => (await import("../commands/controller/controller-team-commands.ts")).controllerPauseCommand,
      },
      {
        name: "resume",
        load: async () => (await import("../commands/controller/controller-team-commands.ts")).controllerResumeCommand,
      },
      {
        name: "approve",
        load: async () => (await import("../commands/controller/controller-team-commands.ts")).controllerApproveCommand,
      },
    ],
  },
  { name: "mcp", load: async () => (await import("../commands/mcp-command.ts")).mcpCommand, serves: true },
  { name: "init", load: async () => (await import("../commands/init/init-command.ts")).initCommand },
  { name: "completion", load: async () => (await import("../commands/completion-command.ts")).completionCommand },
  {
    name: "sandbox",
    load: async () => (await import("../commands/sandbox/sandbox-command.ts")).sandboxCommand,
    serves: true,
    commands: [
      {
        name: "trigger",
        load: async () => (await import("../commands/sandbox/sandbox-trigger-command.ts")).sandboxTriggerCommand,
      },
    ],
  },
  {
    name: "listen",
    load: async () => (await import("../commands/listen/listen-command.ts")).listenCommand,
    serves: true,
    commands: [
      {
        name: "replay",
        load: async () => (await import("../commands/listen/listen-replay-command.ts")).listenReplayCommand,
      },
    ],
  },
];

/** The words of every command: `plan`, `state mv`. */
export function commandWords(): readonly string[] {
  return COMMANDS.flatMap((entry) => {
    const own = "load" in entry ? [entry.name] : [];
    return "commands" in entry ? [...own, ...entry.commands.map(({ name }) => `${entry.name} ${name}`)] : own;
  });
}
