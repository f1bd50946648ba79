import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { StateDocument } from "../../../src/core/state/document.ts";
import type { LoggedRequest } from "../../../src/sandbox/request-log.ts";
import { type HttpStateServer, type Target, startHttpStateServer } from "../../core/state/http/http-state-server.ts";
import { type Project, until, useProjects } from "./project.ts";

const openProject = useProjects();
const [FIRST, SECOND] = ["first-secret-value", "second-secret-value"];
const url = (name: string): string => `https://crm.example.com/${name}`;
const webhook = (name: string, rotation: string): string => `  ${name}: { target_url: "${url(name)}", rotation: ${rotation}, secret: { env: S } }\n`;
const BEFORE = `version: 1\nwebhooks:\n${webhook("gone", "delete_first")}${webhook("kept", "create_first")}${webhook("off", "delete_first")}`;
/** Deletes one, rotates two, one in each order, creates two, and unsubscribes a lead. */
const AFTER = `version: 1\nwebhooks:\n${webhook("kept", "create_first")}${webhook("off", "delete_first")}${webhook("new1", "delete_first")}${webhook("new2", "create_first")}lead_unsubscriptions:\n  left: { campaign_id: cam_000001, emails: [ada@example.com] }\n`;
const TARGETS = ["kept", "new1", "new2", "off"].map(url);
const HOUR_MS = 3_600_000;
const MAX_RUNS = 4;

/** A moment of an apply: a request to the service or to the state's server, counted from 1, before or after it is processed. */
interface Moment {
  readonly at: "service" | Target;
  readonly count: number;
  readonly when: "before" | "after";
}

const MOMENTS: readonly Moment[] = [
  { at: "lock", count: 1, when: "after" },
  { at: "write", count: 1, when: "before" },
  { at: "write", count: 1, when: "after" },
  { at: "service", count: 1, when: "before" },
  { at: "service", count: 1, when: "after" },
  { at: "service", count: 3, when: "after" },
  { at: "service", count: 5, when: "before" },
  { at: "service", count: 7, when: "after" },
  { at: "service", count: 8, when: "after" },
  { at: "write", count: 2, when: "before" },
  { at: "write", count: 2, when: "after" },
  { at: "unlock", count: 1, when: "before" },
];

test.each(MOMENTS)(
  "an apply that is killed at $at $count, $when it is processed, and whose machine is gone, is put right by a run on another one",
  async (moment) => {
    const server = await startHttpStateServer("gitlab");
    try {
      const project = await openProject();
      const { TF_HTTP_ADDRESS: address, ...others } = server.environment();
      Object.assign(project.environment, others, { OUTREACH_STATE: address, S: FIRST, OUTREACH_TIMEOUT: "60s" });
      project.write("outreach.yaml", BEFORE);
      expect((await project.run("apply --auto-approve")).code).toBe(0);
      project.write("outreach.yaml", AFTER);
      project.environment["S"] = SECOND;
      await killedApply(project, server, moment);
      newMachine(project);
      await recovered(project, server);
      expect(server.violations).toEqual([]);
    } finally {
      await server.close();
    }
  },
);

/** Applies, and kills that process then, while the request waits for its answer. */
async function killedApply(project: Project, server: HttpStateServer, { at, count, when }: Moment): Promise<void> {
  const [stateFrom, serviceFrom] = [server.requests.length, project.sandbox.requests().length];
  const toState = () => server.requests.slice(stateFrom).filter(({ target }) => target === at)[count - 1];
  const toService = () => writesOf(project.sandbox.requests().slice(serviceFrom))[count - 1];
  if (at === "service") project.sandbox.addFault({ action: { kind: "late", delayMs: HOUR_MS }, when, where: ({ id }) => id === toService()?.id });
  else server.addFault({ target: at, when, action: "hang", after: count - 1 });
  const hasCome = (): boolean => {
    if (at !== "service") return when === "before" ? toState() !== undefined : toState()?.status !== undefined && toState()?.status !== null;
    return when === "before" ? toService() !== undefined : toService()?.processed === true;
  };
  const { child, ended } = project.start("apply --auto-approve");
  await until(hasCome, `${at} ${String(count)}`);
  child.kill("SIGKILL");
  await ended;
  project.sandbox.clearFaults();
}

function writesOf(requests: readonly LoggedRequest[]): readonly LoggedRequest[] {
  return requests.filter(({ method }) => method !== "GET");
}

/** The folder is gone with the runner; the next one checks out the configuration. */
function newMachine(project: Project): void {
  for (const folder of [project.folder, project.runtime]) {
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
  }
  project.write("outreach.yaml", AFTER);
}

/** Unlocks by the message's own command, and applies until it is clean. What may have been sent and cannot be looked up is sent again only by a plan that was approved. */
async function recovered(project: Project, server: HttpStateServer): Promise<void> {
  if (server.lock()) {
    const { code, err } = await project.run("apply --auto-approve");
    expect(code).toBe(1);
    const [command = ""] = /force-unlock \S+/.exec(err) ?? [];
    expect((await project.run(`${command} --force`)).code).toBe(0);
  }
  for (let run = 1; ; run++) {
    const wasSent = project.sandbox.requests().some(({ operation }) => operation === "unsubscribeLead");
    const { code, err, sent } = await project.run("apply --auto-approve");
    if (wasSent) expect(sent.filter((line) => line.includes("/leads/"))).toEqual([]);
    if (code === 0) break;
    expect([code, err]).toEqual([3, expect.stringContaining("outreach resolve 'outreach_lead_unsubscription.left")]);
    expect(run).toBeLessThan(MAX_RUNS);
    expect((await project.run("plan --out the.plan")).code).toBe(0);
    expect((await project.run("apply the.plan")).code).toBe(0);
    rmSync(path.join(project.folder, "the.plan"));
  }
  const live = project.sandbox.webhooks();
  expect(live.map(({ targetUrl }) => targetUrl).toSorted()).toEqual(TARGETS);
  expect(live.map(({ secret }) => secret)).toEqual(TARGETS.map(() => SECOND));
  const { instances, pending } = JSON.parse(server.state()?.toString() ?? "null") as StateDocument;
  expect(instances.flatMap(({ id }) => (live.some(({ _id }) => _id === id) ? [id] : [])).length).toBe(TARGETS.length);
  expect([pending, server.lock(), Object.keys(project.files())]).toEqual([[], null, ["outreach.yaml"]]);
  expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
}
