import { type Web, WebFailure, type WebRequest, type WebResponse } from "../../../src/core/model/web.ts";
import type { StorePorts } from "../../../src/core/state/state-store.ts";
import { type ProcessPorts, never } from "../ports.ts";
import type { Stored } from "../service.ts";
import type { StorePart, World } from "../world.ts";
import { type StateServer, textOf } from "./state-server.ts";

const LATENCY_MS = 10;
const NEVER = new AbortController().signal;

const READ_FATES = ["well", "lost-before"] as const;
const CHANGE_FATES = ["well", "lost-before", "lost-after", "busy"] as const;
type WebFate = (typeof CHANGE_FATES)[number] | "stale" | "stolen";

/** The state on a server that is reached by the network. */
export class WebPart implements StorePart {
  readonly server: StateServer;
  /** The requests whose sender may still die before they are carried out. */
  inFlight: readonly WebRequest[] = [];

  constructor(server: StateServer, inFlight: readonly WebRequest[] = []) {
    this.server = server;
    this.inFlight = inFlight;
  }

  copy(): this {
    return new WebPart(this.server.copy(), this.inFlight) as this;
  }

  key(): string {
    return this.server.key();
  }

  /** Each request in flight arrives, or does not. */
  afterDeath(): readonly this[] {
    const subsets = this.inFlight.reduce<readonly (readonly WebRequest[])[]>(
      (all, request) => all.flatMap((some) => [some, [...some, request]]),
      [[]],
    );
    return subsets.map((arrived) => {
      const server = this.server.copy();
      for (const request of arrived) server.answer(request, false);
      return new WebPart(server) as this;
    });
  }

  stored(): Stored {
    return { state: this.server.state(), journal: null };
  }

  texts(): readonly string[] {
    return this.server.texts();
  }

  unlock(): void {
    this.server.unlock();
  }

  putBack(state: Uint8Array): void {
    this.server.putBack(state);
  }
}

/** The network as a process has it. What goes wrong is decided once for each request. */
export function serverWeb({ store }: Pick<World, "store">, { clock, decisions, life }: ProcessPorts): Web {
  const part = store as WebPart;
  const { server } = part;

  function fateOf(kind: ReturnType<StateServer["kindOf"]>): WebFate {
    if (kind === "read")
      return decisions.choose<WebFate>("read the state", [
        ...READ_FATES,
        ...(server.hasOlder ? (["stale"] as const) : []),
      ]);
    if (kind === "look") return decisions.choose<WebFate>("read the lock", READ_FATES);
    return decisions.choose<WebFate>(`${kind} the state`, [
      ...CHANGE_FATES,
      ...(kind === "write" ? (["stolen"] as const) : []),
    ]);
  }

  async function send(request: WebRequest): Promise<WebResponse> {
    if (life.isOver) return never();
    const kind = server.kindOf(request);
    const isChange = kind !== "read" && kind !== "look";
    const fate = fateOf(kind);
    if (isChange) part.inFlight = [...part.inFlight, request];
    if (isChange && fate === "well") decisions.mayDie(`${kind} the state`);
    await clock.sleep(LATENCY_MS, NEVER);
    if (life.isOver) return never();
    part.inFlight = part.inFlight.filter((one) => one !== request);
    if (fate === "stolen") server.unlock();
    const isDone = fate !== "lost-before" && fate !== "busy";
    const {
      status,
      headers = {},
      body = new Uint8Array(),
    } = isDone ? server.answer(request, fate === "stale") : { status: 503 };
    decisions.does(`${kind} ${fate} ${isDone ? String(status) : ""}`);
    const isLost = fate === "lost-before" || fate === "lost-after";
    decisions.sees(isLost ? `no answer to ${kind}` : `${kind} ${String(status)} ${textOf(body)}`);
    if (isLost) throw new WebFailure("the connection was reset without an answer", { sent: true });
    return { status, headers, body };
  }
  return { send, close: () => undefined };
}

/** All that a remote store asks the world for. */
export function remotePorts(
  world: World,
  ports: ProcessPorts,
  environment: StorePorts["environment"] = {},
): StorePorts {
  const { clock, random, mark } = ports;
  const web = serverWeb(world, ports);
  const noFiles = new Proxy<StorePorts["files"]>({} as StorePorts["files"], {
    get: (_, name) => {
      throw new Error(`a remote store has no files: ${String(name)}`);
    },
  });
  return {
    files: noFiles,
    clock,
    random,
    process: mark,
    environment,
    web: () => Promise.resolve(web),
    reveal: (source) => Promise.reject(new Error(`no secret of the store is a ${source.kind}`)),
    hide: () => undefined,
    timeoutMs: 30_000,
  };
}
