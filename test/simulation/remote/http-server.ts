import type { WebRequest } from "../../../src/core/model/web.ts";
import { type ServerAnswer, type StateServer, textOf } from "./state-server.ts";

interface Data {
  state: Uint8Array | null;
  before: Uint8Array | null;
  lock: string | null;
  serials: ReadonlySet<number>;
}

/** As GitLab: a write names the lock, a serial never repeats, and the highest one is shown. */
export class HttpServer implements StateServer {
  readonly #data: Data;

  constructor(data: Data = { state: null, before: null, lock: null, serials: new Set() }) {
    this.#data = data;
  }

  copy(): HttpServer {
    return new HttpServer({ ...this.#data });
  }

  key(): string {
    const { state, before, lock, serials } = this.#data;
    const first = Math.min(...serials);
    const missing = Array.from(
      { length: serials.size === 0 ? 0 : Math.max(...serials) - first },
      (_, index) => first + index,
    ).filter((one) => !serials.has(one));
    return [textOf(state), textOf(before), lock, ...missing.map((serial) => `"serial": ${String(serial)}`)].join("\n");
  }

  kindOf({ method, url }: WebRequest): ReturnType<StateServer["kindOf"]> {
    if (method === "GET") return "read";
    if (!url.pathname.endsWith("/lock")) return "write";
    return method === "POST" ? "lock" : "unlock";
  }

  answer(request: WebRequest, isStale: boolean): ServerAnswer {
    const data = this.#data;
    const kind = this.kindOf(request);
    if (kind === "read") {
      const shown = isStale ? data.before : data.state;
      return shown ? { status: 200, body: shown } : { status: 204 };
    }
    const text = textOf(request.body);
    const held = data.lock === null ? null : idOf(data.lock);
    if (kind === "lock" && held === null) data.lock = text;
    else if (kind === "unlock" && held !== null && held === idOf(text)) data.lock = null;
    else if (kind === "write" && held === request.url.searchParams.get("ID")) return this.#write(request.body, text);
    else return { status: 409, body: new TextEncoder().encode(data.lock ?? "{}") };
    return { status: 200 };
  }

  get hasOlder(): boolean {
    return this.#data.before !== null;
  }

  state(): Uint8Array | null {
    return this.#data.state;
  }

  texts(): readonly string[] {
    return [textOf(this.#data.state), this.#data.lock ?? ""];
  }

  unlock(): void {
    this.#data.lock = null;
  }

  /** An older version as a new one, as a user restores it there. */
  putBack(state: Uint8Array): void {
    this.#data.state = state;
    this.#data.serials = new Set();
  }

  #write(body: Uint8Array | null, text: string): ServerAnswer {
    const data = this.#data;
    const { serial } = JSON.parse(text) as { readonly serial: number };
    if (data.serials.has(serial)) return { status: 422 };
    const isHighest = [...data.serials].every((one) => one < serial);
    data.serials = new Set([...data.serials, serial]);
    if (isHighest) [data.before, data.state] = [data.state, body];
    return { status: 200 };
  }
}

function idOf(lock: string): string {
  return (JSON.parse(lock) as { readonly ID: string }).ID;
}
