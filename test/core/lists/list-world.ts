import { nodeRandom } from "../../../src/platform/node-random.ts";
import { applyRun } from "../../../src/core/apply/run/apply-run.ts";
import { planRun, undecidedDiagnostics } from "../../../src/core/apply/run/plan-run.ts";
import type { PlanRequest, RunPorts } from "../../../src/core/apply/run/run-ports.ts";
import type { Declaration } from "../../../src/core/model/declaration.ts";
import { type Diagnostic, hasErrors } from "../../../src/core/model/diagnostic.ts";
import { managedIds } from "../../../src/core/model/instance.ts";
import { PLAIN_OPTIONS } from "../../../src/core/plan/plan-context.ts";
import type { Step } from "../../../src/core/plan/plan.ts";
import { redactor } from "../../../src/core/secrets/redactor.ts";
import { readState } from "../../../src/core/state/open-state.ts";
import type { StateStore } from "../../../src/core/state/state-store.ts";
import type { CallerOptions } from "../../../src/service/api/caller.ts";
import { readClient, reserveWrites } from "../../../src/service/api/client.ts";
import type { Pacer } from "../../../src/service/api/pacer.ts";
import { catalog } from "../../../src/service/resources/catalog.ts";
import { NEVER, countingRandom, processOf } from "../state/state-fixtures.ts";
import { NO_STATEMENTS } from "../toy.ts";
import { virtualClock } from "../virtual-clock.ts";
import { type Life, type ListBehaviour, cappedService, never } from "./capped-service.ts";

const BASE_URL = "https://api.example.com/api";
const ALL = { kind: "percent", percent: 100 } as const;
/** Longer than any listing delay. */
const BETWEEN_RUNS_MS = 90_000;

export interface Ran {
  readonly exit: 0 | 1 | 3 | "died";
  readonly codes: readonly string[];
  readonly steps: readonly Step[];
  readonly diagnostics: readonly Diagnostic[];
}

export const urlOf = (name: number | string): string => `https://crm.example.com/hook?n=${String(name)}`;

function declared(name: number | string): Declaration {
  return {
    address: `outreach_webhook.w${String(name)}`,
    type: "outreach_webhook",
    provider: "outreach",
    attributes: { target_url: urlOf(name) },
    secrets: {},
    masked: [],
    locate: () => undefined,
  };
}

/** A state and its journal in memory, as one process after the other sees them. A dead process changes nothing. */
function memoryStore() {
  let [state, version]: readonly [Uint8Array | null, number] = [null, 0];
  let journal: Uint8Array[] = [];
  const unused = (): Promise<never> => Promise.reject(new Error("not used here"));
  return (life: Pick<Life, "isOver">): StateStore => ({
    name: "memory",
    isOnThisMachine: true,
    isAtomic: false,
    assertReady: () => Promise.resolve(),
    read: () => Promise.resolve(state && { bytes: state.slice(), version: String(version) }),
    write: (bytes) => {
      if (life.isOver) return never();
      [state, version] = [bytes.slice(), version + 1];
      return Promise.resolve(String(version));
    },
    lock: unused,
    forceUnlock: unused,
    heldLock: () => Promise.resolve(null),
    backup: null,
    journal: {
      name: "memory",
      read: () => Promise.resolve(journal.length === 0 ? null : new Uint8Array(Buffer.concat(journal))),
      append: (bytes) => {
        if (life.isOver) return never();
        journal.push(bytes.slice());
        return Promise.resolve();
      },
      overwrite: unused,
      remove: () => {
        if (life.isOver) return never();
        journal = [];
        return Promise.resolve();
      },
      setAside: unused,
      assertLocked: () => Promise.resolve(),
    },
    close: () => Promise.resolve(),
  });
}

/** The production engine and client over a service in memory, with a state on a disk in memory, and a clock that nobody waits for. */
export function listWorld(behaviour: ListBehaviour) {
  const clock = virtualClock();
  const random = countingRandom();
  const service = cappedService(behaviour, clock);
  const storeOf = memoryStore();
  const slot = { take: () => () => undefined, release: () => undefined };
  const pacer: Pacer = { reserve: () => Promise.resolve(slot), pause: () => undefined };
  function portsOf(life: Life): RunPorts {
    const transport = service.transport(life);
    const caller: CallerOptions = {
      baseUrl: BASE_URL,
      apiKey: "key",
      transport,
      pacer,
      clock,
      timeoutMs: 30_000,
      userAgent: "outreach/0",
      jitter: () => 0,
      redactor: redactor(),
    };
    return {
      catalog,
      readClient: readClient(caller),
      random: nodeRandom,
      access: { reserve: (count, signal) => reserveWrites(caller, count, signal) },
      clock,
      process: processOf(),
      service: { baseUrl: BASE_URL, apiKey: "key" },
      reveal: () => Promise.reject(new Error("no secrets here")),
      fingerprint: (salt, secret) => Promise.resolve(`${salt}/${secret}`),
      listingDelayMs: { answered: 10_000, unanswered: 60_000 },
      keepUnstored: () => Promise.reject(new Error("there was nothing to keep")),
      signal: NEVER,
    };
  }
  function request(declarations: readonly Declaration[], options: Partial<PlanRequest["options"]>): PlanRequest {
    return {
      evaluate: () => ({ declarations, reads: [], outputs: [], ...NO_STATEMENTS, diagnostics: [] }),
      limits: { delete: ALL, recreate: ALL, replace: ALL },
      options: { ...PLAIN_OPTIONS, ...options },
      expand: (typed) => typed,
      withSecrets: true,
    };
  }
  async function run(
    names: readonly (number | string)[],
    options: Partial<PlanRequest["options"]>,
    isApply: boolean,
  ): Promise<Ran> {
    await clock.sleep(BETWEEN_RUNS_MS, NEVER);
    let ended = (): void => undefined;
    const died = new Promise<"died">((resolve) => (ended = () => resolve("died")));
    const life: Life = { isOver: false, ended: () => ended() };
    const [store, ports] = [storeOf(life), portsOf(life)];
    const open = await readState(store, random, NEVER);
    const planned = await planRun(open, request(names.map(declared), options), ports);
    const { steps } = planned.plan;
    const before = [...planned.plan.diagnostics, ...undecidedDiagnostics(planned)];
    const ran = (exit: Ran["exit"], diagnostics: readonly Diagnostic[]): Ran => ({
      exit,
      codes: diagnostics.map(({ code }) => code),
      steps,
      diagnostics,
    });
    if (hasErrors(planned.plan.diagnostics)) return ran(1, before);
    if (!isApply) return ran(planned.plan.undecided.length > 0 ? 3 : 0, before);
    const applying = applyRun(
      store,
      { open, planned, asked: false, approved: false, report: () => undefined, stop: NEVER },
      ports,
    );
    const applied = await Promise.race([applying, died]);
    if (applied === "died") return ran("died", before);
    const diagnostics = [...before, ...applied.diagnostics];
    return ran(applied.undecided ? 3 : hasErrors(applied.diagnostics) ? 1 : 0, diagnostics);
  }
  return {
    service,
    apply: (names: readonly (number | string)[], options: Partial<PlanRequest["options"]> = {}) =>
      run(names, options, true),
    plan: (names: readonly (number | string)[]) => run(names, {}, false),
    recorded: async () => managedIds((await readState(storeOf({ isOver: true }), random, NEVER)).document.instances),
    knowledge: async () => (await readState(storeOf({ isOver: true }), random, NEVER)).document.lists ?? [],
    /** How many live webhooks of ours have a target URL that another one has. */
    doubled: (): number => {
      const ours = service.hooks().filter(({ isOurs }) => isOurs);
      return ours.length - new Set(ours.map(({ targetUrl }) => targetUrl)).size;
    },
  };
}

export type ListWorld = ReturnType<typeof listWorld>;
