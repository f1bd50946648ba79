import type { CommandContext } from "../command-context.ts";
import { type LiveObject, resourceOf } from "../../../core/model/definition.ts";
import { type Diagnostic, warningOf } from "../../../core/model/diagnostic.ts";
import type { ProcessFate } from "../../../core/model/process-fate.ts";
import { fateOfToken } from "../../../core/secrets/process-token.ts";
import { shortText } from "../../../core/model/words.ts";
import type { CallerOptions } from "../../../service/api/caller.ts";
import { readClient } from "../../../service/api/client.ts";
import { temporaryTokenOf } from "../../../service/api/temporary-target.ts";
import { WEBHOOK } from "../../generate/adoption/live-webhook.ts";
import type { Ports } from "../../../operations/context.ts";

/** A temporary webhook of an `outreach listen`. */
export interface ListenerWebhook {
  readonly id: string;
  readonly targetUrl: string;
  /** The time that the service gives; null if it gives none. */
  readonly createdAt: string | null;
  /** Whether its listener still runs. */
  readonly listener: ProcessFate;
}

/** The temporary webhooks among live ones. */
export async function listenerWebhooks(
  { process }: Pick<Ports, "process">,
  objects: readonly LiveObject[],
): Promise<readonly ListenerWebhook[]> {
  const found = await Promise.all(
    objects.map(async ({ id, attributes: { target_url: url, created_at: createdAt } }) => {
      if (typeof url !== "string") return [];
      const token = temporaryTokenOf(url);
      if (token === null) return [];
      return [
        {
          id,
          targetUrl: url,
          createdAt: typeof createdAt === "string" ? createdAt : null,
          listener: await fateOfToken(token, process),
        },
      ];
    }),
  );
  return found.flat();
}

/** The temporary webhooks of the service. */
export async function readListenerWebhooks(
  context: CommandContext,
  caller: CallerOptions,
): Promise<readonly ListenerWebhook[]> {
  const { list } = resourceOf(context.catalog, WEBHOOK);
  if (!list) throw new Error("webhooks have no list");
  const { objects } = await list({
    client: readClient(caller),
    signal: context.stop,
    expectedIds: new Set(),
    confirm: true,
  });
  return listenerWebhooks(context, objects);
}

/** Those that a listener has left: it has ended, or it may run elsewhere. */
export function leftovers(webhooks: readonly ListenerWebhook[]): readonly ListenerWebhook[] {
  return webhooks.filter(({ listener }) => listener !== "running");
}

/** The command that removes them. */
export function unregisterHint(ids: readonly string[], given: string): string {
  return `Remove ${ids.length === 1 ? "it" : "them"}: outreach listen unregister ${given}${ids.join(" ")}`;
}

/** One line about each. */
export function leftoverLines(webhooks: readonly ListenerWebhook[]): readonly string[] {
  return webhooks.map(({ id, targetUrl, createdAt, listener }) => {
    const since = createdAt === null ? "" : `, created at ${createdAt}`;
    const fate =
      listener === "ended"
        ? "its listener has ended"
        : "whether its listener still runs cannot be checked here: it was started on another machine, in another container, or before a restart";
    return `${id} (${shortText(targetUrl)}${since}): ${fate}.`;
  });
}

/** Null if there are none. */
export function leftoverWarning(webhooks: readonly ListenerWebhook[], given: string): Diagnostic | null {
  if (webhooks.length === 0) return null;
  const one = webhooks.length === 1;
  return warningOf(
    "temporary_webhook_found",
    one ? "A temporary webhook of outreach listen" : "Temporary webhooks of outreach listen",
    {
      detail: leftoverLines(webhooks).join("\n"),
      hint: unregisterHint(
        webhooks.map(({ id }) => id),
        given,
      ),
    },
  );
}
