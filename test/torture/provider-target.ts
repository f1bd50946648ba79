import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { LoggedRequest } from "../../src/sandbox/request-log.ts";
import type { Sandbox } from "../../src/sandbox/server.ts";
import { type Installed, REQUIRED_PROVIDERS } from "../frontends/terraform/installed-provider.ts";
import { TerraformUnderTest, isRunning } from "../frontends/terraform/terraform-under-test.ts";
import { extraRequests, leaks, serviceViolations, unsubscriptions } from "./judge.ts";
import { LISTING_DELAY_MS, PRELOAD } from "./project.ts";
import type { ProviderScenario } from "./provider-scenarios.ts";
import { NEIGHBOUR } from "./scenarios.ts";
import { type Killed, type Strike, type Target, readTrace } from "./target.ts";

/** To the provider, to terraform, to both, and Ctrl-C twice to both. */
const SIGNALS = ["KILL", "TERM", "KILL-terraform", "KILL-both", "INT-INT-group"];
const MAX_RUNS = 4;
const LONGEST_RUN_MS = 300_000;
const STATE = "terraform.tfstate";
const MAIN = "main.tf";

interface Ran {
  readonly status: number | null;
  readonly output: string;
  readonly sent: readonly LoggedRequest[];
  readonly tookMs: number;
}

interface Undisturbed {
  readonly requests: readonly LoggedRequest[];
  readonly tookMs: number;
}

/** A working folder, and the commands to run in it. */
interface Work {
  readonly terraform: TerraformUnderTest;
  readonly trace: string;
  run(words: readonly string[], strike?: Strike): Promise<Ran>;
}

export interface ProviderParts {
  readonly sandbox: Sandbox;
  readonly installed: Installed;
}

/** Applies what was before, and then the rest once without a signal, which must be without fault too. */
export async function prepareProvider(
  scenario: ProviderScenario,
  { sandbox, installed }: ProviderParts,
): Promise<Target> {
  sandbox.reset();
  sandbox.add("webhooks", NEIGHBOUR);
  const first = await openWork(sandbox, installed);
  if (scenario.before !== null) {
    first.terraform.write(MAIN, scenario.before);
    const { status, output } = await first.run(APPLY);
    if (status !== 0) throw new Error(`the configuration before is not applied:\n${output}`);
  }
  const files = new Map(first.terraform.files().map((name) => [name, first.terraform.read(name).toString()]));
  const seed = sandbox.state();
  await first.terraform.remove();
  const reopened = async (): Promise<Work> => {
    sandbox.seed(seed);
    sandbox.clearRequests();
    const work = await openWork(sandbox, installed);
    for (const [name, text] of files) work.terraform.write(name, text);
    work.terraform.write(MAIN, scenario.after);
    return work;
  };
  const { boundaries, ...undisturbed } = await withoutSignal(scenario, sandbox, await reopened());
  return {
    boundaries,
    signals: SIGNALS,
    kill: async (strike) => {
      const work = await reopened();
      try {
        return await survive({ work, sandbox, scenario, strike, undisturbed });
      } finally {
        await removed(work);
      }
    },
  };
}

const APPLY = ["apply", "-no-color", "-input=false", "-auto-approve"];
const PLAN = ["plan", "-no-color", "-input=false", "-detailed-exitcode"];

async function openWork(sandbox: Sandbox, installed: Installed): Promise<Work> {
  const environment = {
    OUTREACH_BASE_URL: sandbox.baseUrl,
    OUTREACH_API_KEY: sandbox.keys.good,
    OUTREACH_SETTLE: `${String(LISTING_DELAY_MS)}ms`,
  };
  const terraform = await TerraformUnderTest.start(environment, Promise.resolve(installed));
  terraform.write("provider.tf", REQUIRED_PROVIDERS);
  const trace = `${terraform.folder}.trace`;
  return {
    terraform,
    trace,
    run: async (words, strike) => {
      const watched = strike && {
        NODE_OPTIONS: `--require=${PRELOAD}`,
        OUTREACH_TORTURE_TRACE: trace,
        OUTREACH_TORTURE_AT: String(strike.at),
        OUTREACH_TORTURE_SIGNAL: strike.signal,
      };
      terraform.environment = { ...environment, ...watched };
      const [before, fromMs] = [sandbox.requests().length, performance.now()];
      const running = terraform.begin(...words);
      const hangs = AbortSignal.timeout(LONGEST_RUN_MS);
      const kill = (): void => running.kill();
      hangs.addEventListener("abort", kill);
      const { status, output } = await running.ended;
      // Another process may have its pid now.
      hangs.removeEventListener("abort", kill);
      if (hangs.aborted) throw new Error(`terraform hangs:\n${output}`);
      if (strike && !existsSync(trace)) throw new Error(`terraform started no provider:\n${output}`);
      // Without terraform, the provider ends by itself, and may finish what it has begun.
      for (const pid of strike ? pidsIn(trace) : []) while (isRunning(pid)) await delay(50);
      return { status, output, sent: sandbox.requests().slice(before), tookMs: performance.now() - fromMs };
    },
  };
}

function pidsIn(trace: string): readonly number[] {
  return [...new Set(readTrace(readFileSync(trace, "utf8")).map(({ pid }) => pid))];
}

async function removed({ terraform, trace }: Work): Promise<void> {
  await terraform.remove();
  rmSync(trace, { force: true });
}

async function withoutSignal(
  scenario: ProviderScenario,
  sandbox: Sandbox,
  work: Work,
): Promise<Undisturbed & Pick<Target, "boundaries">> {
  try {
    const { status, output, sent, tookMs } = await work.run(APPLY, { at: 0, signal: "KILL" });
    const problems = serviceViolations(scenario, sandbox, sent);
    if (status !== 0 || problems.length > 0)
      throw new Error(`${scenario.name} fails without a signal: ${problems.join("; ")}\n${output}`);
    return {
      requests: sent,
      tookMs,
      boundaries: readTrace(readFileSync(work.trace, "utf8")).map(({ label }) => label),
    };
  } finally {
    await removed(work);
  }
}

interface Killing {
  readonly work: Work;
  readonly sandbox: Sandbox;
  readonly scenario: ProviderScenario;
  readonly strike: Strike;
  readonly undisturbed: Undisturbed;
}

async function survive({ work, sandbox, scenario, strike, undisturbed }: Killing): Promise<Killed> {
  const [violations, notes, story, runs]: [string[], string[], string[], Ran[]] = [[], [], [], []];
  const judged = async (words: readonly string[], given?: Strike): Promise<Ran> => {
    const ran = await work.run(words, given);
    const log = ran.sent.map(({ method, target, status }) => `${method} ${target} ${String(status)}`).join(", ");
    story.push(
      `$ terraform ${words.join(" ")}   ${given ? `# ${given.signal}` : ""}\n${ran.output}exit ${String(ran.status)}; ${log}\n`,
    );
    return ran;
  };
  const killed = await judged(APPLY, strike);
  const wasStruck = readTrace(readFileSync(work.trace, "utf8")).length >= strike.at;
  notes.push(...repairState(work, strike, violations));
  const recovering: string[] = [];
  for (let status: number | null = null; status !== 0 && runs.length < MAX_RUNS;) {
    const sentBefore = new Set(unsubscriptions(sandbox.requests()));
    const ran = await judged(APPLY);
    runs.push(ran);
    recovering.push(
      ...unsubscriptions(ran.sent).flatMap((one) => (sentBefore.has(one) ? [`${one} is sent again`] : [])),
    );
    ({ status } = ran);
  }
  if (runs.at(-1)?.status !== 0) violations.push("recovery does not come to an end");
  violations.push(...recovering, ...serviceViolations(scenario, sandbox, undisturbed.requests));
  const planned = await judged(PLAN);
  if (planned.status !== 0)
    violations.push(`the plan at the end is not empty: exit ${String(planned.status)}\n${planned.output}`);
  if (planned.sent.some(({ method }) => method !== "GET")) violations.push("the plan at the end writes to the service");
  violations.push(...unrecorded(work, sandbox), ...leaks(journalOf(work) + story.join("")));
  return {
    wasStruck,
    violations,
    notes,
    recovery: {
      runs: runs.length,
      requests: extraRequests({
        killed: killed.sent,
        recovering: runs.flatMap(({ sent }) => sent),
        undisturbed: undisturbed.requests,
      }),
      ms: runs.reduce((sum, { tookMs }) => sum + tookMs, 0) - undisturbed.tookMs - LISTING_DELAY_MS,
    },
    story: story.join("\n"),
  };
}

/** A killed terraform may leave a state that nobody can read. Its user puts the backup in its place, or begins without a state. */
function repairState({ terraform }: Work, { signal }: Strike, violations: string[]): readonly string[] {
  const readable = (name: string): boolean => {
    try {
      return typeof JSON.parse(terraform.read(name).toString()) === "object";
    } catch {
      return false;
    }
  };
  if (!terraform.files().includes(STATE) || readable(STATE)) return [];
  if (!signal.includes("terraform") && !signal.includes("both") && !signal.includes("group"))
    violations.push("Terraform's state cannot be read");
  const backup = `${STATE}.backup`;
  if (readable(backup)) terraform.write(STATE, terraform.read(backup).toString());
  else rmSync(path.join(terraform.folder, STATE));
  return ["terraform left a state that nobody can read"];
}

/** What is live and ours must be in Terraform's state, and nothing else. */
function unrecorded({ terraform }: Work, sandbox: Sandbox): readonly string[] {
  const { resources = [] } = JSON.parse(terraform.read(STATE).toString()) as {
    readonly resources?: readonly {
      readonly type: string;
      readonly instances: readonly { readonly attributes: { readonly id: string } }[];
    }[];
  };
  const recorded = resources.flatMap(({ type, instances }) =>
    type === "outreach_webhook" ? instances.map(({ attributes }) => attributes.id) : [],
  );
  const live = sandbox.webhooks().flatMap(({ _id }) => (_id === NEIGHBOUR._id ? [] : [_id]));
  return recorded.toSorted().join() === live.toSorted().join()
    ? []
    : [`Terraform's state has ${recorded.join(", ")}; live are ${live.join(", ")}`];
}

function journalOf({ terraform }: Work): string {
  return terraform
    .files()
    .filter((name) => name.includes("outreach-journal"))
    .map((name) => terraform.read(name).toString())
    .join("\n");
}
