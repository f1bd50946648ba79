import { noteOf } from "../../../../core/model/diagnostic.ts";
import type { LoggedDelivery } from "../../../../sandbox/delivery/delivery-log.ts";
import type { Triggered } from "../../../../sandbox/events/triggered-events.ts";
import { visible } from "../../../../core/model/visible.ts";
import type { OperationContext } from "../../../../operations/context.ts";
import type { CommandContext } from "../../command-context.ts";
import { printDiagnostics } from "../../screen/print-diagnostics.ts";
import { type ControlClient, sentence } from "./control-client.ts";

/** Waits this long for the first attempts of the deliveries: of one event, and of several. */
const WAIT_MS = 2000;
const WAIT_SEVERAL_MS = 10_000;
/** The most deliveries whose results are fetched. */
const MAX_FOLLOWED = 10_000;

/** What the sandbox has answered so far. */
export interface Results {
  /** How many events were asked for and triggered. */
  triggered: number;
  durationMs: number;
  /** Those of the last answer, including those of the lead state groups. */
  events: Triggered["events"];
  /** The ids of the deliveries, as far as they are followed. */
  readonly followed: number[];
  deliveries: number;
  /** Deliveries whose host the settings of the sandbox do not allow. */
  skipped: number;
  unfinished: number;
  /** Why no webhook receives the events. */
  unmatched: string | null;
}

export function newResults(): Results {
  return {
    triggered: 0,
    durationMs: 0,
    events: [],
    followed: [],
    deliveries: 0,
    skipped: 0,
    unfinished: 0,
    unmatched: null,
  };
}

/** Adds the answer for `count` further events. */
export function addAnswer(results: Results, { events, unfinished, unmatched }: Triggered, count: number): void {
  results.triggered += count;
  results.unfinished = unfinished;
  results.unmatched ??= unmatched;
  results.events = events;
  for (const { deliveries, skipped } of events) {
    results.deliveries += deliveries.length;
    results.skipped += skipped.length;
    results.followed.push(...deliveries.slice(0, MAX_FOLLOWED - results.followed.length));
  }
}

/** Shows the events and the results of their deliveries: each delivery of a single event, counts for several events. */
export async function showResults(
  context: CommandContext,
  client: ControlClient,
  results: Results,
  count: number,
): Promise<void> {
  const isFollowed = results.deliveries <= MAX_FOLLOWED;
  const deliveries = isFollowed
    ? await awaitDeliveries(context, client, results.followed, count === 1 ? WAIT_MS : WAIT_SEVERAL_MS)
    : [];
  context.out(count === 1 ? eventLines(results, deliveries) : `${summary(results, deliveries, count)}\n`);
  if (results.unmatched !== null && results.deliveries === 0 && results.skipped === 0) {
    const hint = "Declare a webhook for it, and run: outreach apply";
    printDiagnostics(context, [
      noteOf("event_unmatched", "No webhook matches", { detail: sentence(results.unmatched), hint }),
    ]);
  }
  if (results.skipped > 0) {
    const detail = "The sandbox delivers only to the hosts that its settings allow: by default, those of this machine.";
    const hint = "To deliver to any host, start it with: outreach sandbox --deliver any";
    printDiagnostics(context, [noteOf("event_not_sent", "Some webhooks receive nothing", { detail, hint })]);
  }
}

/** A line for each delivery of a single event and its group. */
function eventLines({ events }: Results, deliveries: readonly LoggedDelivery[]): string {
  const byId = new Map(deliveries.map((delivery) => [delivery.id, delivery]));
  const widest = (texts: readonly string[]): number => Math.max(...texts.map((text) => text.length));
  const [idWidth, typeWidth] = [widest(events.map(({ _id }) => _id)), widest(events.map(({ type }) => type))];
  const lines = events.flatMap(({ _id, type, deliveries: ids, skipped }) => {
    const event = `${_id.padEnd(idWidth)}  ${type.padEnd(typeWidth)}`;
    const sent = ids.map((id) => {
      const delivery = byId.get(id);
      return delivery
        ? `${delivery.webhookId} ${delivery.targetUrl}  ${deliveryText(delivery)}`
        : `delivery ${String(id)}  no longer in the log`;
    });
    const unsent = skipped.map((id) => `${id}  not sent`);
    const all = [...sent, ...unsent];
    return all.length === 0 ? [`${event}  no webhook`] : all.map((text) => `${event}  → ${text}`);
  });
  return lines.map((line) => `${visible(line)}\n`).join("");
}

/** `Triggered 500 events in 10.0 s. 1,000 deliveries: 998 delivered, 2 retrying.` */
function summary(
  { triggered, durationMs, deliveries: sent, skipped, unfinished }: Results,
  deliveries: readonly LoggedDelivery[],
  count: number,
): string {
  const events = `Triggered ${grouped(triggered)}${triggered < count ? ` of ${grouped(count)}` : ""} events in ${(durationMs / 1000).toFixed(1)} s.`;
  const states = deliveries.length === sent ? statesText(deliveries) : `${grouped(unfinished)} unfinished`;
  const made = sent === 0 ? "No deliveries" : `${grouped(sent)} ${sent === 1 ? "delivery" : "deliveries"}: ${states}`;
  return `${events} ${made}${skipped > 0 ? `, ${grouped(skipped)} not sent` : ""}.`;
}

const POLL_MS = 50;
/** The most deliveries with a short list: with more, ask less often. */
const FEW = 100;
const POLL_MANY_MS = 500;

/**
 * The deliveries with these ids, oldest first, as soon as each had an attempt, but at the latest after `waitMs`. Those that the sandbox's log has
 * no longer are missing.
 */
async function awaitDeliveries(
  { clock, stop }: OperationContext,
  client: ControlClient,
  ids: readonly number[],
  waitMs: number,
): Promise<readonly LoggedDelivery[]> {
  if (ids.length === 0) return [];
  const wanted = new Set(ids);
  const endMs = clock.monotonicMs() + waitMs;
  const after = String(Math.min(...wanted) - 1);
  for (;;) {
    const listed = (await client.get(`/deliveries?after=${after}`)) as readonly LoggedDelivery[];
    const found = listed.filter(({ id }) => wanted.has(id));
    if (stop.aborted || clock.monotonicMs() >= endMs || found.every(({ state }) => state !== "pending")) return found;
    await clock.sleep(ids.length > FEW ? POLL_MANY_MS : POLL_MS, stop).catch(() => undefined);
  }
}

/** The result of a delivery so far, as in `200 in 12 ms`. */
function deliveryText({ state, attempts, nextAttemptAt, reason }: LoggedDelivery): string {
  const last = attempts.at(-1);
  const answer =
    last === undefined
      ? null
      : `${last.status === null ? (last.error ?? "no answer") : String(last.status)} in ${String(Math.round(last.durationMs))} ms`;
  switch (state) {
    case "pending":
      return "pending";
    case "delivered":
      return answer ?? state;
    case "retrying":
      return `${answer ?? "no answer"}${last && nextAttemptAt !== null ? `, retry in ${seconds(nextAttemptAt - last.at - last.durationMs)}` : ""}`;
    case "failed":
      return `failed: ${answer ?? reason ?? "no answer"}`;
    case "dropped":
    case "cancelled":
    case "skipped":
      return `not sent: ${reason ?? state}`;
  }
}

/** `998 delivered, 2 retrying` */
function statesText(deliveries: readonly Pick<LoggedDelivery, "state">[]): string {
  const counts: Record<string, number> = {};
  for (const { state } of deliveries) counts[state] = (counts[state] ?? 0) + 1;
  return Object.entries(counts)
    .map(([state, count]) => `${grouped(count)} ${state}`)
    .join(", ");
}

/** `1,000` */
export function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}

function seconds(ms: number): string {
  return ms < 1000 ? `${String(Math.max(0, Math.round(ms)))} ms` : `${String(Math.round(ms / 1000))} s`;
}
