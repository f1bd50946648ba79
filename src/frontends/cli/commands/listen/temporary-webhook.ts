import { NEVER_ABORTED } from "../../../../core/model/async.ts";
import type { CommandContext } from "../../command-context.ts";
import { checkAttributes } from "../../../../core/model/check.ts";
import { type AnyResource, resourceOf, type WriteOutcome } from "../../../../core/model/definition.ts";
import { type Diagnostic, DiagnosticsError, hasErrors, errorOf } from "../../../../core/model/diagnostic.ts";
import type { Attributes } from "../../../../core/model/value.ts";
import type { CallerOptions } from "../../../../service/api/caller.ts";
import { readClient, reserveWrites } from "../../../../service/api/client.ts";
import { isLoopback } from "../../../../service/api/service-path.ts";
import { temporaryTarget } from "../../../../service/api/temporary-target.ts";
import { WEBHOOK } from "../../../generate/adoption/live-webhook.ts";

/** A webhook that exists as long as its listener. */
export interface TemporaryWebhook {
  readonly id: string;
  readonly targetUrl: string;
  /** Removes it, with retries. Returns the problem if it may still exist. */
  remove(): Promise<Diagnostic | null>;
}

export interface Registration {
  /** The base of the target URL; null: the listener's own URL, which only a service on this machine reaches. */
  readonly publicUrl: string | null;
  /** The event type; null: all. */
  readonly type: string | null;
  /** The campaign; null: all. */
  readonly campaignId: string | null;
  readonly secret: string;
}

const TOKEN_BYTES = 16;

/** Throws, before anything listens or is sent, if the webhook cannot be created, or the service cannot reach the listener. */
export function assertRegistrable(
  { catalog }: CommandContext,
  { baseUrl }: CallerOptions,
  registration: Registration,
  port: number,
): void {
  const url = registration.publicUrl ?? "http://127.0.0.1";
  const problems = checkAttributes(resourceOf(catalog, WEBHOOK), attributesOf(url, registration));
  if (hasErrors(problems)) throw new DiagnosticsError(problems.map(asOption));
  if (isLoopback(new URL(url)) && !isLoopback(new URL(baseUrl)))
    throw DiagnosticsError.of("listen_register_url", "The service cannot reach this machine", {
      detail:
        "--register needs the public https URL of a tunnel that leads to the listener. Only a service on this machine reaches it directly.",
      hint: `Start a tunnel to 127.0.0.1:${String(port)}, and pass its URL: outreach listen --port ${String(port)} --register https://HOST`,
    });
}

/** The user wrote an option, and no attribute. */
function asOption(problem: Diagnostic): Diagnostic {
  return { ...problem, detail: problem.detail.replace(/^target_url /, "The URL of --register ") };
}

function attributesOf(targetUrl: string, { type, campaignId, secret }: Registration): Attributes {
  return { target_url: targetUrl, type, campaign_id: campaignId, secret };
}

/** Creates a temporary webhook that leads to a listener. Throws diagnostics if it does not exist then, or may not. */
export async function registerWebhook(
  context: CommandContext,
  caller: CallerOptions,
  { listenerUrl, ...registration }: Registration & { readonly listenerUrl: string },
): Promise<TemporaryWebhook> {
  const definition = resourceOf(context.catalog, WEBHOOK);
  const token = Buffer.from(context.random.bytes(TOKEN_BYTES)).toString("hex");
  const targetUrl = temporaryTarget(new URL(registration.publicUrl ?? listenerUrl), token);
  const absent = Object.fromEntries(Object.keys(definition.schema).map((name) => [name, null]));
  const outcome = await send(caller, (client) =>
    definition.create(
      { ...absent, ...attributesOf(targetUrl, registration) },
      { client, signal: NEVER_ABORTED, retry: { stop: context.stop } },
    ),
  );
  // The URL is unique, so a webhook in the list with this URL was created, even if the service rejected the request.
  const attempts = outcome.kind === "unsure" ? MAX_ATTEMPTS : outcome.kind === "refused" && outcome.rejected ? 1 : 0;
  const id = outcome.kind === "done" ? outcome.id : await idOf(context, caller, { definition, targetUrl, attempts });
  if (id === null && outcome.kind === "refused") throw new DiagnosticsError([outcome.diagnostic]);
  if (id === null) throw undecided(targetUrl, outcome.kind === "unsure" ? outcome.cause : "the answer has no id");
  return { id, targetUrl, remove: () => removeWebhook(context, caller, id) };
}

async function send(caller: CallerOptions, write: (client: unknown) => Promise<WriteOutcome>): Promise<WriteOutcome> {
  const slot = await reserveWrites(caller, 1, NEVER_ABORTED);
  try {
    return await write(slot.client);
  } catch (error) {
    return { kind: "unsure", cause: error instanceof Error ? error.message : String(error), answered: false };
  } finally {
    slot.release();
  }
}

const FIRST_PAUSE_MS = 500;
const MAX_ATTEMPTS = 5;

/** The id of the webhook with a unique target URL, which may appear in the list a little later; null if it does not. */
async function idOf(
  { clock, stop }: CommandContext,
  caller: CallerOptions,
  {
    definition,
    targetUrl,
    attempts,
  }: { readonly definition: AnyResource; readonly targetUrl: string; readonly attempts: number },
): Promise<string | null> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    if (attempt > 0) await clock.sleep(FIRST_PAUSE_MS * 2 ** (attempt - 1), stop).catch(() => undefined);
    const listing = await definition
      .list?.({ client: readClient(caller), signal: NEVER_ABORTED, expectedIds: new Set(), confirm: true })
      .catch(() => null);
    const found = listing?.objects.find(({ attributes }) => attributes["target_url"] === targetUrl);
    if (found) return found.id;
  }
  return null;
}

/** Deletes a webhook, with retries. Returns the problem if it may still exist. */
async function removeWebhook(context: CommandContext, caller: CallerOptions, id: string): Promise<Diagnostic | null> {
  const { catalog, clock } = context;
  const definition = resourceOf(catalog, WEBHOOK);
  const { delete: remove } = definition;
  if (!remove) throw new Error(`${WEBHOOK} has no delete`);
  let reason = "";
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (attempt > 0) {
      context.notice(`${id} is not removed yet: ${reason} Trying again. If you quit now, it stays.\n`);
      await clock.sleep(FIRST_PAUSE_MS * 2 ** (attempt - 1), NEVER_ABORTED);
    }
    const outcome = await send(caller, (client) => remove(id, { client, signal: NEVER_ABORTED }));
    if (outcome.kind === "done" || (outcome.kind === "refused" && outcome.gone === true)) return null;
    reason = outcome.kind === "unsure" ? `${outcome.cause}.` : outcome.diagnostic.detail;
    if (outcome.kind === "refused" && outcome.diagnostic.code !== "service_not_reached") break;
  }
  return errorOf("temporary_webhook_left", "The temporary webhook was not removed", {
    detail: `${id} may still exist, and then the service goes on sending events to it. ${reason}`,
    hint: `If outreach audit lists it, delete it: add { id: ${id}, reason: left by outreach listen } to removals in a configuration, and apply.`,
  });
}

function undecided(targetUrl: string, cause: string): DiagnosticsError {
  return DiagnosticsError.of("temporary_webhook_undecided", "The temporary webhook may exist", {
    detail: `The service gave no definite answer (${cause}), and its list does not show a webhook for ${targetUrl}.`,
    hint: "Run outreach audit in a minute. If it lists the webhook, add its id to removals in a configuration, and apply.",
  });
}
