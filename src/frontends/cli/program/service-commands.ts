import { type JsonOptions, withJson } from "./options.ts";
import type { Register } from "./choose.ts";

/** Commands that ask the service itself, whatever is declared. */
export const serviceCommands: Register = (program, choose) => {
  const get = program
    .command("get")
    .description("print what the service has: campaigns, schedules, warmup, webhooks")
    .addHelpText("after", "\nExample:\n  outreach get campaigns");

  withJson(get.command("campaigns"))
    .description("the team's campaigns")
    .option("--status <status>", "only those in this status")
    .option("--name-regex <regex>", "only those whose name it matches")
    .addHelpText("after", "\nExample:\n  outreach get campaigns --status running")
    .action(({ status, nameRegex, ...options }: JsonOptions & { readonly status?: string; readonly nameRegex?: string }) =>
      choose(async (context) =>
        (await import("../commands/get.ts")).getCommand(context, "campaigns", { config: { status: status ?? null, name_regex: nameRegex ?? null }, options }),
      ),
    );
  withJson(get.command("schedules"))
    .description("the schedules of a campaign")
    .argument("<campaign-id>")
    .addHelpText("after", "\nExample:\n  outreach get schedules cam_000001")
    .action((campaignId: string, options: JsonOptions) =>
      choose(async (context) => (await import("../commands/get.ts")).getCommand(context, "schedules", { config: { campaign_id: campaignId }, options })),
    );
  withJson(get.command("warmup"))
    .description("the warm-up settings of a user's mailbox")
    .argument("<user-mailbox-id>")
    .addHelpText("after", "\nExample:\n  outreach get warmup usm_000001")
    .action((mailboxId: string, options: JsonOptions) =>
      choose(async (context) => (await import("../commands/get.ts")).getCommand(context, "warmup", { config: { user_mailbox_id: mailboxId }, options })),
    );
  withJson(get.command("webhooks"))
    .description("all live webhooks, whoever made them")
    .addHelpText("after", "\nExample:\n  outreach get webhooks --json")
    .action((options: JsonOptions) => choose(async (context) => (await import("../commands/get.ts")).getCommand(context, "webhooks", { config: {}, options })));

  withJson(program.command("export"))
    .description("start a statistics export of a campaign")
    .argument("<campaign-id>")
    .addHelpText("after", "\nExample:\n  outreach export cam_000001")
    .action((campaignId: string, options: JsonOptions) =>
      choose(async (context) => (await import("../commands/export.ts")).exportCommand(context, campaignId, options)),
    );

  withJson(program.command("doctor"))
    .description("look at the real service with reads alone, and say which guarantees hold")
    .addHelpText("after", "\nExample:\n  outreach doctor")
    .action((options: JsonOptions) => choose(async (context) => (await import("../commands/doctor.ts")).doctorCommand(context, options)));
};
