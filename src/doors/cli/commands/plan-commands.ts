import { type ApplyOptions, type ConfigOptions, type PlanOptions, withConfig, withPlan } from "../options.ts";
import type { Register } from "./choose.ts";

/** Commands that carry a configuration out, or say what that would do. */
export const planCommands: Register = (program, choose) => {
  withConfig(program.command("validate"))
    .description("check the configuration without the network")
    .addHelpText("after", "\nExample:\n  outreach validate -c outreach.yaml")
    .action((options: ConfigOptions) => choose(async (terminal) => (await import("../validate.ts")).validateCommand(terminal, options)));

  withPlan(program.command("plan"))
    .description("show what apply would do; sends nothing that writes")
    .option("--detailed-exitcode", "exit 2 when there are changes", false)
    .option("--destroy", "plan to destroy everything that is managed", false)
    .addHelpText("after", "\nExample, for a pull request:\n  outreach plan --detailed-exitcode")
    .action((options: PlanOptions) => choose(async (terminal) => (await import("../plan.ts")).planCommand(terminal, options)));

  withPlan(program.command("apply"))
    .description("make the service as it is declared")
    .option("--auto-approve", "do not ask", false)
    .option("--destroy", "destroy everything that is managed", false)
    .addHelpText("after", "\nExample, after a merge:\n  outreach apply --auto-approve")
    .action((options: ApplyOptions) => choose(async (terminal) => (await import("../apply.ts")).applyCommand(terminal, options)));

  withPlan(program.command("destroy"))
    .description("destroy everything that is managed; the same as apply --destroy")
    .option("--auto-approve", "do not ask", false)
    .addHelpText("after", "\nExample:\n  outreach destroy")
    .action((options: ApplyOptions) => choose(async (terminal) => (await import("../apply.ts")).applyCommand(terminal, { ...options, destroy: true })));
};
