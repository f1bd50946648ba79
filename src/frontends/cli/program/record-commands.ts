import { Option } from "commander";
import { FORMAT_NAMES, type FormatName } from "../../../output/formats.ts";
import { type StatePathOptions, withState, withStatePath } from "./options.ts";
import type { OutputOptions } from "../commands/output.ts";
import type { StateListOptions } from "../commands/state-list.ts";
import type { StateEditOptions } from "../commands/state-mv.ts";
import type { StatePushOptions } from "../commands/state-push.ts";
import type { StateShowOptions } from "../commands/state-show.ts";
import type { ForceUnlockOptions } from "../commands/force-unlock.ts";
import type { Register } from "./choose.ts";

/** Commands that need the state alone: neither the service nor, but for the state's place, the configuration. */
export const recordCommands: Register = (program, choose) => {
  withStatePath(program.command("show"))
    .description("print the state, or a plan that outreach plan --out has saved")
    .argument("[planfile]")
    .option("--json", "print Terraform's JSON; the same as --format json", false)
    .addOption(new Option("--format <format>", "how to print it").choices(FORMAT_NAMES).default("text"))
    .addHelpText("after", "\nExamples:\n  outreach show\n  outreach show --json saved.plan")
    .action((planFile: string | undefined, { json, format, ...options }: StatePathOptions & { readonly json: boolean; readonly format: FormatName }) =>
      choose(async (context) => (await import("../commands/show.ts")).showCommand(context, planFile, { ...options, format: json ? "json" : format })),
    );

  withStatePath(program.command("output"))
    .description("print the output values of the last apply")
    .argument("[name]", "print this one alone, even if it is sensitive")
    .option("--json", "print JSON", false)
    .option("--raw", "print the one value as it is, without quotes or a line end", false)
    .addHelpText("after", "\nExample, in a script:\n  outreach output --raw q3_id")
    .action((name: string | undefined, options: OutputOptions) =>
      choose(async (context) => (await import("../commands/output.ts")).outputCommand(context, name, options)),
    );

  stateSubcommands(program, choose);

  withStatePath(program.command("force-unlock"))
    .description("remove the lock of a run that is over without having given it back")
    .argument("<lock-id>", "the id that the refused command has named")
    .option("--force", "do not ask", false)
    .addHelpText("after", "\nExample:\n  outreach force-unlock 6ba7b810-9dad-11d1-80b4-00c04fd430c8")
    .action((id: string, options: ForceUnlockOptions) =>
      choose(async (context) => (await import("../commands/force-unlock.ts")).forceUnlockCommand(context, id, options)),
    );
};

/** `outreach state …` */
const stateSubcommands: Register = (program, choose) => {
  const state = program
    .command("state")
    .description("look at what is recorded, and put it right: list, show, mv, rm, pull, push")
    .addHelpText("after", "\nExample:\n  outreach state list");
  withStatePath(state.command("list"))
    .description("print the addresses of what is recorded")
    .argument("[addresses...]", "only these, as in outreach_webhook.audit for all instances of a block")
    .option("--id <id>", "only what has this id")
    .addHelpText("after", "\nExample:\n  outreach state list outreach_webhook.audit")
    .action((addresses: readonly string[], options: StateListOptions) =>
      choose(async (context) => (await import("../commands/state-list.ts")).stateListCommand(context, addresses, options)),
    );
  withStatePath(state.command("show"))
    .description("print what is recorded at an address")
    .argument("<address>", "as in outreach_webhook.crm-replies")
    .option("--json", "print JSON", false)
    .addHelpText("after", "\nExample:\n  outreach state show outreach_webhook.crm-replies")
    .action((address: string, options: StateShowOptions) =>
      choose(async (context) => (await import("../commands/state-show.ts")).stateShowCommand(context, address, options)),
    );
  withState(state.command("mv"))
    .description("record a resource, or a whole block, under another address; sends nothing")
    .argument("<address>", "where it is recorded")
    .argument("<new-address>", "where it shall be recorded; nothing may be there yet")
    .option("--dry-run", "say what would be moved, and change nothing", false)
    .addHelpText("after", "\nExample, after a block was renamed:\n  outreach state mv outreach_webhook.crm outreach_webhook.crm-replies")
    .action((from: string, to: string, options: StateEditOptions) =>
      choose(async (context) => (await import("../commands/state-mv.ts")).stateMvCommand(context, { from, to }, options)),
    );
  withState(state.command("rm"))
    .description("forget what is recorded, without deleting anything in the service")
    .argument("<addresses...>", "as in outreach_webhook.crm-replies")
    .option("--dry-run", "say what would be removed, and change nothing", false)
    .addHelpText("after", "\nExample:\n  outreach state rm outreach_webhook.crm-replies")
    .action((addresses: readonly string[], options: StateEditOptions) =>
      choose(async (context) => (await import("../commands/state-rm.ts")).stateRmCommand(context, addresses, options)),
    );
  withStatePath(state.command("pull"))
    .description("print the whole state document")
    .addHelpText("after", "\nExample, for a copy:\n  outreach state pull --show-emails > copy.json")
    .action((options: StatePathOptions) => choose(async (context) => (await import("../commands/state-pull.ts")).statePullCommand(context, options)));
  withState(state.command("push"))
    .description("put a state document in the place of the state")
    .argument("<file>", "what state pull has printed; - for the standard input")
    .option("--force", "also if it belongs to another state, is older, or the stored one cannot be read", false)
    .addHelpText("after", "\nExample, to go back to the version before:\n  outreach state push --force outreach.state.json.backup")
    .action((file: string, options: StatePushOptions) =>
      choose(async (context) => (await import("../commands/state-push.ts")).statePushCommand(context, file, options)),
    );
};
