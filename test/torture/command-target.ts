import type { LoggedRequest } from "../../src/sandbox/request-log.ts";
import type { SandboxSeed } from "../../src/sandbox/seed.ts";
import type { Sandbox } from "../../src/sandbox/server.ts";
import type { runInProcess } from "../frontends/cli/run-in-process.ts";
import { diskViolations, extraRequests, intentViolation, serviceViolations, unsubscriptions } from "./judge.ts";
import { LISTING_DELAY_MS, type Project, type Ran, openProject } from "./project.ts";
import { type Scenario, SECRETS } from "./scenarios.ts";
import { STATE_FILE, type Store } from "./stores.ts";
import type { Killed, Strike, Target } from "./target.ts";

/** `KILL-KILL` kills the next run too, at another boundary. */
const SIGNALS = ["KILL", "TERM", "INT-INT", "KILL-KILL"];
/** Spreads the second kills over the boundaries. */
const STRIDE = 37;
const MAX_RUNS = 6;
const CLEAN = 0;
const UNDECIDED = 3;

export interface TargetParts {
  readonly sandbox: Sandbox;
  readonly store: Store;
  readonly runInProcess: typeof runInProcess;
  /** Whether the run after a kill is a process too. */
  readonly recoversInProcess: boolean;
}

/** A run without a signal. */
interface Undisturbed {
  readonly requests: readonly LoggedRequest[];
  readonly tookMs: number;
  readonly files: readonly string[];
}

let projects = 0;

/** Applies what was before, and then the rest once without a signal, which must be without fault too. */
export async function prepareCommand(scenario: Scenario, parts: TargetParts): Promise<Target> {
  const { sandbox, store, recoversInProcess } = parts;
  const [before, now] = SECRETS;
  const open = (secret: string): Project => {
    const name = `state-${String(++projects)}`;
    return openProject({
      sandbox,
      secret,
      runInProcess: parts.runInProcess,
      open: (folder) => store.open(folder, name),
    });
  };
  const { seed, state, files } = await beforeIt(scenario, sandbox, open(before));
  const reopened = async (): Promise<Project> => {
    sandbox.seed(seed);
    sandbox.clearRequests();
    const project = open(now);
    for (const [file, text] of Object.entries(files)) project.write(file, text);
    project.write("outreach.yaml", scenario.after);
    if (state !== null) await project.place.begin(state);
    return project;
  };
  const { boundaries, ...undisturbed } = await withoutSignal(scenario, await reopened(), { recoversInProcess: false });
  const tookMs = recoversInProcess
    ? (await withoutSignal(scenario, await reopened(), { recoversInProcess })).tookMs
    : undisturbed.tookMs;
  return {
    boundaries,
    signals: SIGNALS,
    kill: async (strike) => {
      const project = await reopened();
      try {
        return await survive({
          project,
          scenario,
          strikes: strikesOf(strike, boundaries.length),
          undisturbed: { ...undisturbed, tookMs },
          recoversInProcess,
        });
      } finally {
        sandbox.clearFaults();
        project.remove();
      }
    },
  };
}

async function withoutSignal(
  scenario: Scenario,
  project: Project,
  { recoversInProcess }: Pick<TargetParts, "recoversInProcess">,
): Promise<Undisturbed & Pick<Target, "boundaries">> {
  try {
    const running = recoversInProcess
      ? project.runInProcess(scenario.apply)
      : project.run(scenario.apply, { at: 0, signal: "KILL" });
    const { code, out, err, sent, tookMs } = await running;
    const problems = serviceViolations(scenario, project.sandbox, sent);
    if (code !== CLEAN || problems.length > 0)
      throw new Error(`${scenario.name} fails without a signal: ${problems.join("; ")}\n${out}${err}`);
    return {
      requests: sent,
      tookMs,
      files: Object.keys(project.files()),
      boundaries: recoversInProcess ? [] : project.boundaries(),
    };
  } finally {
    project.remove();
  }
}

interface Before {
  readonly seed: SandboxSeed;
  readonly state: string | null;
  /** The others. */
  readonly files: { readonly [name: string]: string };
}

async function beforeIt({ before, foreign = [] }: Scenario, sandbox: Sandbox, project: Project): Promise<Before> {
  try {
    sandbox.reset();
    for (const webhook of foreign) sandbox.add("webhooks", webhook);
    if (before === null) return { seed: sandbox.state(), state: null, files: {} };
    project.write("outreach.yaml", before);
    const { code, out, err } = await project.runInProcess("apply --auto-approve");
    if (code !== CLEAN) throw new Error(`the configuration before is not applied:\n${out}${err}`);
    const { [STATE_FILE]: _, ...files } = project.files();
    return { seed: sandbox.state(), state: (await project.place.read()).state, files };
  } finally {
    project.remove();
  }
}

interface Killing {
  readonly project: Project;
  readonly scenario: Scenario;
  readonly strikes: readonly [Strike, ...Strike[]];
  readonly undisturbed: Undisturbed;
  readonly recoversInProcess: boolean;
}

function strikesOf({ signal, at }: Strike, boundaries: number): Killing["strikes"] {
  if (signal !== "KILL-KILL") return [{ signal, at }];
  return [
    { signal: "KILL", at },
    { signal: "KILL", at: 1 + ((at * STRIDE) % boundaries) },
  ];
}

async function survive({ project, scenario, strikes, undisturbed, recoversInProcess }: Killing): Promise<Killed> {
  const { sandbox, place } = project;
  const [violations, story, runs]: [string[], string[], Ran[]] = [[], [], []];
  watchIntents(project, violations);
  let serial = 0;
  const judged = async (command: string, running: Promise<Ran>): Promise<Ran> => {
    const ran = await running;
    const seen = await diskViolations(project, ran);
    violations.push(
      ...seen.violations,
      ...(seen.serial < serial ? [`the serial falls from ${String(serial)} to ${String(seen.serial)}`] : []),
    );
    serial = seen.serial;
    story.push(
      `$ outreach ${command}\n${ran.out}${ran.err}exit ${String(ran.code)}; ${ran.sent.map(({ method, target, status }) => `${method} ${target} ${String(status)}`).join(", ")}\n`,
    );
    return ran;
  };
  const killed: LoggedRequest[] = [];
  let wasStruck = false;
  for (const [index, strike] of strikes.entries()) {
    killed.push(...(await judged(`${scenario.apply}   # ${strike.signal}`, project.run(scenario.apply, strike))).sent);
    if (index === 0) wasStruck = project.boundaries().length >= strike.at;
  }
  if (place.isRemote) project.loseMachine();
  const run = async (command: string): Promise<Ran> => {
    const ran = await judged(command, recoversInProcess ? project.runInProcess(command) : project.run(command));
    runs.push(ran);
    return ran;
  };
  await recover(scenario, { run, violations });
  const files = Object.keys(project.files()).filter((name) => name !== SAVED_PLAN);
  if (files.join() !== undisturbed.files.join()) violations.push(`these files are left: ${files.join(", ")}`);
  violations.push(...serviceViolations(scenario, sandbox, undisturbed.requests), ...(place.violations?.() ?? []));
  const before = JSON.stringify([project.files(), await place.read()]);
  const plan = `plan --detailed-exitcode${scenario.apply.includes("--adopt") ? " --adopt" : ""}`;
  const planned = await judged(plan, project.runInProcess(plan));
  if (planned.code !== CLEAN) violations.push("the plan at the end is not empty");
  if (planned.sent.some(({ method }) => method !== "GET")) violations.push("the plan at the end writes to the service");
  if (JSON.stringify([project.files(), await place.read()]) !== before)
    violations.push("the plan at the end changes files");
  const recovery = {
    runs: runs.length,
    requests: extraRequests({
      killed,
      recovering: runs.flatMap(({ sent }) => sent),
      undisturbed: undisturbed.requests,
    }),
    ms: runs.reduce((sum, { tookMs }) => sum + tookMs, 0) - undisturbed.tookMs - LISTING_DELAY_MS,
  };
  return { wasStruck, violations, notes: [], recovery, story: story.join("\n") };
}

/** Looks at what is durable whenever a write arrives at the service. */
function watchIntents({ sandbox, place: { durable } }: Project, violations: string[]): void {
  if (!durable) return;
  const where = (request: LoggedRequest): boolean => {
    const violation = intentViolation(request, durable());
    if (violation !== null) violations.push(violation);
    return false;
  };
  sandbox.addFault({ action: { kind: "drop" }, times: null, where });
}

const SAVED_PLAN = "the.plan";

interface Recovering {
  readonly run: (command: string) => Promise<Ran>;
  readonly violations: string[];
}

/** Applies until it is clean, and does what messages ask for. An unsubscription whose answer is lost is sent again, once, and nobody else is sent. */
async function recover(scenario: Scenario, { run, violations }: Recovering): Promise<void> {
  const approved = scenario.unsubscribed ?? [];
  const repeated = new Set<string>();
  for (let count = 0; count < MAX_RUNS; count++) {
    const { code, err, sent } = await run(scenario.apply);
    for (const one of unsubscriptions(sent)) {
      if (!approved.some((person) => one.endsWith(`/${person}`))) violations.push(`${one} was never approved`);
      if (repeated.has(one)) violations.push(`${one} is sent again although its answer was recorded`);
      repeated.add(one);
    }
    if (code === CLEAN) return;
    const [, lock] = /outreach force-unlock .*?(\S+)$/m.exec(err) ?? [];
    if (lock !== undefined) await run(`force-unlock ${lock} --force`);
    else if (code === UNDECIDED && err.includes("outreach resolve 'outreach_lead_unsubscription.left")) {
      await run(`plan --out ${SAVED_PLAN}`);
      await run(`apply ${SAVED_PLAN}`);
    } else violations.push(`recovery ends with ${String(code)}`);
  }
  violations.push("recovery does not come to an end");
}
