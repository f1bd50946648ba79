import { NEVER_ABORTED } from "../../model/async.ts";
import type { AnyResource, RetryRule, WriteOutcome } from "../../model/definition.ts";
import type { LostCreate } from "../../state/lost-create.ts";
import { withoutUnknown } from "./store-intent.ts";
import { idOfAnother } from "./outcome-diagnostics.ts";
import { lookAfterRejection } from "./rejected-create.ts";
import { type Creation, type WriteAccess, type WriteContext } from "./write-context.ts";

export interface Sending {
  readonly context: WriteContext;
  /** The intent's sequence number. */
  readonly intentSeq: number;
  readonly client: unknown;
  /** The create is half of a replace; `gone`: the old object is deleted, so an interrupt must not end the wait for the rate limit. */
  readonly replaces?: "gone" | "kept";
}

const IRREVERSIBLE_RETRIES = 2;
const RETRY_PAUSE_MS = 500;

export type SentOutcome = WriteOutcome &
  Pick<Creation, "attempted"> & { /** The record of a create that an answer rejected. */ readonly lost?: LostCreate };

/** Sends it once, and reads the list after an answer that rejects it. An irreversible write, which nothing can look up, is retried after an indefinite answer. */
export async function sendCreate(
  definition: AnyResource,
  creation: Creation,
  { context, intentSeq, client, replaces }: Sending,
): Promise<SentOutcome> {
  const planned = withoutUnknown(definition, creation.attributes);
  const retry: RetryRule = {
    ...retryRule({ context, intentSeq }),
    ...(replaces === "gone" ? { stop: NEVER_ABORTED } : {}),
    ofReplace: replaces !== undefined,
  };
  const sendTo = async (to: unknown, before: Pick<Creation, "attempted">): Promise<SentOutcome> => {
    const { mark } = creation;
    const attempt = {
      client: to,
      signal: NEVER_ABORTED,
      retry,
      ...(mark === undefined ? {} : { mark }),
      ...before,
    };
    return { ...(await send(() => definition.create({ ...planned, ...creation.secrets }, attempt))), ...before };
  };
  let outcome = await sendTo(client, creation.attempted ? { attempted: true } : {});
  if (!definition.irreversible) {
    const claim = await claimed(definition, { creation, outcome }, context);
    return definition.list && claim.kind === "refused" && claim.rejected
      ? lookAfterRejection(definition, { creation, outcome: claim }, context)
      : claim;
  }
  for (let times = 1; outcome.kind === "unsure" && times <= IRREVERSIBLE_RETRIES; times++) {
    const slot = await laterSlot(context, intentSeq, RETRY_PAUSE_MS * times);
    if (!slot) return outcome;
    outcome = await sendTo(slot.client, { attempted: true });
    slot.release();
  }
  return outcome;
}

/** Stores the intent of a write again before it is sent again, and ends the wait for that with the run. */
export function retryRule({
  context: { journal, signal },
  intentSeq,
}: Pick<Sending, "context" | "intentSeq">): RetryRule {
  return { before: async () => journal.beforeRequest(intentSeq, NEVER_ABORTED), stop: signal };
}

/** One object never belongs to two owners, nor to two addresses: the id of an object that existed before is not that of the new one. */
async function claimed(
  definition: AnyResource,
  { creation, outcome }: { readonly creation: Creation; readonly outcome: WriteOutcome },
  { baseline, isManaged, live }: WriteContext,
): Promise<WriteOutcome> {
  if (outcome.kind !== "done" || outcome.id === null) return outcome;
  const { id, returned } = outcome;
  if (definition.list && (await baseline(NEVER_ABORTED)).before.ids.has(id)) {
    const diagnostic = idOfAnother(definition, { address: creation.address, id, isManaged: isManaged(id) });
    return { kind: "refused", diagnostic, rejected: "plain" };
  }
  if (isManaged(id))
    return { kind: "unsure", cause: `the service answered with ${id}, which is already managed`, answered: true };
  // At once, so that no parallel create claims it too.
  live.added({ id, attributes: returned, ...(creation.mark === undefined ? {} : { mark: creation.mark }) });
  return outcome;
}

/** Null when the run was interrupted: then nothing more starts. */
async function laterSlot(
  { access, clock, journal, signal }: WriteContext,
  intentSeq: number,
  pauseMs: number,
): Promise<Awaited<ReturnType<WriteAccess["reserve"]>> | null> {
  try {
    await clock.sleep(pauseMs, signal);
    const slot = await access.reserve(1, signal);
    try {
      await journal.beforeRequest(intentSeq, signal);
    } catch (error) {
      slot.release();
      throw error;
    }
    return slot;
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

/** An exception during a request does not tell what the service did. */
export async function send(request: () => Promise<WriteOutcome>): Promise<SentOutcome> {
  try {
    return await request();
  } catch (error) {
    return {
      kind: "unsure",
      cause: error instanceof Error ? error.message : "the request ended without an answer",
      answered: false,
    };
  }
}
