import type { Clock } from "../../../src/core/model/ports.ts";
import { type WebRequest, type WebResponse, type Web, WebFailure } from "../../../src/core/model/web.ts";

/** How `GET /hooks` answers. */
export interface ListBehaviour {
  /** At most so many records in an answer. */
  readonly cap: number;
  readonly order: "oldest" | "newest" | "shuffled";
  /** What pages it; everything else is ignored. */
  readonly by: "nothing" | "offset" | "page" | "page-from-0";
  /** Whether records show when they were created. */
  readonly isDated: boolean;
}

export interface Hook {
  readonly _id: string;
  readonly targetUrl: string;
  readonly createdMs: number;
  /** Whether a request made it, and not somebody else. */
  readonly isOurs: boolean;
}

/** What becomes of a create, counted from 0: it is carried out or not, and its answer is lost; or the process dies at once. */
export type Fate = "done" | "lost before" | "lost after" | "killed";

const TAKES_MS = 60;

/** The service, as little of it as lists and creates need. Every record of `hooks` is live. */
export function cappedService(behaviour: ListBehaviour, clock: Clock) {
  let hooks: readonly Hook[] = [];
  let made = 0;
  let creates = 0;
  let list = behaviour;
  let fateOf: (create: number) => Fate = () => "done";

  function add(targetUrl: string, { createdMs = clock.now(), isOurs = false }: Partial<Hook> = {}): Hook {
    const hook = { _id: `hoo_${String(++made).padStart(5, "0")}`, targetUrl, createdMs, isOurs };
    hooks = [...hooks, hook].toSorted((a, b) => a.createdMs - b.createdMs);
    return hook;
  }
  function remove(id: string): Hook | undefined {
    const gone = hooks.find(({ _id }) => _id === id);
    hooks = hooks.filter((hook) => hook !== gone);
    return gone;
  }
  function listed({ searchParams }: URL): readonly object[] {
    const { cap, order, by, isDated } = list;
    const number = (name: string, otherwise: number): number => Number(searchParams.get(name) ?? otherwise);
    const all =
      order === "oldest"
        ? hooks
        : order === "newest"
          ? hooks.toReversed()
          : hooks.toSorted((a, b) => scattered(a) - scattered(b));
    const start = {
      nothing: 0,
      offset: number("offset", 0),
      page: (number("page", 1) - 1) * cap,
      "page-from-0": number("page", 0) * cap,
    }[by];
    return all.slice(start, start + cap).map((hook) => recordOf(hook, isDated));
  }
  async function send({ method, url, body }: WebRequest, life: Life): Promise<WebResponse> {
    if (life.isOver) return never();
    await clock.sleep(TAKES_MS / 2, new AbortController().signal);
    if (method === "GET") return answer(200, listed(url));
    if (method === "DELETE") {
      const gone = remove(url.pathname.split("/").at(-1) ?? "");
      return gone ? answer(200, recordOf(gone, true)) : answer(404, "Webhook not found");
    }
    const fate = fateOf(creates++);
    const { targetUrl } = JSON.parse(new TextDecoder().decode(body ?? Buffer.from("{}"))) as {
      readonly targetUrl: string;
    };
    const hook = fate === "lost before" ? null : add(targetUrl, { isOurs: true });
    await clock.sleep(TAKES_MS / 2, new AbortController().signal);
    if (fate === "killed") {
      life.isOver = true;
      // What is under way still lands.
      void clock.sleep(TAKES_MS, new AbortController().signal).then(life.ended);
    }
    if (life.isOver) return never();
    if (fate !== "done" || !hook) throw new WebFailure("the connection was reset", { sent: true });
    return answer(200, recordOf(hook, true));
  }
  function answer(status: number, json: unknown): WebResponse {
    return { status, headers: { date: new Date(clock.now()).toUTCString() }, body: Buffer.from(JSON.stringify(json)) };
  }
  return {
    /** What a process speaks to the service with. */
    transport: (life: Life): Web => ({ send: (request) => send(request, life), close: () => undefined }),
    add,
    remove,
    hooks: () => hooks,
    /** As the plain request shows them. */
    shown: () => listed(new URL("https://api.example.com/hooks")).length,
    behave: (change: Partial<ListBehaviour>) => void (list = { ...list, ...change }),
    /** From now on creates are counted from 0. */
    fate: (next: (create: number) => Fate) => {
      creates = 0;
      fateOf = next;
    },
  };
}

/** A process that may be killed. */
export interface Life {
  isOver: boolean;
  /** Called once it is over, and nothing of it is under way. */
  readonly ended: () => void;
}

export const never = (): Promise<never> => new Promise(() => undefined);

function recordOf({ _id, targetUrl, createdMs }: Hook, isDated: boolean): object {
  return { _id, targetUrl, ...(isDated ? { createdAt: new Date(createdMs).toISOString() } : {}) };
}

/** An order that has nothing to do with that of creation, and stays. */
function scattered({ _id }: Hook): number {
  return (Number(_id.slice(4)) * 7919) % 10_007;
}
