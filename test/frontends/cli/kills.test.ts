import { rmSync } from "node:fs";
import path from "node:path";
import { setImmediate as turn, setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import type { LoggedRequest } from "../../../src/sandbox/request-log.ts";
import { type Project, useProjects } from "./project.ts";
import { type Story, storyOf } from "./story.ts";

const openProject = useProjects();
const [FIRST, SECOND] = ["first-secret-value", "second-secret-value"];
const url = (name: string): string => `https://crm.example.com/${name}`;
const webhook = (name: string, rotation: string): string => `  ${name}: { target_url: "${url(name)}", rotation: ${rotation}, secret: { env: S } }\n`;
const BEFORE = `version: 1\nwebhooks:\n${webhook("gone", "delete_first")}${webhook("kept", "create_first")}${webhook("off", "delete_first")}`;
/** Deletes one, rotates two, one in each order, creates two, and unsubscribes a lead. */
const AFTER = `version: 1\nwebhooks:\n${webhook("kept", "create_first")}${webhook("off", "delete_first")}${webhook("new1", "delete_first")}${webhook("new2", "create_first")}lead_unsubscriptions:\n  left: { campaign_id: cam_000001, emails: [ada@example.com] }\n`;
const WRITES = 8;
const TARGETS = ["kept", "new1", "new2", "off"].map(url);
const MAX_RUNS = 4;

interface Kill {
  /** The write of the run, counted from 1. */
  readonly write: number;
  /** When that is held before or after it is processed, or so long after its answer. */
  readonly when: "before" | "after" | { readonly answeredMs: number };
}

/** A project before its second apply, which can be put back to that as often as it takes. */
async function openKillable(): Promise<{ readonly project: Project; putBack(): Story }> {
  const project = await openProject();
  Object.assign(project.environment, { S: FIRST, OUTREACH_TIMEOUT: "60s" });
  project.write("outreach.yaml", BEFORE);
  expect((await project.run("apply --auto-approve")).code).toBe(0);
  project.write("outreach.yaml", AFTER);
  project.environment["S"] = SECOND;
  const [files, seed] = [project.files(), project.sandbox.state()];
  const putBack = (): Story => {
    for (const file of Object.keys(project.files())) rmSync(path.join(project.folder, file));
    for (const [file, text] of Object.entries(files)) project.write(file, text);
    project.sandbox.seed(seed);
    project.sandbox.clearRequests();
    return storyOf(project, [FIRST, SECOND]);
  };
  return { project, putBack };
}

/** Applies, and kills that process then. A run that has fewer writes ends by itself. */
async function killedApply(story: Story, { write, when }: Kill): Promise<void> {
  const { sandbox, start } = story.project;
  const from = sandbox.requests().length;
  const isIt = (request: LoggedRequest): boolean => writes(story, from)[write - 1]?.id === request.id;
  const hold = { action: { kind: "late", delayMs: 3_600_000 }, where: isIt } as const;
  story.faults(...(typeof when === "string" ? [{ ...hold, when }] : []));
  const { child, ended } = start("apply --auto-approve");
  const over = new AbortController();
  void ended.then(() => over.abort());
  const hasCome = (): boolean => {
    const request = writes(story, from)[write - 1];
    if (!request) return false;
    return when === "before" || (when === "after" ? request.processed : request.status !== null);
  };
  // Nothing is missed before the write has come. From then on, only its answer.
  while (!over.signal.aborted && writes(story, from).length < write) await delay(1);
  while (!over.signal.aborted && !hasCome()) await turn();
  if (typeof when !== "string") await delay(when.answeredMs);
  child.kill("SIGKILL");
  await story.look(await ended);
}

function writes({ project }: Story, from: number): readonly LoggedRequest[] {
  return project.sandbox
    .requests()
    .slice(from)
    .filter(({ method }) => method !== "GET");
}

/** Applies until it is clean. What may have been sent and cannot be looked up is sent again only by a plan that was approved. */
async function recovered(story: Story): Promise<void> {
  story.faults();
  for (let run = 1; run <= MAX_RUNS; run++) {
    const wasSent = story.project.sandbox.requests().some(({ operation }) => operation === "unsubscribeLead");
    const { code, err, sent } = await story.run("apply --auto-approve");
    if (wasSent) expect(sent.filter((line) => line.includes("/leads/"))).toEqual([]);
    if (code === 0) return story.judge(TARGETS);
    expect([code, err]).toEqual([3, expect.stringContaining("outreach resolve 'outreach_lead_unsubscription.left")]);
    expect((await story.run("plan --out the.plan")).code).toBe(0);
    expect((await story.run("apply the.plan")).code).toBe(0);
  }
  throw new Error("it does not become clean");
}

async function survives(story: Story, kills: readonly Kill[], replay: string): Promise<void> {
  try {
    for (const kill of kills) await killedApply(story, kill);
    await recovered(story);
    expect(story.project.sandbox.webhooks().map(({ secret }) => secret)).toEqual(TARGETS.map(() => SECOND));
  } catch (error) {
    const log = story.project.sandbox
      .requests()
      .map(({ method, target, status, processed }) => `${method} ${target} ${String(status)}${processed ? "" : " (not processed)"}`);
    throw new Error(`${replay}: ${JSON.stringify(kills)}\n${log.join("\n")}`, { cause: error });
  }
}

/** How many by chance, and from which on: `OUTREACH_KILLS=1000`, or one of them again with `OUTREACH_KILLS=1 OUTREACH_KILLS_FROM=17`. */
const [KILLS, FROM] = [Number(process.env["OUTREACH_KILLS"] ?? "2"), Number(process.env["OUTREACH_KILLS_FROM"] ?? "1")];
/** Every second of these, unless there is time for all. */
const isChosen = (write: number, turn: number): boolean => process.env["OUTREACH_KILLS"] !== undefined || (write + turn) % 2 === 0;

test.each<readonly [string, Kill["when"], number]>([
  ["before it is processed", "before", 0],
  ["after it was processed, before the answer", "after", 1],
  ["once it was answered", { answeredMs: 0 }, 0],
])(
  "an apply that is killed at any of its writes, %s, is put right by the next",
  async (_name, when, turn) => {
    const { putBack } = await openKillable();
    for (let write = 1; write <= WRITES; write++) {
      if (!isChosen(write, turn)) continue;
      await survives(putBack(), [{ write, when }], `at write ${String(write)}`);
    }
  },
  120_000,
);

test(
  "applies that are killed by chance, and whose recovery is killed too, are put right in the end",
  async () => {
    const { putBack } = await openKillable();
    for (let seed = FROM; seed < FROM + KILLS; seed++) {
      const random = randomOf(seed);
      const killed = (): Kill => {
        const whens = ["before", "after", { answeredMs: Math.floor(random() * 8) }] as const;
        return { write: 1 + Math.floor(random() * WRITES), when: whens[Math.floor(random() * whens.length)] ?? "before" };
      };
      const kills = Array.from({ length: 1 + Math.floor(random() * 3) }, killed);
      await survives(putBack(), kills, `OUTREACH_KILLS=1 OUTREACH_KILLS_FROM=${String(seed)}`);
    }
  },
  KILLS * 30_000,
);

/** The same numbers for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 4_294_967_296;
  };
}
