import { type Diagnostic, DiagnosticsError, errorOf } from "../../../../core/model/diagnostic.ts";
import type { ExitCode } from "../../command-context.ts";
import { type ListenerWebhook, readListenerWebhooks } from "../../events/leftover-webhooks.ts";
import { removeWebhook } from "../../events/temporary-webhook.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import { type ConfigOptions, withConfig } from "../../program/command-options.ts";
import { printDiagnostics } from "../../screen/print-diagnostics.ts";
import { withService } from "../../../../operations/service/connection.ts";

/** Removes nothing unless all of them are temporary webhooks, and no listener of theirs runs on this machine. */
export const listenUnregisterCommand: CommandDefinition<ConfigOptions, readonly [ids: readonly string[]]> = {
  name: "unregister",
  description: "removes temporary webhooks that outreach listen --register has left",
  example: { purpose: "for a webhook that outreach doctor shows", lines: ["outreach listen unregister hoo_000001"] },
  declare: (command) => withConfig(command).argument("<webhook-id...>", "temporary webhooks"),
  run: (context, { options, operands: [ids] }) =>
    withService(context, options, async (caller): Promise<ExitCode> => {
      const webhooks = new Map((await readListenerWebhooks(context, caller)).map((webhook) => [webhook.id, webhook]));
      const problems = [...new Set(ids)].flatMap((id) => problemOf(id, webhooks.get(id)));
      if (problems.length > 0) throw new DiagnosticsError(problems);
      let exitCode: ExitCode = 0;
      for (const id of new Set(ids)) {
        const problem = await removeWebhook(context, caller, id);
        if (problem) {
          printDiagnostics(context, [problem]);
          exitCode = 1;
        } else context.out(`Removed ${id}.\n`);
      }
      return exitCode;
    }),
};

function problemOf(id: string, webhook: ListenerWebhook | undefined): readonly Diagnostic[] {
  if (webhook && webhook.listener !== "running") return [];
  const [detail, hint] = webhook
    ? [`The listener of ${id} still runs on this machine.`, "Stop it with Ctrl-C: it removes its webhook."]
    : [`The service lists no temporary webhook with the id ${id}.`, "List the temporary webhooks: outreach doctor"];
  return [errorOf("not_a_leftover", "Not a leftover webhook", { detail: `${detail} Nothing was removed.`, hint })];
}
