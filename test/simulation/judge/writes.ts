import { COPIED_TYPE, type Logged, type Service, type Write } from "../service.ts";
import type { World } from "../world.ts";
import { type Found, type OpenWrite, managedIds, parseStored } from "./parse.ts";
import { unmarked } from "../marks.ts";
import type { Judged, RunReport } from "./report.ts";

/** An unsubscription is retried twice at most in one run. */
const MAX_SENDS = 3;

/** The rules that the writes of this run have broken. */
export function problemsOfWrites(
  { service, judge: memory }: World,
  report: RunReport,
  { marks }: Pick<Judged, "marks">,
): readonly string[] {
  const isNew = ({ number }: Write): boolean => number > memory.judgedWrites;
  const sent = service.log.filter(({ write }) => isNew(write));
  const inFlight = service.inFlight.filter(isNew);
  const writes = [...sent.map(({ write }) => write), ...inFlight];
  const broken = [
    ...writes.flatMap((write) => problemsOfWrite(write, service, report)),
    ...(service.setup.isPoor ? [] : sent.flatMap(problemsOfDelete)),
    ...(marks ? writes : []).flatMap(({ hook }) =>
      hook && unmarked(hook.targetUrl).mark === null ? [`${hook.targetUrl} was sent without a mark`] : [],
    ),
  ];
  const outcomes = [
    ...sent.map(({ write, fate }) => ({ write, kind: fate.kind })),
    ...inFlight.map((write) => ({ write, kind: "sent" })),
  ];
  const asked = outcomes.flatMap(({ write: { lead }, kind }) =>
    lead === null || kind === "refused" ? [] : [{ lead, isDecided: kind === "absent" }],
  );
  broken.push(
    ...problemsOfUnsubscriptions(
      asked.map(({ lead }) => lead),
      report,
      memory.unsubscribed,
    ),
  );
  const open = asked.filter(({ isDecided }) => !isDecided).map(({ lead }) => lead);
  if (open.length > 0) memory.unsubscribed = new Set([...memory.unsubscribed, ...open]);
  memory.judgedWrites = Math.max(
    memory.judgedWrites,
    ...sent.map(({ write }) => write.number),
    ...inFlight.map(({ number }) => number),
  );
  return broken;
}

function problemsOfWrite(write: Write, service: Service, { plan, approved }: RunReport): readonly string[] {
  const found = parseStored(write.stored);
  const name = nameOf(write);
  const broken = found.problems.map((problem) => `when ${name} was sent, ${problem}`);
  if (!found.open.some((open) => isOf(write, open)) && !isUnconfirmed(write, found))
    broken.push(`${name} was sent without an intent`);
  // Nothing manages it, but a person has approved a plan that names it.
  const isRemoval =
    approved &&
    plan?.steps.some((step) => step.action === "delete" && step.removal !== undefined && step.id === write.id) === true;
  if (write.kind === "delete" && !isRemoval && !managedIds(found).has(write.id ?? ""))
    broken.push(`${name} was sent, and ${String(write.id)} is not managed`);
  const alike = write.kind === "add" ? alikeCreates(write, found, service) : 1;
  if (alike > 1) broken.push(`${String(alike)} creates are open that the list cannot tell apart: ${name}`);
  return broken;
}

/** Unconfirmed it stays, also where a run that took the lock away has recorded it between two attempts of the run that sends it. */
function isUnconfirmed({ lead }: Write, { records }: Found): boolean {
  return [...records.values()].some(
    ({ attributes }) => leadOf(attributes) === lead && attributes["outcome"] === "unconfirmed",
  );
}

function leadOf(attributes: OpenWrite["planned"]): string {
  return `${String(attributes["campaign_id"])}/${String(attributes["email"])}`;
}

function nameOf({ kind, hook, id, lead }: Write): string {
  return `${kind} ${hook?.targetUrl ?? id ?? lead ?? ""}`;
}

function isOf({ kind, hook, id, lead }: Write, { key, planned, mayCreate, id: old, mark }: OpenWrite): boolean {
  if (kind === "add") return mayCreate && hook !== null && isKey(hook, key) && unmarked(hook.targetUrl).mark === mark;
  if (kind === "delete") return id === old;
  return leadOf(planned) === lead;
}

function isKey({ targetUrl, type, campaignId }: NonNullable<Write["hook"]>, key: OpenWrite["key"]): boolean {
  return (
    key["target_url"] === unmarked(targetUrl).url &&
    (key["type"] ?? null) === type &&
    (key["campaign_id"] ?? null) === campaignId
  );
}

/** How many creates are open that the list would show in the same way. */
function alikeCreates({ hook }: Write, { open }: Found, { setup: { isPoor } }: Service): number {
  if (!hook) return 0;
  const { url, mark } = unmarked(hook.targetUrl);
  return open.filter(
    (one) => one.mayCreate && one.mark === mark && (isPoor ? one.key["target_url"] === url : isKey(hook, one.key)),
  ).length;
}

/** A copy of a URL proves nothing: what a list shows with other values is somebody else's. */
function problemsOfDelete({ write, fate }: Logged): readonly string[] {
  const gone = write.kind === "delete" && fate.kind === "done" ? fate.hook : undefined;
  return gone?.type === COPIED_TYPE ? [`${gone.id} was deleted, which somebody else has made with a copied URL`] : [];
}

/** What waits may be sent again by any run, without another approval. */
function problemsOfUnsubscriptions(
  leads: readonly string[],
  { plan, approved }: RunReport,
  before: ReadonlySet<string>,
): readonly string[] {
  const steps = (plan?.steps ?? []).filter(({ type }) => type === "outreach_lead_unsubscription");
  const now = new Set(plan?.waiting?.now);
  const waiting = new Set(
    steps.flatMap((step) => (now.has(step.address) && "before" in step ? [leadOf(step.before)] : [])),
  );
  const planned = new Set([
    ...steps.flatMap((step) => (step.action === "create" ? [leadOf(step.after)] : [])),
    ...waiting,
  ]);
  return [...new Set(leads)].flatMap((lead) => {
    const sends = leads.filter((one) => one === lead).length;
    return [
      ...(planned.has(lead) ? [] : [`the unsubscription of ${lead} was sent, and is not in the approved plan`]),
      ...(sends > MAX_SENDS ? [`the unsubscription of ${lead} was sent ${String(sends)} times in one run`] : []),
      ...(before.has(lead) && !approved && !waiting.has(lead)
        ? [`the unsubscription of ${lead} was sent again silently`]
        : []),
    ];
  });
}
