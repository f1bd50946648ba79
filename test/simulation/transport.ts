import { type WebRequest, type WebResponse, type Web, WebFailure } from "../../src/core/model/web.ts";
import { type ProcessPorts, never } from "./ports.ts";
import { unmarked } from "./marks.ts";
import { COPIED_TYPE, type Hook, type Landing, type Service, type Write } from "./service.ts";
import type { World } from "./world.ts";

const LATENCY_MS = 40;
const NEVER = new AbortController().signal;
/** Longer than anything that a process waits for. */
const SLOW_MS = 600_000;
const CAP = 10;
const RIVALS_SECRET = "of somebody else";

/** What a sender sees of a write whose outcome it cannot know. */
type Visible = "lost" | "error" | "without-id" | "rejected" | "conflict" | "slow";

/** The fates whose outcome the sender does not know: what it sees, and what becomes of the write. */
const INDEFINITE = {
  "lost-before": ["lost", "dropped"],
  "lost-after": ["lost", "done"],
  "error-before": ["error", "dropped"],
  "error-after": ["error", "done"],
  "late-soon": ["lost", "late-soon"],
  "late-long": ["lost", "late-long"],
  "without-id": ["without-id", "done"],
  // A rejection is believed once a list is without the webhook. It may be a lie.
  rejected: ["rejected", "dropped"],
  "rejected-after": ["rejected", "done"],
  "rejected-late": ["rejected", "late-soon"],
  "conflict-after": ["conflict", "done"],
} as const satisfies { readonly [fate: string]: readonly [Visible, Landing] };

const WRITE_FATES = [
  "well",
  "unsent",
  "limited",
  "refused",
  "lost-before",
  "lost-after",
  "error-before",
  "error-after",
  "late-soon",
  "late-long",
] as const;
const ADD_FATES = [
  ...WRITE_FATES,
  "without-id",
  "rejected",
  "rejected-after",
  "rejected-late",
  "conflict-after",
] as const;
const DELETE_FATES = [...WRITE_FATES, "html-404"] as const;
/** A rival's webhook comes right before or right after. */
const RIVAL_FATES = [...ADD_FATES, "rival-before", "rival-after", "rival-lost-before", "rival-lost-after"] as const;
/** Somebody else copies the URL as the list shows it: for another event, for the same one, or for another one in place of ours. */
const COPIER_FATES = [...ADD_FATES, "copied", "copied-lost", "imitated", "imitated-lost", "replaced-lost"] as const;

type ListedFate = (typeof RIVAL_FATES)[number] | (typeof COPIER_FATES)[number] | (typeof DELETE_FATES)[number];
/** What no schedule has, for other histories that look the same: what the sender sees, and what really becomes of the write. */
export type HiddenFate = `as ${Visible}: ${Landing}`;
export type WriteFate = ListedFate | HiddenFate;
type ReadFate = "well" | "fails" | "stale" | "capped";

/** What the sender sees, and what becomes of the write; null for a fate that it knows. */
export function hiddenSide(fate: string): { readonly visible: Visible; readonly landing: Landing } | null {
  const [, told, hidden] = /^as ([^:]+): (.+)$/.exec(fate) ?? [];
  if (told !== undefined && hidden !== undefined) return { visible: told as Visible, landing: hidden as Landing };
  if (!Object.hasOwn(INDEFINITE, fate)) return null;
  const [visible, landing] = INDEFINITE[fate as keyof typeof INDEFINITE];
  return { visible, landing };
}

/** The service as a process reaches it. What goes wrong is decided once for each request. */
export function serviceTransport(
  { service, store }: Pick<World, "service" | "store">,
  { clock, decisions, life, mark }: ProcessPorts,
): Web {
  async function answered(response: WebResponse): Promise<WebResponse> {
    if (life.isOver) return never();
    const whole = { ...response, headers: { ...response.headers, date: new Date(clock.now()).toUTCString() } };
    decisions.sees(JSON.stringify([whole.status, whole.headers, new TextDecoder().decode(whole.body)]));
    return whole;
  }
  function lost(sent: boolean): never {
    decisions.sees(sent ? "no answer" : "not sent");
    throw new WebFailure(sent ? "the connection was reset" : "the connection was refused", { sent });
  }

  async function read({ url }: WebRequest): Promise<WebResponse> {
    const path = pathOf(url);
    const isList = path === "/hooks";
    const fate = decisions.choose<ReadFate>(`GET ${path}`, ["well", "fails", ...(isList ? listFates(service) : [])]);
    await clock.sleep(LATENCY_MS, NEVER);
    if (life.isOver) return never();
    service.advance(clock.now());
    if (!service.admit(mark.startedAt, clock.now())) return answered(LIMITED);
    decisions.does(`GET ${path} ${fate}`);
    if (fate === "fails") return answered(text(400, "Bad team"));
    if (isList) return answered(listAnswer(url, { isStale: fate === "stale", isCapped: fate === "capped" }));
    return answered(campaignAnswer(path, url, service));
  }

  function listAnswer(
    url: URL,
    { isStale, isCapped }: { readonly isStale: boolean; readonly isCapped: boolean },
  ): WebResponse {
    const offset = Number(url.searchParams.get("offset") ?? 0);
    const all = service.listed(isStale);
    return json(
      (isCapped ? all.slice(0, CAP) : all.slice(offset)).map((hook) => listedHook(hook, service.setup.isPoor === true)),
    );
  }

  async function write(request: WebRequest): Promise<WebResponse> {
    const given = writeOf(request, clock.now());
    const point = `${request.method} ${given.hook?.targetUrl ?? decodeURIComponent(pathOf(request.url))}`;
    const fate = decisions.choose<WriteFate>(point, given.kind === "add" ? addFates(service) : DELETE_FATES);
    const departed = service.depart({ ...given, stored: store.stored() });
    if (fate === "well") decisions.mayDie(point);
    if (fate !== "unsent") await clock.sleep(LATENCY_MS, NEVER);
    if (life.isOver) return never();
    service.advance(clock.now());
    const isAdmitted = fate === "unsent" || service.admit(mark.startedAt, clock.now());
    decisions.does(`${given.kind} ${isAdmitted ? fate : "over the limit"}`);
    const hidden = hiddenSide(fate);
    if (isAdmitted && hidden?.visible === "slow") {
      service.land(departed, hidden.landing, clock.now());
      decisions.mayDie(`${point} unanswered`);
      await clock.sleep(SLOW_MS, NEVER);
      return life.isOver ? never() : lost(true);
    }
    return answered(isAdmitted ? outcome(departed, fate) : refusal(departed, LIMITED));
  }

  function outcome(write: Write, fate: WriteFate): WebResponse {
    const hidden = hiddenSide(fate);
    if (hidden) {
      service.land(write, hidden.landing, clock.now());
      return hidden.visible === "lost" || hidden.visible === "slow" ? lost(true) : UNCLEAR[hidden.visible];
    }
    if (fate === "limited") return refusal(write, LIMITED);
    if (fate === "refused") return refusal(write, text(400, "Bad team"));
    if (fate === "html-404") return refusal(write, text(404, "<html><body>Not Found</body></html>"));
    if (fate === "unsent") {
      service.land(write, "refused", clock.now());
      return lost(false);
    }
    if (COPIED.test(fate)) return copied(write, fate);
    const isBefore = fate === "rival-before" || fate === "rival-lost-before";
    if (isBefore) addRival(write);
    const response = carriedOut(write);
    if (!isBefore && fate !== "well") addRival(write);
    return fate.startsWith("rival-lost") ? lost(true) : response;
  }

  function refusal(write: Write, response: WebResponse): WebResponse {
    service.land(write, "refused", clock.now());
    return response;
  }

  function addRival({ hook }: Write): void {
    if (hook)
      service.addByHand({ ...hook, targetUrl: unmarked(hook.targetUrl).url, secret: RIVALS_SECRET }, clock.now());
  }

  function copied(write: Write, fate: WriteFate): WebResponse {
    const response = carriedOut(write);
    const ours = service.hooks.at(-1);
    if (write.hook)
      service.addByHand(
        { ...write.hook, secret: RIVALS_SECRET, ...(fate.startsWith("imitated") ? {} : { type: COPIED_TYPE }) },
        clock.now(),
      );
    if (ours && fate.startsWith("replaced")) service.removeByHand(ours.id);
    return fate.endsWith("lost") ? lost(true) : response;
  }

  function carriedOut(write: Write): WebResponse {
    const deleted = service.hooks.find(({ id }) => id === write.id);
    const { kind } = service.land(write, "done", clock.now());
    if (kind === "refused") return UNCLEAR.conflict;
    if (kind === "absent") return text(404, write.kind === "unsubscribe" ? "Lead not found" : "Webhook not found");
    if (write.kind === "unsubscribe") return json(leadAnswer(write.lead ?? ""));
    const made = deleted ?? service.hooks.at(-1);
    if (!made) throw new Error("a webhook was made, and is not there");
    return json(write.kind === "add" ? createdHook(made) : listedHook(made, false));
  }

  return {
    send: (request) => {
      if (life.isOver) return never();
      return request.method === "GET" ? read(request) : write(request);
    },
    close: () => undefined,
  };
}

const LIMITED: WebResponse = { status: 429, headers: { "retry-after": "1" }, body: Buffer.from("Too many requests") };
const UNCLEAR: { readonly [visible in Exclude<Visible, "lost" | "slow">]: WebResponse } = {
  error: text(500, "Internal error"),
  "without-id": json({ ok: true }),
  rejected: text(422, "Not a receiver"),
  conflict: text(409, "Conflict"),
};

const COPIED = /^(?:copied|imitated|replaced)/;

function addFates({ setup: { hasRival, hasCopier } }: Service): readonly ["well", ...ListedFate[]] {
  if (hasCopier) return COPIER_FATES;
  return hasRival ? RIVAL_FATES : ADD_FATES;
}

/** What may be wrong with a list, as far as it shows. */
function listFates(service: Service): readonly ReadFate[] {
  const isStale = service.listed(true) !== service.listed(false);
  return [...(isStale ? (["stale"] as const) : []), ...(service.hooks.length > CAP ? (["capped"] as const) : [])];
}

function text(status: number, body: string): WebResponse {
  return { status, headers: {}, body: Buffer.from(body) };
}

function json(value: unknown): WebResponse {
  return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(value)) };
}

/** The path below the base URL, which ends in one segment. */
function pathOf({ pathname }: URL): string {
  return pathname.slice(pathname.indexOf("/", 1));
}

function writeOf({ method, url, body }: WebRequest, sentMs: number): Omit<Write, "number" | "stored"> {
  const path = pathOf(url);
  if (method === "POST" && path === "/hooks") {
    const { targetUrl, type, secret } = JSON.parse(new TextDecoder().decode(body ?? Buffer.from("{}"))) as {
      readonly [name: string]: string | undefined;
    };
    const hook = { targetUrl: targetUrl ?? "", type: type ?? null, secret: secret ?? null, ...filtersOf(url) };
    return { kind: "add", sentMs, hook, id: null, lead: null };
  }
  const [, section, id = "", leads, email = ""] = path.split("/").map(decodeURIComponent);
  if (section === "hooks") return { kind: "delete", sentMs, hook: null, id, lead: null };
  if (leads !== "leads") throw new Error(`no such operation: ${method} ${path}`);
  return { kind: "unsubscribe", sentMs, hook: null, id: null, lead: `${id}/${email}` };
}

function filtersOf({ searchParams }: URL): Pick<Hook, "campaignId" | "isFirst"> {
  return { campaignId: searchParams.get("campaignId"), isFirst: searchParams.get("isFirst") };
}

/** The answer to a create has neither campaign nor secret. */
function createdHook({ id, targetUrl, createdMs, type }: Hook): object {
  return { _id: id, targetUrl, createdAt: new Date(createdMs).toISOString(), ...(type === null ? {} : { type }) };
}

function listedHook(hook: Hook, isPoor: boolean): object {
  const { id, targetUrl, createdMs, campaignId } = hook;
  if (isPoor) return { _id: id, targetUrl, createdAt: new Date(createdMs).toISOString() };
  return { ...createdHook(hook), ...(campaignId === null ? {} : { campaignId }) };
}

function leadAnswer(lead: string): object {
  const [campaignId = "", email = ""] = lead.split("/");
  return { _id: `lea_${email}`, email, isPaused: false, campaignId, contactId: `ctc_${email}` };
}

function campaignAnswer(path: string, url: URL, { setup: { campaigns = [] } }: Service): WebResponse {
  if (path === "/campaigns") {
    const offset = Number(url.searchParams.get("offset") ?? 0);
    return json(
      campaigns.slice(offset).map((id) => ({ _id: id, name: `Campaign ${id}`, status: "running", labels: [] })),
    );
  }
  const [, , id = "", schedules] = path.split("/");
  if (schedules !== "schedules") throw new Error(`no such operation: GET ${path}`);
  return campaigns.includes(id) ? json([]) : text(404, "Campaign not found");
}
