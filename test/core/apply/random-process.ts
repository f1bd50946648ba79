import { nodeRandom } from "../../../src/platform/node-random.ts";
import { applyRun } from "../../../src/core/apply/run/apply-run.ts";
import type { AppliedRun } from "../../../src/core/apply/run/apply-run.ts";
import { planRun, undecidedDiagnostics } from "../../../src/core/apply/run/plan-run.ts";
import type { PlannedRun, RunPorts } from "../../../src/core/apply/run/run-ports.ts";
import type { Declaration, Statements } from "../../../src/core/model/declaration.ts";
import { type Diagnostic, DiagnosticsError, hasErrors } from "../../../src/core/model/diagnostic.ts";
import type { Clock, Random } from "../../../src/core/model/ports.ts";
import { PLAIN_OPTIONS } from "../../../src/core/plan/plan-context.ts";
import { type OpenState, readState } from "../../../src/core/state/open-state.ts";
import { processOf } from "../state/state-fixtures.ts";
import type { Chance } from "./chance.ts";
import { type Life, never, newLife } from "./life.ts";
import type { Home } from "./random-home.ts";
import type { RandomService } from "./random-service.ts";
import { shopCatalog } from "./shop-things.ts";

const ALL = { kind: "percent", percent: 100 } as const;
export const SETTLE_MS = { answered: 100, unanswered: 600 };
/** As `RunPorts` has it: less than the longer listing delay, and short enough to be missed now and then. */
export const SEND_WITHIN_MS = 80;

export interface Running {
  readonly declarations: readonly Declaration[];
  readonly statements: Statements;
  /** Whether a person approves the very plan. */
  readonly approved: boolean;
  /** Whether time passes between the plan and the apply; then this happens. */
  readonly meanwhile: (() => Promise<void>) | null;
  readonly adopt: boolean;
  readonly stop: AbortController;
}

/** What is known of a run, and what it was like before and after its parts. */
export interface Ran {
  readonly exit: 0 | 1 | 3 | "crashed";
  /** Everything that it has said. */
  readonly said: readonly Diagnostic[];
  readonly open: OpenState | null;
  readonly planned: PlannedRun | null;
  readonly applied: AppliedRun | null;
  readonly error: unknown;
  /** The state that its store did not take. */
  readonly unstored: Uint8Array | null;
}

export interface World {
  readonly home: Home;
  readonly clock: Clock;
  readonly random: Random;
  readonly chance: Chance;
  readonly service: RandomService;
}

function portsOf(
  { clock, chance, service }: World,
  life: Life,
  { signal, keepUnstored }: Pick<RunPorts, "signal" | "keepUnstored">,
): RunPorts {
  const shop = service.shopOf(life);
  return {
    catalog: shopCatalog,
    readClient: shop,
    random: nodeRandom,
    access: {
      reserve: async () => {
        if (life.isOver) return never();
        await clock.sleep(chance.below(5), signal);
        return { client: shop, release: () => undefined };
      },
    },
    clock,
    process: processOf(),
    service: { baseUrl: "https://toys.example/api", apiKey: "the-key" },
    reveal: (source) =>
      Promise.resolve(source.kind === "env" ? { value: source.name } : { detail: "There is none.", hint: "Make one." }),
    fingerprint: (salt, secret) => Promise.resolve(`${salt}/${secret}`),
    listingDelayMs: SETTLE_MS,
    sendWithinMs: SEND_WITHIN_MS,
    keepUnstored,
    signal,
  };
}

/** One process: plans and applies, as the command does, until it ends or is ended. */
export async function runOnce(world: World, running: Running): Promise<Ran> {
  const life = newLife();
  const parts: { -readonly [part in keyof Ran]?: Ran[part] } = {};
  const said: Diagnostic[] = [];
  const work = async (): Promise<Ran["exit"]> => {
    const { declarations, statements, approved, meanwhile, adopt, stop } = running;
    const store = world.home.storeOf(life);
    const signal = AbortSignal.any([stop.signal, await world.home.lock(store)]);
    const keepUnstored = (bytes: Uint8Array): Promise<string> => {
      parts.unstored = bytes;
      return Promise.resolve("errored.json");
    };
    const ports = portsOf(world, life, { signal, keepUnstored });
    const open = await readState(store, world.random, signal, { setsAside: true });
    parts.open = open;
    const planned = await planRun(
      open,
      {
        evaluate: () => ({ declarations, reads: [], outputs: [], ...statements, diagnostics: [] }),
        limits: { delete: ALL, replace: ALL, recreate: ALL },
        options: { ...PLAIN_OPTIONS, adopt },
        expand: (typed) => typed,
        withSecrets: true,
      },
      ports,
    );
    said.push(...planned.plan.diagnostics, ...undecidedDiagnostics(planned));
    if (hasErrors(planned.plan.diagnostics)) return 1;
    parts.planned = planned;
    await meanwhile?.();
    const applied = await applyRun(
      store,
      { open, planned, asked: meanwhile !== null, approved, report: () => undefined, stop: signal },
      ports,
    );
    parts.applied = applied;
    said.push(...applied.diagnostics);
    if (applied.undecided) return 3;
    return hasErrors(applied.diagnostics) || applied.interrupted ? 1 : 0;
  };
  const failed = (error: unknown): Ran["exit"] => {
    parts.error = error;
    if (!(error instanceof DiagnosticsError)) return 1;
    said.push(...error.diagnostics);
    return error.undecided ? 3 : 1;
  };
  const ended = await Promise.race([work().catch(failed), life.over]);
  life.end();
  const { open = null, planned = null, applied = null, error = null, unstored = null } = parts;
  return { exit: ended === "over" ? "crashed" : ended, said, open, planned, applied, error, unstored };
}
