import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SecretSource } from "../../../src/core/model/declaration.ts";
import { type SecretPorts, resolveSecret } from "../../../src/core/secrets/resolve-secret.ts";
import { nodeFiles } from "../../../src/platform/node-files.ts";

let root = "";
let folder = "";
const MEGABYTE = 1024 * 1024;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "outreach-secrets-"));
  folder = join(root, "config");
  await mkdir(join(folder, "inner"), { recursive: true });
  const contents: { readonly [path: string]: string | Uint8Array } = {
    outside: "outside",
    "config-duplicate": "outside",
    "config/plain": "plain",
    "config/newline": "secret\n",
    "config/crlf": "secret\r\n",
    "config/two": "secret\n\n",
    "config/inside": " a\nb\tc ",
    "config/inner/deep": "deep",
    "config/empty": "",
    "config/only-newline": "\n",
    "config/binary": new Uint8Array([0xff, 0xfe, 0x00]),
    "config/marked": new Uint8Array([0xef, 0xbb, 0xbf, 0x61]),
    "config/full": "x".repeat(MEGABYTE),
    "config/large": "x".repeat(MEGABYTE + 1),
  };
  for (const [path, content] of Object.entries(contents)) await writeFile(join(root, path), content);
  await symlink(join(root, "outside"), join(folder, "link-out"));
  await symlink(root, join(folder, "folder-out"));
  await symlink(join(folder, "plain"), join(folder, "link-in"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

function resolve(source: SecretSource, more: Partial<SecretPorts> = {}) {
  const environment = {
    PATH: process.env["PATH"],
    HOOK: "from env\n",
    EMPTY: "",
    OUTREACH_API_KEY: "the-key",
    OTHER: "other",
  };
  return resolveSecret(source, {
    files: nodeFiles(),
    environment,
    folder,
    hiddenFromCommands: () => new Set(["OUTREACH_API_KEY", "HOOK"]),
    signal: new AbortController().signal,
    ...more,
  });
}
const node = (script: string): SecretSource => ({ kind: "command", command: [process.execPath, "-e", script] });
const file = (path: string): SecretSource => ({ kind: "file", path });

describe("a secret", () => {
  test.each<readonly [string, () => SecretSource, string]>([
    ["the environment, unchanged", () => ({ kind: "env", name: "HOOK" }), "from env\n"],
    ["a file", () => file("plain"), "plain"],
    ["a file in a folder below", () => file("inner/deep"), "deep"],
    ["a file by its absolute path", () => file(join(folder, "plain")), "plain"],
    ["a file by a path that stays inside", () => file("inner/../plain"), "plain"],
    ["a link that stays inside", () => file("link-in"), "plain"],
    ["a file, without its final newline", () => file("newline"), "secret"],
    ["a file, without its final newline of two characters", () => file("crlf"), "secret"],
    ["a file, without one final newline of two", () => file("two"), "secret\n"],
    ["a file, with all other white space", () => file("inside"), " a\nb\tc "],
    ["a command, without its final newline", () => node("console.log('said')"), "said"],
    ["a command, with one of two final newlines", () => node("console.log('said\\n')"), "said\n"],
    [
      "a command that starts in the configuration's folder",
      () => node("process.stdout.write(require('fs').readFileSync('plain'))"),
      "plain",
    ],
    ["a sensitive variable", () => ({ kind: "value", value: "given" }), "given"],
  ])("comes from %s", async (_, source, value) => {
    expect(await resolve(source())).toEqual({ value });
  });

  test("can have 1 MB", async () => {
    expect(await resolve(file("full"))).toEqual({ value: "x".repeat(MEGABYTE) });
  });

  test.each<readonly [string, () => SecretSource, string]>([
    ["a variable that is not set", () => ({ kind: "env", name: "NONE" }), "variable NONE is not set"],
    ["a word of every object", () => ({ kind: "env", name: "toString" }), "variable toString is not set"],
    ["an empty variable", () => ({ kind: "env", name: "EMPTY" }), "variable EMPTY is empty"],
    ["an empty file", () => file("empty"), "file empty is empty"],
    ["a file with a newline only", () => file("only-newline"), "file only-newline is empty"],
    ["a missing file", () => file("none"), "none does not exist"],
    ["a file above the folder", () => file("../outside"), "outside the configuration's folder"],
    [
      "a file above the folder by its absolute path",
      () => file(join(root, "outside")),
      "outside the configuration's folder",
    ],
    [
      "a file in a folder whose name starts the same",
      () => file("../config-duplicate"),
      "outside the configuration's folder",
    ],
    ["a link to the outside", () => file("link-out"), "outside the configuration's folder"],
    ["a file in a linked folder outside", () => file("folder-out/outside"), "outside the configuration's folder"],
    ["a folder", () => file("inner"), "not a regular file"],
    ["the folder itself", () => file("."), "not a regular file"],
    ["a file that is too large", () => file("large"), "larger than 1 MB"],
    ["a file that is not text", () => file("binary"), "not UTF-8"],
    ["a file with a byte order mark", () => file("marked"), "file marked starts with a byte order mark"],
    ["a command without output", () => node(""), "is empty"],
    ["a command that fails", () => node("console.log('half'); process.exit(3)"), "failed (exit 3)"],
    ["a command that is killed", () => node("process.kill(process.pid, 'SIGKILL')"), "failed (SIGKILL)"],
    [
      "a command with too much output",
      () => node(`process.stdout.write('x'.repeat(${String(MEGABYTE + 1)}))`),
      "more than 1 MB",
    ],
    ["a missing command", () => ({ kind: "command", command: ["no-such-program-here"] }), "failed to start"],
    ["a command without a name", () => ({ kind: "command", command: [] }), "failed to start"],
    ["a command that is not text", () => node("process.stdout.write(Buffer.from([255, 254]))"), "not UTF-8"],
  ])("does not come from %s", async (_, source, detail) => {
    expect(await resolve(source())).toEqual({
      detail: expect.stringContaining(detail),
      hint: expect.stringMatching(/\w/),
    });
  });

  test("is never in the message of a command that failed", async () => {
    expect(JSON.stringify(await resolve(node("console.log('half a secret'); process.exit(1)")))).not.toContain(
      "half a secret",
    );
  });

  test("comes from a command that sees the environment without the key and the other secrets", async () => {
    const resolved = await resolve(node("console.log(JSON.stringify(process.env))"));
    const seen = JSON.parse("value" in resolved ? resolved.value : "{}") as { readonly [name: string]: string };
    expect(seen).toMatchObject({ OTHER: "other" });
    expect(Object.keys(seen)).not.toContain("OUTREACH_API_KEY");
    expect(Object.keys(seen)).not.toContain("HOOK");
    expect(JSON.stringify(seen)).not.toContain("the-key");
  });

  test("is abandoned when the run is interrupted", async () => {
    const stop = new AbortController();
    const waiting = resolve(node("setTimeout(() => {}, 60_000)"), { signal: stop.signal });
    stop.abort();
    expect(await waiting).toMatchObject({ detail: expect.stringContaining("was interrupted") });
  });
});
