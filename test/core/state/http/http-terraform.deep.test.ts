import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { chooseStore } from "../../../../src/core/state/backends.ts";
import type { StateStore } from "../../../../src/core/state/state-store.ts";
import { nodeClock } from "../../../../src/platform/node-clock.ts";
import { hasTerraform } from "../../../frontends/terraform/terraform-under-test.ts";
import { type HttpStateServer, startHttpStateServer } from "./http-state-server.ts";
import { memoryFiles } from "../memory-files.ts";
import { HOLDER, NEVER, countingRandom, processOf, storePorts } from "../state-fixtures.ts";

let folder = "";
beforeEach(({ skip }) => {
  skip(!hasTerraform, "no terraform on the PATH");
  folder = mkdtempSync(path.join(tmpdir(), "http-state-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The server of these tests, as terraform's own http backend uses it: what it accepts from terraform, our store may rely on, and the reverse. */
describe.each(["plain", "gitlab"] as const)("the %s server of the tests", (dialect) => {
  test("serves terraform: states, locks, and a lock of ours in its way", { timeout: 120_000 }, async () => {
    const server = await startHttpStateServer(dialect);
    const declare = (input: string): void =>
      writeFileSync(
        path.join(folder, "main.tf.json"),
        JSON.stringify({ terraform: { backend: { http: {} } }, resource: { terraform_data: { a: { input } } } }),
      );
    const terraform = (...words: readonly string[]): ReturnType<typeof runTerraform> => runTerraform(server, words);
    const targets = (from: number): readonly string[] => server.requests.slice(from).map(({ target }) => target);
    try {
      declare("one");
      expect(await terraform("init")).toMatchObject({ code: 0 });
      const seen = await storeOn(server);
      let refused: unknown = null;
      server.onRequest = async ({ target }) => {
        if (target === "write") refused ??= await seen.lock(HOLDER, 0, NEVER).catch((error: unknown) => error);
      };
      expect(await terraform("apply", "-auto-approve")).toMatchObject({ code: 0 });
      server.onRequest = () => undefined;
      const holder = dialect === "plain" ? "@.* \\(OperationTypeApply, since " : "ada \\(since ";
      expect(refused).toMatchObject({
        diagnostics: [{ code: "state_locked", detail: expect.stringMatching(holder) as string }],
      });
      expect(stateOf(server)).toMatchObject({
        resources: [{ type: "terraform_data", instances: [{ attributes: { input: { value: "one" } } }] }],
      });
      expect(server.lock()).toBeNull();

      declare("two");
      expect(await terraform("apply", "-auto-approve")).toMatchObject({
        code: 0,
        out: expect.stringContaining("1 changed") as string,
      });
      const from = server.requests.length;
      expect(await terraform("plan", "-detailed-exitcode")).toMatchObject({ code: 0 });
      expect(targets(from).filter((target) => target !== "read")).toEqual(["lock", "unlock"]);

      const store = await storeOn(server);
      const lock = await store.lock({ ...HOLDER, operation: "apply" }, 0, NEVER);
      const { code, out } = await terraform("plan");
      expect([code, out]).toEqual([1, expect.stringContaining(`HTTP remote state already locked: ID=${lock.id}`)]);
      await lock.release();
      expect(await terraform("plan")).toMatchObject({ code: 0 });
      expect((await store.read(NEVER))?.bytes).toEqual(server.state());
      expect(server.violations).toEqual([]);
    } finally {
      await server.close();
    }
  });
});

async function runTerraform(
  server: HttpStateServer,
  words: readonly string[],
): Promise<{ readonly code: number; readonly out: string }> {
  const own = {
    PATH: process.env["PATH"],
    HOME: folder,
    TF_CLI_CONFIG_FILE: path.join(folder, "empty.rc"),
    CHECKPOINT_DISABLE: "1",
    TF_IN_AUTOMATION: "1",
  };
  writeFileSync(path.join(folder, "empty.rc"), "");
  const child = spawn("terraform", [...words, "-no-color", "-input=false"], {
    cwd: folder,
    env: { ...own, ...server.environment() },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close") as Promise<[number]>,
  ]);
  return { code, out: out + err };
}

async function storeOn(server: HttpStateServer): Promise<StateStore> {
  const ports = storePorts(
    { files: memoryFiles(), clock: nodeClock, random: countingRandom(), process: processOf() },
    server.environment(),
  );
  const { value: open } = chooseStore({ named: server.settings()["address"] ?? "" }, server.environment());
  return (await open?.(ports)) ?? expect.fail("no store");
}

function stateOf(server: HttpStateServer): unknown {
  return JSON.parse(server.state()?.toString() ?? "null");
}
