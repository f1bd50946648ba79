import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import * as http from "node:http";
import { fileURLToPath } from "node:url";
import { nodeClock } from "../../src/platform/node-clock.ts";
import type { Activity } from "../../src/sandbox/events/activity.ts";
import { startSandbox } from "../../src/sandbox/server.ts";
import { bareRequest, bareServer } from "./bare-http.ts";
import { type Figure, median } from "./figure.ts";

const COMMAND = fileURLToPath(new URL("../../dist/bin/outreach.js", import.meta.url));
const ROUNDS = 9;
const EVENTS = 2000;
const PARALLEL = 10;
const LEAST_PER_SECOND = 1000;

const QUEUED = 100_000;
const MOST_MB = 200;

/** Events a second and memory of the sandbox's delivery. */
export async function measureSandboxEvents(): Promise<readonly Figure[]> {
  return [await throughput(), await memory()];
}

/** Events to a fast receiver, against bare POSTs of the same body to the same receiver, as many at a time. All on this event loop, so on one core. */
async function throughput(): Promise<Figure> {
  const { signal: never } = new AbortController();
  const receiver = await bareServer("{}");
  const agent = new http.Agent({ keepAlive: true, maxSockets: PARALLEL });
  const sandbox = await startSandbox({
    clock: { now: () => nodeClock.now(), sleep: (ms, signal = never) => nodeClock.sleep(ms, signal) },
    random: () => 0.5,
    seed: { webhooks: [{ targetUrl: receiver.url, teamId: "tea_000001", secret: "correct-horse-battery" }] },
    delivery: { concurrency: PARALLEL },
  });
  const activity = typicalActivity();
  const body = JSON.stringify({ ...activity.payload, secret: "correct-horse-battery" });
  const bare = async (): Promise<void> => {
    let left = EVENTS;
    const post = async (): Promise<void> => {
      while (left-- > 0) await bareRequest(receiver.url, agent, { "content-type": "application/json" }, body);
    };
    await Promise.all(Array.from({ length: PARALLEL }, post));
  };
  const own = async (): Promise<void> => {
    for (let index = 0; index < EVENTS; index++) sandbox.emit(activity);
    await sandbox.whenIdle();
  };
  try {
    const rounds: { readonly own: number; readonly plain: number }[] = [];
    for (let round = -1; round < ROUNDS; round++) {
      const figures = { plain: await perSecond(bare), own: await perSecond(own) };
      // The first is for the compiler.
      if (round >= 0) rounds.push(figures);
    }
    const failed = sandbox.deliveries().filter(({ state }) => state !== "delivered").length;
    const ownPerSecond = median(rounds.map((one) => one.own));
    const broken =
      failed > 0
        ? `${String(failed)} events not delivered`
        : ownPerSecond < LEAST_PER_SECOND
          ? `below ${String(LEAST_PER_SECOND)} a second`
          : null;
    return {
      name: "sandbox, events to a fast receiver",
      measured: `${ownPerSecond.toFixed(0)} events a second, bare node:http: ${median(rounds.map(({ plain }) => plain)).toFixed(0)}`,
      ratio: median(rounds.map((one) => one.own / one.plain)),
      goal: { atLeast: 0.5 },
      ...(broken === null ? {} : { broken }),
    };
  } finally {
    agent.destroy();
    receiver.close();
    await sandbox.close();
  }
}

async function perSecond(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return (EVENTS / (performance.now() - start)) * 1000;
}

/** How much the built command's memory grows with 100,000 events for a receiver that hangs, and with as many more, which it drops. */
async function memory(): Promise<Figure> {
  const hanging = http.createServer(() => undefined);
  await new Promise<void>((resolve) => hanging.listen(0, "127.0.0.1", resolve));
  const address = hanging.address();
  const child = spawn(process.execPath, [COMMAND, "sandbox", "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  try {
    const [said] = (await once(child.stdout, "data")) as [Buffer];
    child.stdout.resume();
    const control = /control API +(\S+)/.exec(String(said))?.[1] ?? "";
    const send = async (path: string, body: object): Promise<void> => {
      const { ok } = await fetch(control + path, { method: "POST", body: JSON.stringify(body) });
      if (!ok) throw new Error(`POST ${path} failed`);
    };
    await send("/webhooks", {
      targetUrl: `http://127.0.0.1:${String(typeof address === "object" ? address?.port : "")}/`,
      type: "emailsBounced",
    });
    const trigger = async (count: number): Promise<void> => {
      for (let sent = 0; sent < count; sent += 10_000) await send("/events", { type: "emailsBounced", count: 10_000 });
    };
    const before = residentMb(child.pid);
    await trigger(QUEUED);
    const full = residentMb(child.pid) - before;
    await trigger(QUEUED);
    const dropping = residentMb(child.pid) - before;
    return {
      name: "sandbox, memory with 100,000 queued events",
      measured: `${full.toFixed(0)} MB more, ${dropping.toFixed(0)} MB with 100,000 dropped as well, goal: ${String(MOST_MB)} MB`,
      ratio: Math.max(full, dropping) / MOST_MB,
      goal: { atMost: 1 },
    };
  } finally {
    child.kill("SIGKILL");
    await exited;
    hanging.close();
    hanging.closeAllConnections();
  }
}

function residentMb(pid: number | undefined): number {
  const kib = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${String(pid)}/status`, "utf8"))?.[1];
  return Number(kib) / 1024;
}

/** With all fields of an `emailsReplied` event. */
function typicalActivity(): Activity {
  const payload = {
    _id: "act_000001",
    type: "emailsReplied",
    teamId: "tea_000001",
    createdAt: "2026-07-01T12:00:00.000Z",
    campaignId: "cam_000001",
    campaignName: "Q3 launch",
    sequenceId: "seq_000001",
    sequenceStep: 2,
    leadId: "lea_000001",
    leadEmail: "ada@example.com",
    leadFirstName: "Ada",
    leadLastName: "Lovelace",
    sendUserId: "usr_000001",
    sendUserEmail: "grace@northwind.example.com",
    sendUserName: "Grace Hopper",
    subject: "Re: Your first look at the new release",
    to: [{ address: "grace@northwind.example.com", name: "Grace Hopper" }],
  };
  return { type: "emailsReplied", teamId: "tea_000001", campaignId: "cam_000001", leadId: "lea_000001", payload };
}
