import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { deepPackage } from "../../deep/packages.ts";
import { ROOT } from "../../docs/pages.ts";

const WORKERD = path.join(
  deepPackage("@cloudflare"),
  `workerd-${process.platform}-${process.arch === "x64" ? "64" : process.arch}/bin/workerd`,
);
const isInstalled = await access(WORKERD).then(
  () => true,
  () => false,
);

const WORKER = `import { createSuppressionWatch, eventHandler } from "./events.js";
const handled = [];
let handler;
const watch = createSuppressionWatch({
  list: ["ada@m\u00FCnchen.example"],
  onBreach: ({ email, at }) => handled.push([email, at]),
});
export default {
  async fetch(request, env) {
    if (request.method === "GET") return Response.json(handled);
    handler ??= eventHandler({
      secrets: [env.HOOK_SECRET],
      maxBytes: 10_000,
      onEvent: async (event) => {
        await Promise.resolve();
        if (event.leadEmail === "fails@example.com" && handled.push("failed") === 1) throw new Error("no database");
        handled.push(event);
        await watch(event);
      },
      onError: () => undefined,
    });
    if (new URL(request.url).pathname === "/read") await request.text();
    return handler(request);
  },
};
`;

/** No Node modules: without the flag nodejs_compat, a worker has none. */
const CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "receiver", worker = .receiver)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "receiver")],
);
const receiver :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js"), (name = "events.js", esModule = embed "events.js")],
  bindings = [(name = "HOOK_SECRET", text = "whsec-1")],
  compatibilityDate = "2025-01-01",
);
`;

const EVENT = { _id: "act_1", type: "emailsReplied", teamId: "tea_1", createdAt: "2026-01-02T03:04:05.000Z" };

test("the built library runs in a worker runtime without Node's modules", { timeout: 60_000 }, async (context) => {
  if (!isInstalled) context.skip(`no workerd for ${process.platform} ${process.arch}`);
  const url = await startWorker();
  const post = async (body: object | string, at = ""): Promise<number> => {
    const answer = await fetch(`${url}/${at}`, {
      method: "POST",
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    await answer.text();
    return answer.status;
  };
  const signed = { ...EVENT, secret: "whsec-1" };
  expect(await post({ ...signed, leadEmail: "fails@example.com" })).toBe(500);
  expect(await post({ ...signed, leadEmail: "fails@example.com" })).toBe(204);
  expect(await post(signed)).toBe(204);
  expect(await Promise.all(Array.from({ length: 10 }, () => post({ ...signed, _id: "act_2" })))).toEqual(
    Array(10).fill(204),
  );
  expect(await post({ ...signed, type: "brandNew" })).toBe(204);
  expect(await post({ ...signed, type: "emailsSent", leadEmail: "ADA@XN--MNCHEN-3YA.example" })).toBe(204);
  expect(await post({ ...signed, secret: "whsec-2" })).toBe(401);
  expect(await post(EVENT)).toBe(401);
  expect(await post("{")).toBe(400);
  expect(await post("")).toBe(400);
  expect(await post({ ...signed, more: "x".repeat(10_000) })).toBe(413);
  expect(await post(signed, "read")).toBe(500);
  const handled: unknown = await (await fetch(url)).json();
  expect(handled).toEqual([
    "failed",
    "failed",
    { ...EVENT, leadEmail: "fails@example.com" },
    { ...EVENT, _id: "act_2" },
    { ...EVENT, type: "brandNew" },
    { ...EVENT, type: "emailsSent", leadEmail: "ADA@XN--MNCHEN-3YA.example" },
    ["ada@xn--mnchen-3ya.example", EVENT.createdAt],
  ]);
});

/** Runs the worker until the test ends. Returns its address. */
async function startWorker(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "outreach-worker-"));
  await copyFile(path.join(ROOT, "dist/events/index.js"), path.join(folder, "events.js"));
  await writeFile(path.join(folder, "worker.js"), WORKER);
  await writeFile(path.join(folder, "config.capnp"), CONFIG);
  // It reports its port on the file descriptor 3.
  const runtime = spawn(WORKERD, ["serve", "config.capnp", "--control-fd=3"], {
    cwd: folder,
    stdio: ["ignore", "inherit", "inherit", "pipe"],
  });
  const ended = once(runtime, "exit");
  onTestFinished(async () => {
    runtime.kill();
    await ended;
    await rm(folder, { recursive: true });
  });
  const lines = createInterface({ input: runtime.stdio[3] as Readable });
  const [line] = (await Promise.race([
    once(lines, "line"),
    ended.then(([code]) => Promise.reject(new Error(`workerd ended with ${String(code)}`))),
  ])) as [string];
  return `http://127.0.0.1:${String((JSON.parse(line) as { readonly port: number }).port)}`;
}
