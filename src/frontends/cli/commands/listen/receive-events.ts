import path from "node:path";
import type { Clock, FileSystem } from "../../../../core/model/ports.ts";
import { refuseCompressed } from "../../../../service/receiver/body.ts";
import { EventError } from "../../../../service/receiver/event-error.ts";
import { STATUSES } from "../../../../service/receiver/handle-delivery.ts";
import { verifyEvent } from "../../../../service/receiver/parse-event.ts";
import { isVerification } from "../../../../service/receiver/verification.ts";
import { type ForwardAnswer, type ForwardPorts, type ForwardTarget, forwarder, worstAnswer } from "./forward-event.ts";
import type { Answer, Delivery } from "./listener.ts";
import { type EventFields, type ReceivedEvent, type Verification, textOf } from "./received-event.ts";
import { isoTime } from "../../../../core/model/iso-time.ts";

export interface ReceiveOptions {
  /** Every accepted secret; none: nothing is verified. */
  readonly secrets: readonly string[];
  /** Each gets the events of its type. */
  readonly forward: readonly ForwardTarget[];
  /** How long one of them may take. */
  readonly timeoutMs: number;
  /** Saves an event, and resolves to the path of its file; null: nothing is saved. Those of `outreach doctor --receivers` never are. `number` counts from 1. */
  readonly save:
    | ((saved: {
        readonly event: EventFields;
        readonly receivedAtMs: number;
        readonly number: number;
      }) => Promise<string>)
    | null;
  /** Called for each delivery, before it is answered. */
  readonly report: (received: ReceivedEvent) => void;
}

/** What handling deliveries needs. */
export interface ReceivePorts extends ForwardPorts {
  readonly clock: Pick<Clock, "monotonicMs" | "now">;
}

/** How many events are remembered to find duplicates. */
const MAX_REMEMBERED = 10_000;

/** Verifies, saves and forwards deliveries. With targets, the sender gets the worst of their answers, otherwise 200. */
export function receiveEvents(options: ReceiveOptions, ports: ReceivePorts): (delivery: Delivery) => Promise<Answer> {
  const { save, report } = options;
  const targets = options.forward.map((target) => ({
    ...target,
    forward: forwarder(target, options.timeoutMs, ports),
  }));
  const seen = seenEvents(MAX_REMEMBERED);
  let count = 0;
  return async (delivery) => {
    const receivedAtMs = ports.clock.now();
    const finish = (outcome: Omit<ReceivedEvent, "receivedAtMs" | "status">, answer: Answer): Answer => {
      report({ receivedAtMs, ...outcome, status: answer.status });
      return answer;
    };
    const { event, verification, refusal } = verified(delivery, options.secrets);
    const received = { event, verification, isDuplicate: false, forwards: [], savedAs: null };
    if (refusal !== null)
      return finish({ ...received, problem: refusal.message }, { status: refusal.status, text: refusal.message });
    const isDuplicate = seen.add(event);
    count++;
    let savedAs: string | null = null;
    try {
      // There is nothing to replay.
      const isSaved = save !== null && !isVerification({ _id: textOf(event, "_id"), type: textOf(event, "type") });
      if (isSaved) savedAs = await save({ event, receivedAtMs, number: count });
    } catch (error) {
      const reason = `The event cannot be saved: ${error instanceof Error ? error.message : String(error)}.`;
      return finish({ ...received, isDuplicate, problem: reason }, { status: 500, text: "The event cannot be saved." });
    }
    const type = textOf(event, "type");
    const answers = await Promise.all(
      targets.flatMap((target) => (target.type === null || target.type === type ? [target.forward(delivery)] : [])),
    );
    const { status, retryAfter } = worstAnswer(answers);
    const forwards = answers.map(({ retryAfter: _, isLate: __, ...forwarded }: ForwardAnswer) => forwarded);
    return finish(
      { ...received, isDuplicate, problem: null, forwards, savedAs },
      { status, text: "", ...(retryAfter === null ? {} : { headers: { "retry-after": retryAfter } }) },
    );
  };
}

type Verified =
  | { readonly event: EventFields; readonly verification: Verification; readonly refusal: null }
  | {
      /** Null if the body is not an event. */
      readonly event: EventFields | null;
      readonly verification: Verification;
      readonly refusal: { readonly message: string; readonly status: number };
    };

function verified({ body, headers }: Delivery, secrets: readonly string[]): Verified {
  const [accept, verification] =
    secrets.length === 0 ? [{ unverified: true } as const, "unchecked" as const] : [{ secrets }, "verified" as const];
  try {
    refuseCompressed(headers["content-encoding"]);
    return { event: verifyEvent(body, accept), verification, refusal: null };
  } catch (error) {
    if (!(error instanceof EventError)) throw error;
    const { code, message } = error;
    const refusal = { message, status: STATUSES[code] };
    if (code !== "secret_wrong" && code !== "secret_missing") return { event: null, verification: "none", refusal };
    return { event: claimed(body), verification: code === "secret_wrong" ? "wrong" : "missing", refusal };
  }
}

/** The event of a sender without an accepted secret; null if the body is not an event. */
function claimed(body: Uint8Array): EventFields | null {
  try {
    return verifyEvent(body, { unverified: true });
  } catch (error) {
    if (error instanceof EventError) return null;
    throw error;
  }
}

/** Attempts to find a name that is free. */
const MAX_ATTEMPTS = 100;
const MAX_PART = 40;
/** After these errors, a part of the new file is left. */
const WHILE_WRITING: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EIO", "EFBIG"]);

/**
 * Saves an event, without its secret, as a file of its own that only the user can read, and returns its path. Names start with the time, so that their
 * order is the order of arrival. Never overwrites a file. Throws Node's errors.
 */
export async function saveEvent(
  files: FileSystem,
  folder: string,
  {
    event,
    receivedAtMs,
    number,
  }: { readonly event: EventFields; readonly receivedAtMs: number; /** From 1. */ readonly number: number },
): Promise<string> {
  const time = isoTime(receivedAtMs).replaceAll(/[-:.]/g, "");
  const base = [time, String(number).padStart(6, "0"), namePart(textOf(event, "type")), namePart(textOf(event, "_id"))]
    .filter((part) => part !== "")
    .join("-");
  const bytes = Buffer.from(`${JSON.stringify(event, null, 2)}\n`);
  for (let attempt = 1; ; attempt++) {
    const file = path.join(folder, `${base}${attempt === 1 ? "" : `-${String(attempt)}`}.json`);
    try {
      await files.createExclusively(file, bytes);
      return file;
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      if (WHILE_WRITING.has(code)) await files.remove(file).catch(() => undefined);
      if (code !== "EEXIST" || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/** The sender chooses it: only letters, digits, `_` and `-` stay. */
function namePart(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_-]/g, "").slice(0, MAX_PART);
}

/** Remembers which events were accepted. */
interface SeenEvents {
  /** Whether an event with this type and id was added before. Adds it. An event without an id is never a duplicate. */
  add(event: EventFields): boolean;
}

/** Remembers the last `limit` events. */
export function seenEvents(limit: number): SeenEvents {
  const seen = new Set<string>();
  return {
    add: (event) => {
      const id = textOf(event, "_id");
      if (id === "") return false;
      const key = JSON.stringify([textOf(event, "type"), id]);
      // Deleted and added again, it is the latest.
      const isDuplicate = seen.delete(key);
      seen.add(key);
      const [oldest] = seen;
      if (seen.size > limit && oldest !== undefined) seen.delete(oldest);
      return isDuplicate;
    },
  };
}
