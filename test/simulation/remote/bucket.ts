import { createHash } from "node:crypto";
import type { WebRequest } from "../../../src/core/model/web.ts";
import { type ServerAnswer, type StateServer, textOf } from "./state-server.ts";

export const BUCKET = "states";
export const KEY = "hooks.json";
const STATE = `/${BUCKET}/${KEY}`;
const LOCK = `${STATE}.tflock`;
const REFUSED: ServerAnswer = {
  status: 412,
  body: new TextEncoder().encode("<Error><Code>PreconditionFailed</Code></Error>"),
};
const ABSENT: ServerAnswer = { status: 404, body: new TextEncoder().encode("<Error><Code>NoSuchKey</Code></Error>") };

interface Data {
  objects: ReadonlyMap<string, Uint8Array>;
  before: Uint8Array | null;
}

/** A bucket that honours conditions. */
export class Bucket implements StateServer {
  readonly #data: Data;

  constructor(data: Data = { objects: new Map(), before: null }) {
    this.#data = data;
  }

  copy(): Bucket {
    return new Bucket({ ...this.#data });
  }

  key(): string {
    return [...this.texts(), textOf(this.#data.before)].join("\n");
  }

  kindOf({ method, url: { pathname } }: WebRequest): ReturnType<StateServer["kindOf"]> {
    if (method === "GET") return pathname === STATE ? "read" : "look";
    if (pathname === STATE) return "write";
    return method === "PUT" ? "lock" : "unlock";
  }

  answer({ method, url: { pathname }, headers, body }: WebRequest, isStale: boolean): ServerAnswer {
    const current = this.#data.objects.get(pathname) ?? null;
    if (method === "GET") {
      const shown = isStale ? this.#data.before : current;
      return shown ? { status: 200, headers: { etag: etagOf(shown) }, body: shown } : ABSENT;
    }
    const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    const expected = given["if-match"];
    if (given["if-none-match"] === "*" && current) return REFUSED;
    if (expected !== undefined && !current) return method === "PUT" ? ABSENT : REFUSED;
    if (expected !== undefined && current && expected !== etagOf(current)) return REFUSED;
    this.#put(pathname, method === "PUT" ? body : null);
    return method === "PUT" && body ? { status: 200, headers: { etag: etagOf(body) } } : { status: 204 };
  }

  get hasOlder(): boolean {
    return this.#data.before !== null;
  }

  state(): Uint8Array | null {
    return this.#data.objects.get(STATE) ?? null;
  }

  texts(): readonly string[] {
    return [textOf(this.state()), textOf(this.#data.objects.get(LOCK) ?? null)];
  }

  unlock(): void {
    this.#put(LOCK, null);
  }

  putBack(state: Uint8Array): void {
    this.#put(STATE, state);
  }

  #put(path: string, body: Uint8Array | null): void {
    const objects = new Map(this.#data.objects);
    if (path === STATE) this.#data.before = objects.get(path) ?? null;
    if (body) objects.set(path, body);
    else objects.delete(path);
    this.#data.objects = objects;
  }
}

function etagOf(bytes: Uint8Array): string {
  return `"${createHash("md5").update(bytes).digest("hex")}"`;
}
