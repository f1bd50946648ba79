import { type HttpRequest, type HttpResponse, type Transport, TransportError } from "../../src/service/api/transport.ts";
import { type ProcessPorts, never } from "./ports.ts";
import type { Hook, Service, Write } from "./service.ts";
import type { World } from "./world.ts";

const LATENCY_MS = 40;
const NEVER = new AbortController().signal;

/** What may become of a write. Only the first of those that the sender cannot tell apart is enumerated. */
const WRITE_FATES = ["well", "unsent", "limited", "refused", "lost-before", "lost-after", "error-before", "error-after", "late-soon", "late-long"] as const;
const ADD_FATES = [...WRITE_FATES, "without-id"] as const;
const DELETE_FATES = [...WRITE_FATES, "html-404"] as const;
/** A rival's webhook comes right before or right after. */
const RIVAL_FATES = [...ADD_FATES, "rival-before", "rival-after", "rival-lost-before", "rival-lost-after"] as const;
const CAP = 10;

/** Fates that no schedule has, as they look like another one: for alternative histories. `forged`: lost, and somebody else did the very same. */
export type HiddenFate = "forged-lost" | "forged-error" | "forged-without-id";
type ReadFate = "well" | "fails" | "stale" | "capped";
export type WriteFate = (typeof RIVAL_FATES)[number] | (typeof DELETE_FATES)[number] | HiddenFate;

/** The service as a process reaches it. What goes wrong is decided once for each request. */
export function serviceTransport({ service, store }: Pick<World, "service" | "store">, { clock, decisions, life }: ProcessPorts): Transport {
  async function answered(response: HttpResponse): Promise<HttpResponse> {
    if (life.isOver) return never();
    const whole = { ...response, headers: { ...response.headers, date: new Date(clock.now()).toUTCString() } };
    decisions.sees(JSON.stringify([whole.status, whole.headers, whole.body]));
    return whole;
  }
  function lost(sent: boolean): never {
    decisions.sees(sent ? "no answer" : "not sent");
    throw new TransportError(sent ? "the connection was reset" : "the connection was refused", { sent });
  }

  async function read({ url }: HttpRequest): Promise<HttpResponse> {
    const path = pathOf(url);
    const isList = path === "/hooks";
    const fate = decisions.choose<ReadFate>(`GET ${path}`, ["well", "fails", ...(isList ? listFates(service) : [])]);
    await clock.sleep(LATENCY_MS, NEVER);
    if (life.isOver) return never();
    service.advance(clock.now());
    if (!service.admit(clock.now())) return answered(LIMITED);
    decisions.does(`GET ${path} ${fate}`);
    if (fate === "fails") return answered(text(400, "Bad team"));
    if (isList) return answered(listAnswer(url, { isStale: fate === "stale", isCapped: fate === "capped" }));
    return answered(campaignAnswer(path, url, service));
  }

  function listAnswer(url: URL, { isStale, isCapped }: { readonly isStale: boolean; readonly isCapped: boolean }): HttpResponse {
    const offset = Number(url.searchParams.get("offset") ?? 0);
    const all = service.listed(isStale);
    return json((isCapped ? all.slice(0, CAP) : all.slice(offset)).map((hook) => listedHook(hook, service.setup.isPoor === true)));
  }

  async function write(request: HttpRequest): Promise<HttpResponse> {
    const path = pathOf(request.url);
    const given = writeOf(request, path, clock.now());
    const options = given.kind === "add" ? (service.setup.hasRival === true ? RIVAL_FATES : ADD_FATES) : DELETE_FATES;
    const fate: WriteFate = decisions.choose<WriteFate>(`${request.method} ${path}`, options);
    const departed = service.depart({ ...given, stored: store.stored() });
    if (fate === "well") decisions.mayDie(`${request.method} ${path}`);
    if (fate !== "unsent") await clock.sleep(LATENCY_MS, NEVER);
    if (life.isOver) return never();
    service.advance(clock.now());
    if (fate !== "unsent" && !service.admit(clock.now())) {
      service.land(departed, "refused", clock.now());
      decisions.does(`${given.kind} over the limit`);
      return answered(LIMITED);
    }
    decisions.does(`${given.kind} ${fate}`);
    return answered(outcome(departed, fate));
  }

  function outcome(write: Write, fate: WriteFate): HttpResponse {
    const nowMs = clock.now();
    const rival = (): void => void (write.hook && service.addByHand({ ...write.hook, secret: "of somebody else" }, nowMs));
    switch (fate) {
      case "unsent":
        service.land(write, "refused", nowMs);
        return lost(false);
      case "limited":
        service.land(write, "refused", nowMs);
        return LIMITED;
      case "refused":
        service.land(write, "refused", nowMs);
        return text(400, "Bad team");
      case "error-before":
        service.land(write, "dropped", nowMs);
        return text(500, "Internal error");
      case "html-404":
        service.land(write, "dropped", nowMs);
        return text(404, "<html><body>Not Found</body></html>");
      case "lost-before":
        service.land(write, "dropped", nowMs);
        return lost(true);
      case "late-soon":
      case "late-long":
        service.land(write, fate, nowMs);
        return lost(true);
      case "forged-lost":
      case "forged-error":
      case "forged-without-id":
        service.land(write, "forged", nowMs);
        if (fate === "forged-lost") return lost(true);
        return fate === "forged-error" ? text(500, "Internal error") : json({ ok: true });
      case "rival-lost-before":
      case "rival-before":
        rival();
        return carriedOut(write, fate);
      default:
        break;
    }
    const response = carriedOut(write, fate);
    if (fate === "rival-after") rival();
    return response;
  }

  function carriedOut(write: Write, fate: WriteFate): HttpResponse {
    const deleted = service.hooks.find(({ id }) => id === write.id);
    const { kind } = service.land(write, "done", clock.now());
    if (fate === "rival-lost-after") service.addByHand({ ...write.hook, targetUrl: write.hook?.targetUrl ?? "", secret: "of somebody else" }, clock.now());
    if (fate === "lost-after" || fate.startsWith("rival-lost")) return lost(true);
    if (fate === "error-after") return text(500, "Internal error");
    if (fate === "without-id") return json({ ok: true });
    if (kind === "absent") return text(404, write.kind === "unsubscribe" ? "Lead not found" : "Webhook not found");
    if (write.kind === "unsubscribe") return json(leadAnswer(write.lead ?? ""));
    const made = deleted ?? service.hooks.at(-1);
    return made ? json(write.kind === "add" ? createdHook(made) : listedHook(made, false)) : text(500, "Internal error");
  }

  return {
    send: (request) => {
      if (life.isOver) return never();
      return request.method === "GET" ? read(request) : write(request);
    },
    close: () => undefined,
  };
}

/** What may be wrong with a list, as far as it shows. */
function listFates(service: Service): readonly ReadFate[] {
  const isStale = service.listed(true) !== service.listed(false);
  return [...(isStale ? (["stale"] as const) : []), ...(service.hooks.length > CAP ? (["capped"] as const) : [])];
}

const LIMITED: HttpResponse = { status: 429, headers: { "retry-after": "1" }, body: "Too many requests" };

function text(status: number, body: string): HttpResponse {
  return { status, headers: {}, body };
}

function json(value: unknown): HttpResponse {
  return { status: 200, headers: {}, body: JSON.stringify(value) };
}

/** The path below the base URL, which ends in one segment. */
function pathOf({ pathname }: URL): string {
  return pathname.slice(pathname.indexOf("/", 1));
}

function writeOf({ method, url, body }: HttpRequest, path: string, sentMs: number): Omit<Write, "number" | "stored"> {
  if (method === "POST" && path === "/hooks") {
    const { targetUrl, type, secret } = JSON.parse(body ?? "{}") as { readonly [name: string]: string | undefined };
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

function campaignAnswer(path: string, url: URL, { setup: { campaigns = [] } }: Service): HttpResponse {
  if (path === "/campaigns") {
    const offset = Number(url.searchParams.get("offset") ?? 0);
    return json(campaigns.slice(offset).map((id) => ({ _id: id, name: `Campaign ${id}`, status: "running", labels: [] })));
  }
  const [, , id = "", schedules] = path.split("/");
  if (schedules !== "schedules") throw new Error(`no such operation: GET ${path}`);
  return campaigns.includes(id) ? json([]) : text(404, "Campaign not found");
}
