import type { CommandDefinition, Example } from "./command-definition.ts";

/** A command by its name. Its file is loaded only when it is needed, so that every command starts fast. */
export interface ListedCommand {
  readonly name: string;
  readonly load: () => Promise<CommandDefinition>;
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
    { name: "list", load: async () => (await import("../commands/state/list.ts")).stateListCommand },
    { name: "show", load: async () => (await import("../commands/state/show.ts")).stateShowCommand },
    { name: "mv", load: async () => (await import("../commands/state/mv.ts")).stateMvCommand },
    { name: "rm", load: async () => (await import("../commands/state/rm.ts")).stateRmCommand },
    { name: "pull", load: async () => (await import("../commands/state/pull.ts")).statePullCommand },
    { name: "push", load: async () => (await import("../commands/state/push.ts")).statePushCommand },
    { name: "lock", load: async () => (await import("../commands/state/lock.ts")).stateLockCommand },
  ],
};

const GET: CommandGroup = {
  name: "get",
  description: "prints live data of the service: campaigns, schedules, warmup, webhooks",
  example: { lines: ["outreach get campaigns"] },
  commands: [
    { name: "campaigns", load: async () => (await import("../commands/get/campaigns.ts")).getCampaignsCommand },
    { name: "schedules", load: async () => (await import("../commands/get/schedules.ts")).getSchedulesCommand },
    { name: "warmup", load: async () => (await import("../commands/get/warmup.ts")).getWarmupCommand },
    { name: "webhooks", load: async () => (await import("../commands/get/webhooks.ts")).getWebhooksCommand },
  ],
};

const PROVIDER: CommandGroup = {
  name: "provider",
  description: "manages the provider for Terraform and OpenTofu: install",
  example: { lines: ["outreach provider install"] },
  commands: [{ name: "install", load: async () => (await import("../commands/provider/install.ts")).providerInstallCommand }],
};

/** Every command, in the order of `outreach --help`. */
export const COMMANDS: readonly (ListedCommand | CommandGroup | CommandWithCommands)[] = [
  { name: "version", load: async () => (await import("../commands/version.ts")).versionCommand },
  { name: "validate", load: async () => (await import("../commands/validate.ts")).validateCommand },
  { name: "plan", load: async () => (await import("../commands/plan.ts")).planCommand },
  { name: "explain", load: async () => (await import("../commands/explain.ts")).explainCommand },
  { name: "apply", load: async () => (await import("../commands/apply.ts")).applyCommand },
  { name: "refresh", load: async () => (await import("../commands/refresh.ts")).refreshCommand },
  { name: "drift", load: async () => (await import("../commands/drift.ts")).driftCommand },
  { name: "destroy", load: async () => (await import("../commands/destroy.ts")).destroyCommand },
  { name: "convert", load: async () => (await import("../commands/convert.ts")).convertCommand },
  { name: "generate", load: async () => (await import("../commands/generate.ts")).generateCommand },
  { name: "import", load: async () => (await import("../commands/import.ts")).importCommand },
  { name: "resolve", load: async () => (await import("../commands/resolve.ts")).resolveCommand },
  { name: "show", load: async () => (await import("../commands/show.ts")).showCommand },
  { name: "comment", load: async () => (await import("../commands/comment.ts")).commentCommand },
  { name: "output", load: async () => (await import("../commands/output.ts")).outputCommand },
  STATE,
  { name: "force-unlock", load: async () => (await import("../commands/force-unlock.ts")).forceUnlockCommand },
  GET,
  { name: "export", load: async () => (await import("../commands/export.ts")).exportCommand },
  { name: "doctor", load: async () => (await import("../commands/doctor.ts")).doctorCommand },
  { name: "events", load: async () => (await import("../commands/events.ts")).eventsCommand },
  PROVIDER,
  {
    name: "controller",
    load: async () => (await import("../commands/controller.ts")).controllerCommand,
    commands: [
      { name: "status", load: async () => (await import("../commands/controller/status.ts")).controllerStatusCommand },
      { name: "set", load: async () => (await import("../commands/controller/set.ts")).controllerSetCommand },
      { name: "push", load: async () => (await import("../commands/controller/push.ts")).controllerPushCommand },
      { name: "run", load: async () => (await import("../commands/controller/run.ts")).controllerRunCommand },
      { name: "pause", load: async () => (await import("../commands/controller/pause-and-resume.ts")).controllerPauseCommand },
      { name: "resume", load: async () => (await import("../commands/controller/pause-and-resume.ts")).controllerResumeCommand },
      { name: "approve", load: async () => (await import("../commands/controller/approve.ts")).controllerApproveCommand },
    ],
  },
  { name: "mcp", load: async () => (await import("../commands/mcp.ts")).mcpCommand },
  { name: "init", load: async () => (await import("../commands/init.ts")).initCommand },
  { name: "completion", load: async () => (await import("../commands/completion.ts")).completionCommand },
  {
    name: "sandbox",
    load: async () => (await import("../commands/sandbox.ts")).sandboxCommand,
    commands: [{ name: "trigger", load: async () => (await import("../commands/sandbox/trigger.ts")).sandboxTriggerCommand }],
  },
  {
    name: "listen",
    load: async () => (await import("../commands/listen.ts")).listenCommand,
    commands: [
      { name: "replay", load: async () => (await import("../commands/listen/replay.ts")).listenReplayCommand },
      { name: "unregister", load: async () => (await import("../commands/listen/unregister.ts")).listenUnregisterCommand },
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
