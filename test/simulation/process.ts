import { createHash } from "node:crypto";
import { applyRun } from "../../src/core/apply/run/apply-run.ts";
import { planRun, undecidedDiagnostics } from "../../src/core/apply/run/plan-run.ts";
import type { Progress } from "../../src/core/apply/run/progress.ts";
import type { PlannedRun, RunPorts } from "../../src/core/apply/run/run-ports.ts";
import type { Declaration, Statements } from "../../src/core/model/declaration.ts";
import { type Diagnostic, DiagnosticsError, hasErrors } from "../../src/core/model/diagnostic.ts";
import type { Clock, ProcessIdentity, Random } from "../../src/core/model/ports.ts";
import { PLAIN_OPTIONS } from "../../src/core/plan/plan-context.ts";
import { type Plan, hasChanges } from "../../src/core/plan/plan.ts";
import { redactor } from "../../src/core/secrets/redactor.ts";
import { assertKnownTypes } from "../../src/core/state/known-types.ts";
import { readState } from "../../src/core/state/open-state.ts";
import type { CallerOptions } from "../../src/service/api/caller.ts";
import { readClient, reserveWrites } from "../../src/service/api/client.ts";
import { slidingPacer } from "../../src/service/api/pacer.ts";
import { catalog } from "../../src/service/resources/catalog.ts";
import { worldClock } from "../core/virtual-clock.ts";
import { parseStored } from "./judge/parse.ts";
import type { RunReport } from "./judge/report.ts";
import { type Life, type ProcessPorts, type StoreKind, never } from "./ports.ts";
import { serviceTransport } from "./transport.ts";
import { MARK_BYTES, markBytes } from "./marks.ts";
import type { Decisions, World } from "./world.ts";

export const API_KEY = "key-of-the-simulation-7Qx2";
const BASE_URL = "https://api.example.com/api";
const ALL = { kind: "percent", percent: 100 } as const;
export const LISTING_DELAY_MS = { answered: 10_000, unanswered: 60_000 };
const ANSWERS_AFTER_MS = 1000;

/** What a process is started with, as its command line and its configuration say. */
export interface Running {
  readonly declarations: readonly Declaration[];
  readonly statements: Statements;
  readonly secretOf: { readonly [variable: string]: string };
  /** Whether a person reads the plan and types yes. */
  readonly approved: boolean;
  readonly adopt: boolean;
  /** Whether creates carry a mark. */
  readonly marks: boolean;
  /** Whether its configuration says `unique_target_url: true`. */
  readonly exclusive: boolean;
  /** How long it waits for the lock. */
  readonly lockTimeoutMs: number;
  /** Whether its time is over once a first write has an answer. */
  readonly isShort: boolean;
}

export interface Ran extends RunReport {
  /** Whether it had nothing to do. */
  readonly isQuiet: boolean;
  /** Requests to the service. */
  readonly requests: number;
  readonly tookMs: number;
}

/** What processes of one world share. */
export interface Machine {
  readonly world: World;
  readonly kind: StoreKind;
  readonly clock: Clock;
  /** The start times of the processes that run. */
  readonly alive: Set<string>;
  /** With the steps of all processes that have planned. */
  plan: Plan | null;
}

export function machineOf(world: World, kind: StoreKind): Machine {
  return { world, kind, clock: worldClock(world), alive: new Set(), plan: null };
}

/** One process: locks, reads, plans, applies and unlocks, in the order of the command's sessions. */
export async function runProcess(
  machine: Machine,
  running: Running,
  decisions: Decisions,
  life: Life = { isOver: false },
): Promise<Ran> {
  const { world, kind, clock, alive } = machine;
  const said: Diagnostic[] = [];
  const texts: string[] = [];
  const parts: { planned: PlannedRun | null; unstored: Uint8Array | null; sawOldState: boolean } = {
    planned: null,
    unstored: null,
    sawOldState: false,
  };
  const before = world.store.stored();
  const begunMs = world.nowMs;
  const counted = { requests: 0 };
  const random = randomOf(world);
  const mark = markOf(random.uuid(), alive);
  const ports: ProcessPorts = { clock, random, decisions, mark, life };

  async function session(): Promise<RunReport["exit"]> {
    const store = await kind.open(world, ports);
    const stop = new AbortController().signal;
    await store.assertReady(stop);
    const since = new Date(clock.now()).toISOString();
    const lock = await store.lock({ ...mark, operation: "apply", since }, running.lockTimeoutMs, stop);
    try {
      const exit = await locked(store, AbortSignal.any([stop, lock.lost]));
      lock.lost.throwIfAborted();
      return exit;
    } finally {
      await lock.release();
    }
  }

  async function locked(
    store: Awaited<ReturnType<StoreKind["open"]>>,
    signal: AbortSignal,
  ): Promise<RunReport["exit"]> {
    const open = await readState(store, random, signal, { setsAside: true });
    parts.sawOldState = open.document.serial < parseStored(world.store.stored()).serial;
    assertKnownTypes(catalog, open.document);
    const keepUnstored = (bytes: Uint8Array): Promise<string> => {
      parts.unstored = bytes;
      return Promise.resolve("errored.outreach.state.json");
    };
    const runPorts = runPortsOf(world, ports, { signal, keepUnstored, running, counted });
    const planned = await planRun(open, requestOf(running, clock.now()), runPorts);
    said.push(...planned.plan.diagnostics, ...undecidedDiagnostics(planned));
    if (hasErrors(planned.plan.diagnostics)) return 1;
    parts.planned = planned;
    machine.plan = { ...planned.plan, steps: [...(machine.plan?.steps ?? []), ...planned.plan.steps] };
    const asked = running.approved && hasChanges(planned.plan);
    if (asked) await clock.sleep(ANSWERS_AFTER_MS, signal);
    const time = new AbortController();
    const report = ({ kind }: Progress): void => (running.isShort && kind !== "start" ? time.abort() : undefined);
    const applied = await applyRun(
      store,
      { open, planned, asked, approved: asked, report, stop: signal, within: time.signal },
      runPorts,
    );
    said.push(...applied.diagnostics);
    if (applied.undecided) return 3;
    return hasErrors(applied.diagnostics) || applied.interrupted ? 1 : 0;
  }

  function failed(error: unknown): RunReport["exit"] {
    if (error instanceof DiagnosticsError) {
      said.push(...error.diagnostics);
      return error.undecided ? 3 : 1;
    }
    texts.push(error instanceof Error ? `${error.message}\n${error.stack ?? ""}` : String(error));
    return 1;
  }

  alive.add(mark.startedAt);
  const exit = await untilStalled(session().catch(failed), life);
  alive.delete(mark.startedAt);
  const { planned, unstored, sawOldState } = parts;
  const after = world.store.stored();
  const isQuiet =
    exit === 0 && planned !== null && !hasChanges(planned.plan) && said.every(({ code }) => code !== "late_duplicate");
  const wrote = after.state !== before.state || after.journal !== before.journal;
  const cost = { requests: counted.requests, tookMs: world.nowMs - begunMs };
  return {
    exit,
    said,
    texts,
    plan: planned?.plan ?? null,
    wrote,
    sawOldState,
    approved: running.approved,
    unstored,
    isQuiet,
    ...cost,
  };
}

/** Nothing in a simulation waits for the system: what has not ended when nothing is left to do never ends. */
async function untilStalled(exit: Promise<RunReport["exit"]>, life: Life): Promise<RunReport["exit"]> {
  let idle: NodeJS.Immediate | undefined;
  const stalled = new Promise<RunReport["exit"]>((resolve, reject) => {
    const look = (): void =>
      life.isOver ? resolve("died") : reject(new Error("the run waits for something that never happens"));
    idle = setImmediate(look);
  });
  try {
    return await Promise.race([exit, stalled]);
  } finally {
    clearImmediate(idle);
  }
}

function randomOf(world: World): Random {
  return {
    uuid: () => `00000000-0000-4000-8000-${String(++world.chance).padStart(12, "0")}`,
    bytes: (count) => (count === MARK_BYTES ? markBytes(++world.chance) : new Uint8Array(count).fill(7)),
  };
}

function markOf(startedAt: string, alive: ReadonlySet<string>): ProcessIdentity {
  return {
    who: "ada",
    host: "here",
    bootId: "boot-1",
    pidNamespace: "pid:[1]",
    pid: 10,
    startedAt,
    isAlive: (_pid, started) => Promise.resolve(alive.has(started)),
  };
}

function requestOf(
  { declarations, statements, approved, adopt }: Running,
  atMs: number,
): Parameters<typeof planRun>[1] {
  return {
    evaluate: () => ({ declarations, reads: [], outputs: [], ...statements, diagnostics: [] }),
    limits: { delete: ALL, replace: ALL, recreate: ALL, irreversible: ALL },
    options: { ...PLAIN_OPTIONS, adopt, approval: approved ? "typed" : "none", atMs },
    expand: (typed) => typed,
    withSecrets: true,
  };
}

function runPortsOf(
  world: World,
  ports: ProcessPorts,
  {
    signal,
    keepUnstored,
    running: { secretOf, marks, exclusive },
    counted,
  }: Pick<RunPorts, "signal" | "keepUnstored"> & { readonly running: Running; readonly counted: { requests: number } },
): RunPorts {
  const { clock, life } = ports;
  const transport = serviceTransport(world, ports);
  const caller: CallerOptions = {
    baseUrl: BASE_URL,
    apiKey: API_KEY,
    transport: { ...transport, send: (...request) => (counted.requests++, transport.send(...request)) },
    pacer: slidingPacer(clock),
    clock,
    timeoutMs: 30_000,
    userAgent: "outreach-as-code/0.0.0",
    jitter: () => 0,
    redactor: redactor(),
  };
  return {
    catalog,
    readClient: readClient(caller),
    access: { reserve: (count, inner) => (life.isOver ? never() : reserveWrites(caller, count, inner)) },
    clock,
    random: randomOf(world),
    process: ports.mark,
    service: { baseUrl: BASE_URL, apiKey: API_KEY, mark: marks, exclusive },
    reveal: (source) =>
      Promise.resolve(
        source.kind === "env"
          ? { value: secretOf[source.name] ?? "" }
          : { detail: "There is none.", hint: "Make one." },
      ),
    fingerprint: (salt, secret) => Promise.resolve(fingerprint(salt, secret)),
    listingDelayMs: LISTING_DELAY_MS,
    keepUnstored,
    signal,
  };
}

const fingerprints = new Map<string, string>();

/** As good as the slow one: nobody guesses these secrets. */
function fingerprint(salt: string, secret: string): string {
  const known = `${salt}/${secret}`;
  const before = fingerprints.get(known);
  if (before !== undefined) return before;
  const digest = createHash("sha256").update(known).digest("hex");
  fingerprints.set(known, digest);
  return digest;
}
