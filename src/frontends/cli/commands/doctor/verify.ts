import { type Semaphore, semaphore } from "../../../../core/model/async.ts";
import { DiagnosticsError, type Diagnostic } from "../../../../core/model/diagnostic.ts";
import type { HostPattern } from "./host-pattern.ts";
import { isoTime } from "../../../../core/model/iso-time.ts";
import { getOrMake } from "../../../../core/model/maps.ts";
import { noAnswerClause, type Web, WebFailure } from "../../../../core/model/web.ts";
import { VERIFICATION_HEADER, verificationEvent } from "../../../../service/receiver/verification.ts";
import { duration } from "../../../../operations/configuration/environment-names.ts";
import type { OperationContext } from "../../../../operations/context.ts";
import { withOpenRun } from "../../../../operations/open-run.ts";
import type { OperationOptions } from "../../../../operations/options.ts";
import { lazyWeb } from "../../../../operations/service/lazy-web.ts";
import { noState, readRecords } from "../../../../operations/state/records.ts";
import { isAccepted, type Judgement, judgeAnswers, type ReceiverAnswer } from "./judge.ts";
import { findTargets, type LeftOut, type Target, webhooksIn } from "./targets.ts";

/** What is known of one webhook's receiver. */
export interface ReceiverCheck {
  readonly address: string;
  readonly host: string;
  readonly result: "ok" | "failed" | "skipped";
  readonly reason: Judgement["reason"] | LeftOut["why"]["reason"];
  /** More about it; null for nothing. */
  readonly detail: string | null;
  /** The answer to an event as the service sends it. Null without one. */
  readonly status: number | null;
  readonly ms: number | null;
  /** The answer to a wrong secret. Null without one. */
  readonly wrongSecretStatus: number | null;
}

export interface VerifyOptions extends OperationOptions {
  /** The hosts that get events. No other one gets anything. */
  readonly allow: readonly HostPattern[];
  /** Called once events are sent, and after each receiver. */
  readonly report: (done: number, total: number) => void;
}

/** Receivers that get events at the same time: in all, and of one host. */
const [MAX_PARALLEL, MAX_OF_HOST] = [100, 8];
/** After this many times the time of one answer, nobody else is asked. */
const MAX_ROUNDS = 4;
/** As long as the sandbox waits for an answer. */
const DEFAULT_TIMEOUT_MS = 15_000;
/** Nothing of an answer's body is used. */
const MAX_ANSWER_BYTES = 1024 * 1024;
const SECRET_BYTES = 32;

/**
 * Sends a synthetic event to the receiver of each webhook, at its URL as it was last applied, with its secret; and, where that is accepted, another
 * one with a wrong secret. Nothing goes to a host that is not allowed. Sends no writes to the service, and stores nothing.
 */
export async function verifyReceivers(
  context: OperationContext,
  { allow, report, ...options }: VerifyOptions,
): Promise<{ readonly receivers: readonly ReceiverCheck[]; readonly diagnostics: readonly Diagnostic[] }> {
  const { found, diagnostics } = await withOpenRun(
    context,
    { ...options, operation: "doctor --receivers", persists: false, needs: "blocks" },
    async (run) => {
      if (run.open.version === null) throw new DiagnosticsError([noState(run.store)]);
      return {
        found: await findTargets(run, allow),
        diagnostics: run.diagnostics,
      };
    },
  );
  // Without the lock: an apply need not wait for slow receivers.
  const probe = prober(context);
  let done = 0;
  const total = found.filter((one) => !("why" in one)).length;
  report(done, total);
  const receivers = found.map(async (one): Promise<ReceiverCheck> => {
    const { address, url } = one;
    const known = {
      address,
      host: url.host,
      detail: null,
      status: null,
      ms: null,
      wrongSecretStatus: null,
    };
    if ("why" in one) return { ...known, ...one.why, detail: one.detail };
    const probed = await probe(one);
    report(++done, total);
    return { ...known, ...probed };
  });
  return { receivers: await Promise.all(receivers), diagnostics };
}

/** The hosts of all receivers, from the state alone. */
export async function receiverHosts(context: OperationContext, options: OperationOptions): Promise<readonly string[]> {
  const { instances } = (await readRecords(context, options)).open.document;
  return [...new Set(webhooksIn(instances).map(({ url }) => url.host))].toSorted();
}

type Probed = Pick<ReceiverCheck, "result" | "reason" | "detail" | "status" | "ms" | "wrongSecretStatus">;

/** Asks each receiver once for each secret, although several webhooks may lead to it. */
function prober(context: OperationContext): (target: Target) => Promise<Probed> {
  const slots = semaphore(MAX_PARALLEL);
  const hosts = new Map<string, Semaphore>();
  const web = lazyWeb(context, { maxResponseBytes: MAX_ANSWER_BYTES });
  const timeoutMs = duration(context, "OUTREACH_TIMEOUT", DEFAULT_TIMEOUT_MS);
  const endMs = context.clock.monotonicMs() + MAX_ROUNDS * timeoutMs;
  const asked = new Map<string, Promise<Probed>>();
  return ({ url, secret }) =>
    getOrMake(asked, JSON.stringify([url.href, secret]), async () => {
      const leaveHost = await getOrMake(hosts, url.host, () => semaphore(MAX_OF_HOST)).enter();
      const leave = await slots.enter();
      try {
        if (context.clock.monotonicMs() >= endMs) return NOT_ASKED;
        const send = async (sent: string | null) => sendEvent(context, await web(), { url, secret: sent, timeoutMs });
        const first = await send(secret);
        // Random: a receiver that logs it learns nothing.
        const second =
          secret !== null && isAccepted(first)
            ? await send(Buffer.from(context.random.bytes(SECRET_BYTES)).toString("hex"))
            : null;
        const { status, ms } = first;
        return {
          ...judgeAnswers(first, second),
          status,
          ms,
          detail: first.problem ?? second?.problem ?? null,
          wrongSecretStatus: second?.status ?? null,
        };
      } finally {
        leave();
        leaveHost();
      }
    });
}

const NOT_ASKED: Probed = {
  result: "failed",
  reason: "not_asked",
  detail: null,
  status: null,
  ms: null,
  wrongSecretStatus: null,
};

async function sendEvent(
  { clock, random, stop, version }: OperationContext,
  web: Web,
  { url, secret, timeoutMs }: Pick<Target, "url" | "secret"> & { readonly timeoutMs: number },
): Promise<ReceiverAnswer> {
  stop.throwIfAborted();
  const event = {
    ...verificationEvent({ uuid: random.uuid(), createdAt: isoTime(clock.now()) }),
    ...(secret === null ? {} : { secret }),
  };
  const headers = {
    "content-type": "application/json",
    accept: "*/*",
    "user-agent": `outreach-as-code/${version}`,
    [VERIFICATION_HEADER]: "1",
  };
  const startedMs = clock.monotonicMs();
  const ms = (): number => Math.round(clock.monotonicMs() - startedMs);
  try {
    const { status } = await web.send(
      { method: "POST", url, headers, body: Buffer.from(JSON.stringify(event)), timeoutMs },
      stop,
    );
    return { status, problem: null, ms: ms() };
  } catch (error) {
    if (!(error instanceof WebFailure)) throw error;
    return { status: null, problem: noAnswerClause(error), ms: ms() };
  }
}
