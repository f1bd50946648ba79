import type { Guard } from "../../../src/core/model/guard.ts";
import { nodeRandom } from "../../../src/platform/node-random.ts";
import { hasErrors } from "../../../src/core/model/diagnostic.ts";
import { expect } from "vitest";
import { applyRun } from "../../../src/core/apply/run/apply-run.ts";
import { planRun } from "../../../src/core/apply/run/plan-run.ts";
import type { PlanRequest, RunPorts } from "../../../src/core/apply/run/run-ports.ts";
import type { Declaration, Evaluation } from "../../../src/core/model/declaration.ts";
import type { LiveObject } from "../../../src/core/model/definition.ts";
import { PLAIN_OPTIONS } from "../../../src/core/plan/plan-context.ts";
import { localStore } from "../../../src/core/state/local/local-store.ts";
import { readState } from "../../../src/core/state/open-state.ts";
import { memoryFiles } from "../state/memory-files.ts";
import { NEVER, countingRandom, processOf } from "../state/state-fixtures.ts";
import { NO_STATEMENTS, type ToyShop, live, toys } from "../toy.ts";
import { virtualClock } from "../virtual-clock.ts";
import { refused } from "./toy-run.ts";

export const PATH = "work/outreach.state.json";

interface Allowed extends Partial<Pick<Evaluation, "imports" | "outputs">> {
  readonly allow?: readonly Guard[];
  readonly destroy?: boolean;
  readonly refreshOnly?: boolean;
  /** As a user types them: in capitals, without their type. */
  readonly targets?: readonly string[];
  readonly replace?: readonly string[];
  readonly waiting?: (durationMs: number) => void;
}

interface Applying extends Allowed, Partial<Pick<RunPorts, "service">> {
  readonly asked?: boolean;
  readonly stop?: AbortSignal;
  readonly meanwhile?: () => void | Promise<void>;
}

export interface Mishaps {
  /** Whether the answer to the `count`-th create is lost, before or after it was carried out. */
  readonly loses?: (count: number) => "before" | "after" | undefined;
  /** Whether the answer to the `count`-th delete is lost, before or after it was carried out, or it is refused. */
  readonly losesDelete?: (count: number) => "before" | "after" | "refused" | undefined;
  /** Whether the `count`-th list fails. */
  readonly failsToList?: (count: number) => boolean;
  /** How many objects the first list shows. */
  readonly pageSize?: number;
}

/** A state on a disk in memory, a shop, and runs of both. */
export function world({
  loses = () => undefined,
  losesDelete = () => undefined,
  failsToList = () => false,
  pageSize = Infinity,
}: Mishaps = {}) {
  const files = memoryFiles();
  const clock = virtualClock();
  const random = countingRandom();
  const bucket = new Map<string, LiveObject>();
  const log: string[] = [];
  const evaluated: number[] = [];
  let [creates, deletes, lists] = [0, 0, 0];
  const shop: ToyShop = {
    list: () => {
      log.push("GET");
      if (failsToList(lists++)) return Promise.reject(new Error("no list"));
      return Promise.resolve({
        objects: [...bucket.values()].slice(0, lists === 1 ? pageSize : Infinity),
        complete: true,
        serverDate: "",
      });
    },
    create: (planned) => {
      log.push(`POST ${String(planned["name"])} ${String(planned["secret"])}`);
      const object = live(String(planned["name"]), {
        id: `new_${String(bucket.size + log.length)}`,
        room: planned["room"] ?? null,
      });
      const lost = loses(creates++);
      if (lost !== "before") bucket.set(object.id, object);
      return Promise.resolve(
        lost
          ? { kind: "unsure", cause: "reset", answered: false }
          : { kind: "done", id: object.id, returned: object.attributes },
      );
    },
    delete: (id) => {
      log.push(`DELETE ${id}`);
      const lost = losesDelete(deletes++);
      if (lost === "refused") return Promise.resolve(refused());
      if (lost !== "before") bucket.delete(id);
      return Promise.resolve(
        lost ? { kind: "unsure", cause: "reset", answered: false } : { kind: "done", id, returned: {} },
      );
    },
  };
  const ports: RunPorts = {
    catalog: toys,
    random: nodeRandom,
    readClient: shop,
    access: { reserve: () => Promise.resolve({ client: shop, release: () => undefined }) },
    clock,
    process: processOf(),
    service: { baseUrl: "https://toys.example/api", apiKey: "the-key" },
    reveal: (source) =>
      Promise.resolve(
        source.kind === "env" ? { value: `${source.name}-value` } : { detail: "There is none.", hint: "Make one." },
      ),
    fingerprint: (salt, secret) => Promise.resolve(`${salt}/${String(secret.length)}`),
    listingDelayMs: { answered: 10_000, unanswered: 60_000 },
    keepUnstored: () => Promise.reject(new Error("there was nothing to keep")),
    signal: NEVER,
  };
  const store = localStore(PATH, { files, clock, random, process: processOf() });
  const requesting = (
    declarations: readonly Declaration[],
    {
      allow = [],
      imports = [],
      outputs = [],
      destroy = false,
      refreshOnly = false,
      targets = [],
      replace = [],
    }: Allowed,
  ): PlanRequest => ({
    evaluate: ({ instances }) => (
      evaluated.push(instances.length),
      { declarations, reads: [], outputs, ...NO_STATEMENTS, imports, diagnostics: [] }
    ),
    limits: {},
    options: { ...PLAIN_OPTIONS, allow, destroy, refreshOnly, targets, replace },
    expand: (typed) => `toy_thing.${typed.toLowerCase()}`,
    withSecrets: true,
  });
  async function plan(
    declarations: readonly Declaration[],
    { service, ...allowed }: Allowed & Partial<Pick<RunPorts, "service">> = {},
  ) {
    const open = await readState(store, random, NEVER);
    return {
      open,
      planned: await planRun(open, requesting(declarations, allowed), {
        ...ports,
        ...(service ? { service } : {}),
        ...(allowed.waiting ? { waiting: allowed.waiting } : {}),
      }),
    };
  }
  async function apply(
    declarations: readonly Declaration[],
    { asked = false, stop = NEVER, meanwhile = () => {}, service, ...allowed }: Applying = {},
  ) {
    const { open, planned } = await plan(declarations, { ...allowed, ...(service ? { service } : {}) });
    expect(hasErrors(planned.plan.diagnostics)).toBe(false);
    await meanwhile();
    return applyRun(
      store,
      { open, planned, asked, approved: asked, report: () => undefined, stop },
      { ...ports, ...(service ? { service } : {}) },
    );
  }
  return {
    files,
    store,
    clock,
    bucket,
    log,
    /** How many recorded objects each evaluation of the configuration has seen. */
    evaluated,
    plan,
    apply,
  };
}

export const steps = ({ planned }: Awaited<ReturnType<ReturnType<typeof world>["plan"]>>) =>
  planned.plan.steps.map(({ action, address }) => `${action} ${address}`);
export const codes = ({ planned }: Awaited<ReturnType<ReturnType<typeof world>["plan"]>>) =>
  planned.plan.diagnostics.map(({ code }) => code);
