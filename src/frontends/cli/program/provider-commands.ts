import type { Register } from "./choose.ts";

/** Commands for those who use Terraform or OpenTofu. */
export const providerCommands: Register = (program, choose) => {
  const provider = program
    .command("provider")
    .description("the provider for Terraform and OpenTofu: install")
    .addHelpText("after", "\nExample:\n  outreach provider install");
  provider
    .command("install")
    .description("put the provider where Terraform and OpenTofu find it without a network, and print the CLI configuration for that")
    .argument("[dir]", "a mirror of providers; when absent ~/.terraform.d/plugins, where both look by themselves")
    .addHelpText("after", "\nExamples:\n  outreach provider install\n  outreach provider install ./mirror > cli.tfrc")
    .action((folder: string | undefined) =>
      choose(async (context) => (await import("../commands/provider-install.ts")).providerInstallCommand(context, folder)),
    );
};
