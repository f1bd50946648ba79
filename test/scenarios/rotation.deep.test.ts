import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { nodeClock } from "../../src/platform/node-clock.ts";
import { PROFILES, type SandboxProfile } from "../../src/sandbox/profiles.ts";
import { type Sandbox, startSandbox } from "../../src/sandbox/server.ts";
import { type BundledCommand, bundledCommand } from "../frontends/cli/bundled-command.ts";
import { realClock } from "../sandbox/sandbox-under-test.ts";
import { type EventStream, startEvents, until } from "./event-stream.ts";
import { type RotatingReceiver, startRotatingReceiver } from "./rotating-receiver.ts";
import { NO_STATE_YET } from "../frontends/cli/no-changes.ts";

const [OLD, NEW] = ["the-old-secret-value", "the-new-secret-value"] as const;
/** Each answer of the service takes so long. A rotation takes several, and each is time for ten events. */
const LATENCY_MS = 200;
/** Events before a rotation, and after it. */
const SOME = 25;
const TYPES = ["emailsSent", "emailsOpened", "emailsClicked", "emailsReplied", "emailsBounced"];

let command: BundledCommand;
beforeAll(async () => {
  command = await bundledCommand();
});

interface Applied {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Webhooks with the old secret, and events that flow to their receiver. */
interface Scene {
  readonly sandbox: Sandbox;
  readonly receiver: RotatingReceiver;
  readonly stream: EventStream;
  /** Begins an apply with the new secret, in a process that can be killed. */
  begin(): { readonly child: ChildProcess; readonly ended: Promise<unknown> };
  /** An apply with the new secret, in this process. */
  apply(): Promise<Applied>;
}

interface Setting {
  /** The kind of service. Its list begins without webhooks: the events of other webhooks are no part of these scenes. */
  readonly service: Pick<SandboxProfile, "choices" | "profile">;
  readonly rotation: "create_first" | "delete_first";
  readonly types?: readonly string[];
  /** By default, only as often as the service demands it: with each secret that is to exist next to the old one. */
  readonly changesUrl?: boolean;
  /** Whether the configuration says that the service allows one webhook per target URL. */
  readonly isUnique?: boolean;
}

async function openScene(onTestFinished: TestContext["onTestFinished"], setting: Setting): Promise<Scene> {
  const { service, rotation, types = ["emailsReplied"], isUnique = false } = setting;
  const { changesUrl = rotation === "create_first" && service.choices.uniqueTargetUrl === true } = setting;
  const around = mkdtempSync(path.join(tmpdir(), "outreach-rotation-"));
  const folder = path.join(around, "project");
  mkdirSync(folder, { mode: 0o700 });
  const sandbox = await startSandbox({
    clock: realClock,
    random: () => 0.5,
    rateLimit: null,
    choices: service.choices,
    profile: service.profile,
  });
  const receiver = await startRotatingReceiver([OLD, NEW]);
  const running = new Set<ChildProcess>();
  const runOf = (secret: string) => {
    const targetUrl = `${receiver.url}?event=\${each.key}&v=${changesUrl && secret === NEW ? "2" : "1"}`;
    writeFileSync(path.join(folder, "outreach.yaml"), configuration(rotation, { types, targetUrl, isUnique }));
    const words = ["apply", "--auto-approve", ...(changesUrl ? ["--allow-replaces"] : [])];
    const settings = {
      OUTREACH_BASE_URL: sandbox.baseUrl,
      OUTREACH_API_KEY: sandbox.keys.good,
      OUTREACH_SETTLE: "0s",
      CRM_HOOK_SECRET: secret,
    };
    return {
      words,
      folder,
      environment: { PATH: process.env["PATH"] ?? "", HOME: folder, ...settings },
    };
  };
  const apply = (secret: string): Promise<Applied> =>
    command.runInProcess({ ...runOf(secret), clock: nodeClock, providerFolder: folder }).ended;
  const begin = (): ReturnType<Scene["begin"]> => {
    const { words, environment } = runOf(NEW);
    const child = spawn(process.execPath, [inject("commandFile"), ...words], {
      cwd: folder,
      env: environment,
      stdio: "ignore",
    });
    running.add(child);
    const ended = once(child, "close").finally(() => running.delete(child));
    return { child, ended };
  };
  expect(await apply(OLD)).toMatchObject({ code: 0, err: NO_STATE_YET });
  sandbox.clearRequests();
  // The sandbox drops the queue of a webhook that is deleted: no event waits in it, on a slow machine too. One attempt each, so that each failure shows.
  sandbox.configure({
    latency: { minMs: LATENCY_MS, maxMs: LATENCY_MS },
    delivery: { concurrency: 100, retriesMs: [] },
  });
  const stream = startEvents(sandbox, types);
  onTestFinished(async () => {
    for (const child of running) child.kill("SIGKILL");
    await stream.end();
    await sandbox.close();
    receiver.close();
    rmSync(around, { recursive: true, force: true });
  });
  await stream.more(SOME);
  return { sandbox, receiver, stream, begin, apply: () => apply(NEW) };
}

function configuration(
  rotation: string,
  {
    types,
    targetUrl,
    isUnique,
  }: { readonly types: readonly string[]; readonly targetUrl: string; readonly isUnique: boolean },
): string {
  return `version: 1\nservice: { unique_target_url: ${String(isUnique)} }\nwebhooks:\n  crm:\n    target_url: "${targetUrl}"\n    types: [${types.join(", ")}]\n    secret: { env: CRM_HOOK_SECRET }\n    rotation: ${rotation}\n`;
}

/** Some more events, and then the ids of those that the receiver never got. All that came were verified. */
async function lostEvents(scene: Scene): Promise<readonly string[]> {
  const { stream, receiver } = scene;
  await stream.more(SOME);
  await stream.end();
  expect(receiver.failures).toEqual([]);
  const handled = new Set(receiver.handled.map(({ _id }) => _id));
  expect(receiver.handled).toHaveLength(handled.size);
  return stream.events.flatMap(({ id }) => (handled.has(id) ? [] : [id]));
}

/** The events during which this many webhooks existed for their type. */
function withWebhooks({ stream }: Scene, count: number): readonly string[] {
  return stream.events.flatMap(({ id, webhooks }) => (webhooks === count ? [id] : []));
}

function expectDuplicates(scene: Scene): void {
  const both = new Set(withWebhooks(scene, 2));
  const seen = scene.receiver.duplicates.map((key) => scene.stream.events.find(({ id }) => key.includes(id))?.id);
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.filter((id) => id === undefined || !both.has(id))).toEqual([]);
}

function expectNewSecretOnly({ sandbox }: Scene, count = 1): void {
  expect(sandbox.webhooks().map(({ secret }) => secret)).toEqual(Array.from({ length: count }, () => NEW));
}

describe.concurrent("50 events a second while a secret rotates", { timeout: 120_000 }, () => {
  describe.for(Object.entries(PROFILES))("on a service of the kind %s", ([, service]) => {
    test("create_first loses none; duplicates have the same id", async ({ onTestFinished }) => {
      const scene = await openScene(onTestFinished, { service, rotation: "create_first" });
      const { code, out, err } = await scene.apply();
      expect([code, err]).toEqual([0, ""]);
      expect(out).not.toContain("(gap");
      expect(await lostEvents(scene)).toEqual([]);
      expectDuplicates(scene);
      expectNewSecretOnly(scene);
    });

    test("delete_first loses exactly those between the delete and the create, within the gap that apply prints", async ({
      onTestFinished,
    }) => {
      const scene = await openScene(onTestFinished, { service, rotation: "delete_first" });
      const { code, out } = await scene.apply();
      const lost = await lostEvents(scene);
      expect([code, lost]).toEqual([0, withWebhooks(scene, 0)]);
      expect(lost.length).toBeGreaterThan(0);
      expect(scene.receiver.duplicates).toEqual([]);
      expectNewSecretOnly(scene);

      const [deleted, created] = scene.sandbox.requests().filter(({ method }) => method !== "GET");
      expect([deleted?.method, created?.method]).toEqual(["DELETE", "POST"]);
      const times = scene.stream.events.flatMap(({ id, atMs }) => (lost.includes(id) ? [atMs] : []));
      const [firstMs, lastMs] = [Math.min(...times), Math.max(...times)];
      expect(firstMs).toBeGreaterThanOrEqual(deleted?.at ?? Infinity);
      expect(lastMs).toBeLessThanOrEqual((created?.at ?? 0) + (created?.durationMs ?? 0));
      const gapMs = 1000 * Number(/Creation complete after \d+s \(gap (\d+\.\d\d) s\)/.exec(out)?.[1]);
      expect(gapMs).toBeGreaterThanOrEqual((created?.at ?? Infinity) - (deleted?.at ?? 0));
      expect(gapMs).toBeGreaterThanOrEqual(lastMs - firstMs);
    });

    test("delete_first that is killed after the delete loses what comes until the next apply, which says since when", async ({
      onTestFinished,
    }) => {
      const scene = await openScene(onTestFinished, { service, rotation: "delete_first" });
      const { child, ended } = scene.begin();
      await until("the delete", () =>
        scene.sandbox.requests().some(({ method, processed }) => method === "DELETE" && processed),
      );
      child.kill("SIGKILL");
      await ended;
      await scene.stream.more(SOME);
      const { code, out, err } = await scene.apply();
      expect(code).toBe(0);
      expect(err.replaceAll(/\s+/g, " ")).toMatch(
        /hoo_000001 is gone\. It was sent at [\d-]+T[\d:.]+Z: no events are delivered until the next one exists\./,
      );
      expect(out).toMatch(/Creation complete after \d+s \[id=hoo_000002\]\n/);
      const lost = await lostEvents(scene);
      expect(lost.length).toBeGreaterThanOrEqual(SOME);
      expect(lost).toEqual(withWebhooks(scene, 0));
      expectNewSecretOnly(scene);
    });

    test("create_first with a create that the service refuses loses none: the old one stays", async ({
      onTestFinished,
    }) => {
      const scene = await openScene(onTestFinished, { service, rotation: "create_first" });
      scene.sandbox.addFault({ action: { kind: "answer", status: 400, body: "Bad team" }, operation: "addWebhook" });
      expect(await scene.apply()).toMatchObject({
        code: 1,
        err: expect.stringContaining("The old one is still current.") as string,
      });
      expect(await lostEvents(scene)).toEqual([]);
      expect(scene.sandbox.webhooks()).toMatchObject([{ secret: OLD }]);
      expect(scene.receiver.duplicates).toEqual([]);
    });

    test.for([
      ["POST", 2],
      ["DELETE", 1],
    ] as const)(
      "create_first that is killed after the service has carried out its %s loses none; the next apply leaves one webhook",
      async ([method, left], { onTestFinished }) => {
        const scene = await openScene(onTestFinished, { service, rotation: "create_first" });
        const { child, ended } = scene.begin();
        await until(`the ${method}`, () =>
          scene.sandbox.requests().some((request) => request.method === method && request.processed),
        );
        child.kill("SIGKILL");
        await ended;
        expect(scene.sandbox.webhooks()).toHaveLength(left);
        await scene.stream.more(SOME);
        expect((await scene.apply()).code).toBe(0);
        expect(await lostEvents(scene)).toEqual([]);
        expectDuplicates(scene);
        expectNewSecretOnly(scene);
        expect((await scene.apply()).out).toContain("No changes.");
      },
    );

    test("create_first of several webhooks at once loses none", async ({ onTestFinished }) => {
      const scene = await openScene(onTestFinished, { service, rotation: "create_first", types: TYPES });
      expect(await scene.apply()).toMatchObject({ code: 0, err: "" });
      expect(await lostEvents(scene)).toEqual([]);
      expectDuplicates(scene);
      expectNewSecretOnly(scene, TYPES.length);
    });

    test("delete_first of several webhooks at once loses exactly those in the gap of each, which apply prints for each", async ({
      onTestFinished,
    }) => {
      const scene = await openScene(onTestFinished, { service, rotation: "delete_first", types: TYPES });
      const typeOf = new Map(scene.sandbox.webhooks().map(({ _id, type }) => [_id, type]));
      const { code, out } = await scene.apply();
      expect([code, await lostEvents(scene)]).toEqual([0, withWebhooks(scene, 0)]);
      expectNewSecretOnly(scene, TYPES.length);
      const requests = scene.sandbox.requests();
      for (const type of TYPES) {
        const deleted = requests.find(
          ({ method, path: target }) => method === "DELETE" && typeOf.get(target.split("/").at(-1) ?? "") === type,
        );
        const created = requests.find(
          ({ method, body }) => method === "POST" && (body as { readonly type?: string }).type === type,
        );
        const gap = new RegExp(`\\["${type}"\\]: Creation complete after \\d+s \\(gap (\\d+\\.\\d\\d) s\\)`).exec(
          out,
        )?.[1];
        expect(1000 * Number(gap)).toBeGreaterThanOrEqual((created?.at ?? Infinity) - (deleted?.at ?? 0));
      }
    });
  });

  test.each([
    ["by the service", false, "Error: The service refused the request [service_rejected]\n", ["POST 409"]],
    [
      "by the plan with unique_target_url",
      true,
      "Error: The new webhook cannot exist next to the old one [exclusive_create_first]\n",
      [],
    ],
  ])(
    "create_first with an unchanged URL is refused %s, and loses none",
    { timeout: 120_000 },
    async (_, isUnique, message, sent) => {
      const scene = await openScene(onTestFinished, {
        service: PROFILES.published,
        rotation: "create_first",
        changesUrl: false,
        isUnique,
      });
      const writes = () =>
        scene.sandbox
          .requests()
          .flatMap(({ method, status }) => (method === "GET" ? [] : [`${method} ${String(status)}`]));
      const ways =
        "Set rotation: delete_first in its block.\nTo create the new one first, change target_url too, for example with a query parameter: https://…?v=2 (or set service.mark: true)\n";
      const { code, err } = await scene.apply();
      expect([code, err]).toEqual([1, expect.stringContaining(message)]);
      expect(err).toContain(ways);
      expect(writes()).toEqual(sent);
      expect(await lostEvents(scene)).toEqual([]);
      expect(scene.receiver.duplicates).toEqual([]);
      expect(scene.sandbox.webhooks()).toMatchObject([{ secret: OLD }]);
    },
  );
});
