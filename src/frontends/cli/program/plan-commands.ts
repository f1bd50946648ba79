import { type Command, Option } from "commander";
import { FORMS } from "../../convert/forms.ts";
import type { ConvertOptions } from "../commands/convert.ts";
import { type ApplyOptions, type JsonOptions, type PlanOptions, type StateOptions, withConfig, withPlan, withState, withStatePath } from "./options.ts";
import type { Register } from "./choose.ts";

/** Commands that carry a configuration out, or say what that would do. */
export const planCommands: Register = (program, choose) => {
  withConfig(program.command("validate"))
    .description("check the configuration without the network")
    .option("--json", "print Terraform's validate format", false)
    .addHelpText("after", "\nExample:\n  outreach validate -c outreach.yaml")
    .action((options: JsonOptions) => choose(async (context) => (await import("../commands/validate.ts")).validateCommand(context, options)));

  withPlan(program.command("plan"))
    .description("show what apply would do; sends nothing that writes")
    .option("--detailed-exitcode", "exit 2 when there are changes", false)
    .option("--destroy", "plan to destroy everything that is managed", false)
    .option("--out <file>", "save the plan: outreach apply FILE carries out exactly this one")
    .option("--no-secrets", "resolve no secret and run no command, for code that is not trusted; such a plan cannot be applied")
    .addHelpText("after", "\nExample, for a pull request:\n  outreach plan --detailed-exitcode")
    .action((options: PlanOptions) => choose(async (context) => (await import("../commands/plan.ts")).planCommand(context, options)));

  withPlan(program.command("apply"))
    .description("make the service as it is declared")
    .argument("[planfile]", "a plan that outreach plan --out has saved: it is the approval")
    .option("--auto-approve", "do not ask", false)
    .option("--destroy", "destroy everything that is managed", false)
    .addHelpText("after", "\nExamples, after a merge:\n  outreach apply --auto-approve\n  outreach apply saved.plan")
    .action((planFile: string | undefined, options: ApplyOptions, command: Command) =>
      choose(async (context) =>
        planFile === undefined
          ? (await import("../commands/apply.ts")).applyCommand(context, options)
          : (await import("../commands/apply-saved.ts")).applySavedCommand(context, planFile, { options, given: givenNames(command) }),
      ),
    );

  withState(program.command("refresh"))
    .description("make the state follow what is live; the same as apply --refresh-only --auto-approve")
    .option("--allow-recreate", "forget missing webhooks: more than limits.recreate allows, where the list may be cut off, or with another key", false)
    .option("--json", "print Terraform's machine-readable lines", false)
    .addHelpText("after", "\nExample:\n  outreach refresh")
    .action((options: StateOptions & { readonly allowRecreate: boolean; readonly json: boolean }) =>
      choose(async (context) => (await import("../commands/apply.ts")).refreshCommand(context, options)),
    );

  withPlan(program.command("destroy"))
    .description("destroy everything that is managed; the same as apply --destroy")
    .option("--auto-approve", "do not ask", false)
    .addHelpText("after", "\nExample:\n  outreach destroy")
    .action((options: ApplyOptions) => choose(async (context) => (await import("../commands/apply.ts")).applyCommand(context, { ...options, destroy: true })));

  withStatePath(program.command("convert"))
    .description("print the same declarations in another form, and the steps that hand them over to it; writes nothing and sends nothing")
    .addOption(new Option("--to <form>", "the form: YAML, Terraform's own syntax, or TypeScript for cdktn").choices(FORMS).makeOptionMandatory())
    .addHelpText("after", "\nExample, to go on with Terraform:\n  outreach convert -c outreach.yaml --to hcl > main.tf")
    .action((options: ConvertOptions) => choose(async (context) => (await import("../commands/convert.ts")).convertCommand(context, options)));
};

/** The options that stand on the command line, by their names: defaults are not among them. */
function givenNames(command: Command): readonly string[] {
  return command.options.map((option) => option.attributeName()).filter((name) => command.getOptionValueSource(name) === "cli");
}
