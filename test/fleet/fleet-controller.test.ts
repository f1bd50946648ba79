import { expect, test } from "vitest";
import { DiagnosticsError } from "../../src/core/model/diagnostic.ts";
import { type Controller, openController } from "../../src/fleet/fleet-controller.ts";
import type { FleetStore } from "../../src/fleet/database/pg-fleet-store.ts";
import { type BegunRun, FleetUnavailable } from "../../src/fleet/fleet-store.ts";
import type { QueueOptions } from "../../src/fleet/queue.ts";
import type { FleetConfiguration, TeamResult, TeamWork } from "../../src/fleet/team-work.ts";
import { virtualClock } from "../core/virtual-clock.ts";
import { NEVER, configurationOf, resultOf } from "./fleet-fixtures.ts";

const RUN: BegunRun = {
  id: "7",
  team: "a",
  trigger: "interval",
  failures: 0,
  undecided: 0,
  busy: 0,
  seen: null,
  beganMs: 0,
  auto: "safe",
  intervalMs: 600_000,
  freeze: null,
  approved: null,
};
const BROKEN = new DiagnosticsError([
  {
    code: "yaml",
    severity: "error",
    summary: "Invalid YAML",
    detail: "A bracket is open.",
    place: { file: "a.yaml", line: 3, column: 7 },
  },
]);

interface Setting {
  /** What the process reads, each time; the last one for ever. */
  readonly reads?: readonly (FleetConfiguration | Error)[];
  readonly reconciles?: TeamWork["reconcile"];
  readonly adopts?: () => boolean;
  readonly isCurrent?: () => boolean;
  readonly isListed?: () => boolean;
  /** Whether the database is away at this call. */
  readonly isAway?: (call: string) => boolean;
}

/** A controller whose database, teams and queue are told what to do; `log` has what it asked of them. */
function controller(setting: Setting = {}) {
  const {
    reads = [configurationOf("one", "a", "b")],
    adopts = () => true,
    isCurrent = () => true,
    isListed = () => true,
    isAway = () => false,
  } = setting;
  const clock = virtualClock();
  const [stop, lost] = [new AbortController(), new AbortController()];
  const [log, messages]: readonly [string[], string[]] = [[], []];
  let count = 0;
  let queue: Pick<QueueOptions, "begin" | "run"> | null = null;
  const ask = async <T>(call: string, answer: () => T): Promise<T> => {
    if (isAway(call)) throw new FleetUnavailable(`no ${call}`);
    log.push(call);
    return answer();
  };
  const store: Partial<FleetStore> = {
    register: () =>
      ask("register", () => ({
        lost: log.filter((one) => one === "register").length === 1 ? lost.signal : new AbortController().signal,
        close: async () => void log.push("close"),
      })),
    adopt: ({ digest }, why) => ask(`adopt ${digest} ${why}`, adopts),
    sweep: () => ask("sweep", () => ({ gone: [], isCurrent: isCurrent(), isListed: isListed() })),
    beginRuns: ({ runs }) => ask(`begin ${String(runs)}`, () => [RUN]),
    endRun: ({ team }, { outcome }, next) =>
      ask(
        `end ${team} ${outcome} ${next === null ? "never" : `${next.trigger} ${String(next.afterMs)}`}`,
        () => undefined,
      ),
  };
  const work: TeamWork = {
    read: async () => {
      const read = reads[Math.min(count++, reads.length - 1)];
      if (read === undefined) throw BROKEN;
      if (read instanceof Error) throw read;
      return read;
    },
    reconcile:
      setting.reconciles ?? (async (team, auto) => (log.push(`reconcile ${team} ${auto}`), resultOf("unchanged"))),
    applyPlan: async (team, plan) => (log.push(`apply ${team} ${String(plan.length)}`), resultOf("applied")),
  };
  const opened: Controller = openController({
    store: store as FleetStore,
    work,
    openQueue: (given) => {
      queue = given;
      return {
        running: 0,
        failed: new Promise(() => undefined),
        pause: () => void log.push("pause"),
        resume: () => void log.push("resume"),
        stop: async () => void log.push("stop"),
      };
    },
    clock,
    chance: () => 0.5,
    log: (level, event, message) => void (level === "debug" || (log.push(`${level} ${event}`), messages.push(message))),
    metrics: { runEnded: ({ outcome }) => void log.push(`metrics ${outcome}`) },
  });
  const running = opened.run(stop.signal);
  running.catch(() => undefined);
  return {
    log,
    messages,
    lost,
    running,
    state: opened.state,
    nowMs: clock.monotonicMs,
    pass: (ms: number) => clock.sleep(ms, new AbortController().signal),
    queue: () => queue ?? expect.fail("no queue"),
    runTeam: (run: BegunRun) => queue?.run(run, new AbortController().signal) ?? expect.fail("no queue"),
    end: () => (stop.abort(new Error("stop")), running),
  };
}

test("begins by registering, makes its configuration the one in force, takes teams, also those of processes that are gone, and leaves nothing behind", async () => {
  const { log, pass, end, state } = controller();
  await pass(1);
  expect(log).toEqual(["register", "adopt one start", "info started", "resume", "sweep", "resume"]);
  expect(state()).toEqual({ isInForce: true, isStopping: false });
  await end();
  expect(log.slice(6)).toEqual(["info stopping", "stop", "close"]);
  expect(state()).toEqual({ isInForce: true, isStopping: true });
});

test("a changed configuration is in force at once, and one that cannot be read changes nothing and is told once", async () => {
  const { log, messages, pass, end } = controller({
    reads: [configurationOf("one", "a"), BROKEN, BROKEN, configurationOf("two", "a")],
  });
  await pass(30_000);
  expect(messages.join("\n")).toContain("stays in force. Invalid YAML, on a.yaml:3:7: A bracket is open.");
  expect(log.filter((entry) => /adopt|configuration/.test(entry))).toEqual([
    "adopt one start",
    "error configuration",
    "info configuration",
    "info configuration",
    "adopt two change",
  ]);
  await end();
});

test("takes no team while another configuration is in force, and asks again", async () => {
  let answers = 0;
  let current = false;
  const { log, pass, end, state } = controller({ adopts: () => (current = ++answers === 3), isCurrent: () => current });
  await pass(6000);
  expect(log.filter((entry) => /resume|pause|adopt/.test(entry)).slice(0, 3)).toEqual([
    "adopt one start",
    "pause",
    "pause",
  ]);
  expect(state().isInForce).toBe(false);
  await pass(6000);
  expect([answers, state().isInForce, log.includes("resume")]).toEqual([3, true, true]);
  await end();
});

test("takes no team while the others cannot see it, until it is registered again", async () => {
  const { log, lost, pass, end } = controller();
  await pass(1000);
  lost.abort();
  await pass(4000);
  expect(log.slice(6, 11)).toEqual(["pause", "close", "register", "sweep", "resume"]);
  await end();
});

test("takes no team while a restored database does not know it, until it is registered again", async () => {
  let sweeps = 0;
  const { log, pass, end } = controller({ isListed: () => ++sweeps !== 2 });
  await pass(5000);
  expect(log.slice(6, 8)).toEqual(["sweep", "pause"]);
  await pass(4000);
  expect(log.filter((entry) => entry !== "resume" && entry !== "pause").slice(-4)).toEqual([
    "sweep",
    "close",
    "register",
    "sweep",
  ]);
  expect(log.at(-1)).toBe("resume");
  await end();
});

test("waits for the database, at the start and later, and says so once", async () => {
  let away = true;
  const { log, pass, end } = controller({ isAway: () => away });
  await pass(10_000);
  expect(log).toEqual(["warn database-away"]);
  away = false;
  await pass(2000);
  away = true;
  await pass(20_000);
  away = false;
  await pass(8000);
  expect(log.filter((entry) => entry.includes("database"))).toEqual([
    "warn database-away",
    "info database-back",
    "warn database-away",
    "info database-back",
  ]);
  await end();
});

test("asks a database that is away less and less often, but not less than every 8 seconds", async () => {
  const asked: number[] = [];
  const { pass, nowMs, end } = controller({ isAway: () => asked.push(nowMs()) > 0 });
  await pass(60_000);
  const pauses = asked.slice(1).map((at, index) => at - (asked[index] ?? 0));
  expect(pauses.slice(0, 6)).toEqual([750, 1500, 3000, 6000, 6000, 6000]);
  await end().catch(() => undefined);
});

test("waits for the database that knows the teams of before, and says so once", async () => {
  const away = new FleetUnavailable("no read");
  const { log, pass, end, state } = controller({
    reads: [away, away, configurationOf("one", "a"), away, configurationOf("one", "a")],
  });
  await pass(1000);
  expect(log).toEqual(["warn database-away"]);
  expect(state().isInForce).toBe(false);
  await pass(25_000);
  expect(log.filter((entry) => /register|adopt|warn|error|back/.test(entry)).slice(1)).toEqual([
    "info database-back",
    "register",
    "adopt one start",
  ]);
  await end();
});

test("ends at once if it is asked to while it waits for the database before its first read", async () => {
  const { log, pass, end } = controller({ reads: [new FleetUnavailable("no read")] });
  await pass(1);
  await expect(end()).rejects.toThrow("stop");
  expect(log).toEqual(["warn database-away"]);
});

test("the same configuration of another commit is recorded", async () => {
  const [one, other] = [configurationOf("one", "a"), { ...configurationOf("one", "a"), commit: "another" }];
  const { log, pass, end } = controller({ reads: [one, one, other] });
  await pass(20_000);
  expect(log.filter((entry) => /adopt|configuration/.test(entry))).toEqual(["adopt one start", "adopt one start"]);
  await end();
});

test("ends with the error of a configuration that is wrong from the start", async () => {
  const { running, log } = controller({ reads: [BROKEN] });
  await expect(running).rejects.toBe(BROKEN);
  expect(log).toEqual([]);
});

test("ends where it may not work with the database any more, after its runs", async () => {
  const newer = new DiagnosticsError([
    { code: "fleet_schema_newer", severity: "error", summary: "Newer", detail: "Newer." },
  ]);
  const { running, pass, log } = controller({
    isCurrent: () => {
      throw newer;
    },
  });
  await Promise.all([expect(running).rejects.toBe(newer), pass(5000)]);
  expect(log.slice(-3)).toEqual(["info stopping", "stop", "close"]);
});

const RESULTS: readonly (readonly [string, TeamResult | Error, string])[] = [
  ["that was unchanged", resultOf("unchanged"), "end a unchanged interval 600000"],
  ["that failed", resultOf("failed"), "end a failed retry 60000"],
  ["that still cannot be decided", resultOf("undecided"), "end a undecided never"],
  ["that failed inside", new TypeError("x is not a function"), "end a failed retry 60000"],
  ["that the database interrupted", new FleetUnavailable("no budget"), "end a interrupted retry 0"],
];

test.each(RESULTS)("records a run %s, and when the next one is due", async (_, result, ended) => {
  const reconciles = (): Promise<TeamResult> =>
    result instanceof Error ? Promise.reject(result) : Promise.resolve(result);
  const { log, pass, runTeam, end } = controller({ reconciles });
  await pass(1);
  await runTeam({ ...RUN, failures: 2, undecided: 2 });
  expect(log.filter((entry) => entry.startsWith("end"))).toEqual([ended]);
  expect(log).toContain(`metrics ${ended.split(" ")[2] ?? ""}`);
  await end();
});

test("a run that takes too long is interrupted, and has failed", async () => {
  const reconciles: TeamWork["reconcile"] = (_, __, signal) =>
    new Promise((_resolve, reject) =>
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true }),
    );
  const { log, messages, pass, runTeam, end } = controller({ reconciles });
  await pass(1);
  const ended = runTeam(RUN);
  await pass(599_000);
  expect(log.filter((entry) => entry.startsWith("end"))).toEqual([]);
  await pass(2000);
  await ended;
  expect(log.filter((entry) => entry.startsWith("end"))).toEqual(["end a failed retry 15000"]);
  expect(messages.join()).toContain("The run took too long: The run was interrupted after 10m");
  await end();
});

test("applies an approved plan instead of a new one", async () => {
  const { log, pass, runTeam, end } = controller();
  await pass(1);
  await runTeam({ ...RUN, approved: { id: "p", bytes: new Uint8Array(5), by: "Ada" } });
  expect(log.filter((entry) => /^(?:apply|reconcile|end)/.test(entry))).toEqual([
    "apply a 5",
    "end a applied interval 600000",
  ]);
  await end();
});

test("waits for the database to begin and to end a run", async () => {
  const calls = { begin: 0, end: 0 };
  const isAway = (call: string): boolean =>
    (call.startsWith("begin") && ++calls.begin < 3) || (call.startsWith("end") && ++calls.end < 4);
  const { log, pass, queue, end } = controller({ isAway });
  await pass(1);
  const work = async (): Promise<void> => {
    for (const run of await queue().begin({ runs: 2, failing: 1 }, NEVER)) await queue().run(run, NEVER);
  };
  const worked = work();
  await pass(12_000);
  await worked;
  expect(log.filter((entry) => /^(?:begin|reconcile|end)/.test(entry))).toEqual([
    "begin 2",
    "reconcile a safe",
    "end a unchanged interval 600000",
  ]);
  expect(log).toContain("warn database-away");
  await end();
});
