import { type CallerOptions, read } from "./caller.ts";
import { ServiceError } from "./service-errors.ts";
import { isId } from "./service-path.ts";

/** The warm-up settings of a mailbox: any fields of the two documented field sets (Warm-up settings). */
export type WireWarmupSettings = { readonly [field: string]: unknown };

/** `GET /warmup/{userMailboxId}/settings`. Throws `ServiceError`. */
export async function readWarmupSettings(options: CallerOptions, mailboxId: string, signal: AbortSignal): Promise<WireWarmupSettings> {
  if (!isId(mailboxId)) throw new Error(`${JSON.stringify(mailboxId)} is not a mailbox id`);
  const { json } = await read(options, { method: "GET", segments: ["warmup", mailboxId, "settings"], statuses: {} }, signal);
  if (typeof json !== "object" || json === null || Array.isArray(json))
    throw new ServiceError(`GET /warmup/${mailboxId}/settings: the answer is not an object`);
  return json as WireWarmupSettings;
}
