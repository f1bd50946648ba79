import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createCertificate } from "../../../src/frontends/terraform/plugin/certificate.ts";
import { buildProvider } from "../../../src/release/bundle-provider.ts";
import { ProtocolClient, framed } from "./protocol-client.ts";
import { TerraformUnderTest, hasTerraform } from "./terraform-under-test.ts";

const own = createCertificate();
const TERRAFORM = {
  TF_PLUGIN_MAGIC_COOKIE: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
  PLUGIN_PROTOCOL_VERSIONS: "5,6",
  PLUGIN_CLIENT_CERT: own.certificate,
};

let folder: string;
let binary: string;
const running: ChildProcess[] = [];

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "main-"));
  binary = path.join(folder, "terraform-provider-outreach");
  await buildProvider(binary);
});
afterEach(() => {
  for (const one of running.splice(0)) one.kill("SIGKILL");
});
afterAll(() => rmSync(folder, { recursive: true }));

function run(command: string, args: readonly string[], environment: { readonly [name: string]: string }) {
  const child = spawn(command, args, {
    env: { PATH: process.env["PATH"] ?? "", TMPDIR: folder, ...environment },
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.push(child);
  const output = { out: "", err: "" };
  child.stdout.on("data", (chunk: Buffer) => (output.out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output.err += chunk.toString()));
  const exited = new Promise<number | null>((resolve) => child.on("close", (status) => resolve(status)));
  const line = async (): Promise<string> => {
    for (let waited = 0; !output.out.includes("\n") && waited < 10_000; waited += 10) await delay(10);
    return output.out.slice(0, output.out.indexOf("\n"));
  };
  return { child, output, exited, line };
}

/** What makes a Node say that it runs on Windows, and keeps it from making a folder for a socket. */
function onWindows(): { readonly NODE_OPTIONS: string } {
  const script = path.join(folder, "windows.cjs");
  writeFileSync(
    script,
    'Object.defineProperty(process, "platform", { value: "win32" });\nrequire("node:fs").mkdtempSync = () => { throw new Error("no sockets"); };\n',
  );
  return { NODE_OPTIONS: `--require ${JSON.stringify(script)}` };
}

it("says in one line, which Terraform shows, that Node is too old", async () => {
  const old = { NODE_OPTIONS: "--import=data:text/javascript,delete%20process.getBuiltinModule" };
  const { output, exited } = run(binary, [], { ...TERRAFORM, ...old });
  expect(await exited).toBe(1);
  expect(output).toEqual({ out: `The provider needs Node 20.19 or later, and this is ${process.version}.\n`, err: "" });
});

describe("the provider's executable", () => {
  it("tells a person who starts it what it is", async () => {
    const { exited, output } = run(binary, [], {});
    expect(await exited).toBe(1);
    expect(output.out).toBe("");
    expect(output.err).toContain('source = "outreach-as-code/outreach"');
  });

  const refused: readonly (readonly [who: string, changes: { readonly [name: string]: string }, told: RegExp])[] = [
    [
      "a caller that speaks older protocols alone",
      { PLUGIN_PROTOCOL_VERSIONS: "4,5" },
      /speaks version 6 of the provider protocol; the caller speaks 4,5/,
    ],
    ["a caller without a certificate", { PLUGIN_CLIENT_CERT: "" }, /mutual TLS only/],
    ["a caller whose certificate is none", { PLUGIN_CLIENT_CERT: "nothing" }, /PLUGIN_CLIENT_CERT/],
  ];
  it.each(refused)("refuses %s before it prints a handshake", async (_who, changes, told) => {
    const { exited, output } = run(binary, [], { ...TERRAFORM, ...changes });
    expect(await exited).toBe(1);
    expect(output.out).toBe("");
    expect(output.err).toMatch(told);
    expect(readdirSync(folder).filter((name) => name.startsWith("outreach-"))).toEqual([]);
  });

  it("answers Terraform, ignores the signals that Terraform answers, and ends with the command", async () => {
    const { child, exited, output, line } = run(binary, [], TERRAFORM);
    const client = await ProtocolClient.connect(await line(), own);
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) child.kill(signal);
    const { resources } = await client.provider.getMetadata({});
    expect(resources).toContainEqual({ typeName: "outreach_webhook" });
    await client.call("/plugin.GRPCController/Shutdown", framed(Buffer.alloc(0)));
    expect(await exited).toBe(0);
    expect(output.out.trimEnd().split("\n")).toHaveLength(1);
    expect(output.err).toBe("");
    expect(readdirSync(folder).filter((name) => name.startsWith("outreach-"))).toEqual([]);
    expect(existsSync(path.join(folder, ".terraform"))).toBe(false);
  });

  it("ends when the connection is gone", async () => {
    const { exited, line } = run(binary, [], TERRAFORM);
    const client = await ProtocolClient.connect(await line(), own);
    await client.provider.getMetadata({});
    client.close();
    expect(await exited).toBe(0);
  });

  it("ends when Terraform was killed before it connected", async () => {
    const script = `require("node:child_process").spawn(${JSON.stringify(binary)}, { stdio: "inherit" }); setInterval(() => {}, 1000)`;
    const { child, line } = run(process.execPath, ["-e", script], TERRAFORM);
    const [, , , socket = ""] = (await line()).split("|");
    expect(existsSync(socket)).toBe(true);
    child.kill("SIGKILL");
    for (let waited = 0; existsSync(socket) && waited < 10_000; waited += 50) await delay(50);
    expect(existsSync(socket)).toBe(false);
  });

  it("serves on the loopback interface where Node says that it is on Windows", async () => {
    const { exited, line } = run(binary, [], { ...TERRAFORM, ...onWindows() });
    const handshake = await line();
    expect(handshake).toMatch(/^1\|6\|tcp\|127\.0\.0\.1:\d+\|grpc\|/);
    const client = await ProtocolClient.connect(handshake, own);
    expect((await client.provider.getMetadata({})).resources).toContainEqual({ typeName: "outreach_webhook" });
    await client.call("/plugin.GRPCController/Shutdown", framed(Buffer.alloc(0)));
    expect(await exited).toBe(0);
  });

  it("is reached by the real terraform over TCP as well", async (context) => {
    if (!hasTerraform) context.skip("no terraform on the PATH");
    const terraform = await TerraformUnderTest.start(onWindows());
    terraform.hasProcesses = true;
    try {
      terraform.write(
        "main.tf",
        'terraform {\n  required_providers {\n    outreach = { source = "outreach-as-code/outreach" }\n  }\n}\ndata "outreach_campaigns" "all" {}\n',
      );
      const { status, output } = await terraform.run("validate", "-no-color");
      expect(status, output).toBe(0);
      expect(output).toContain("The configuration is valid.");
    } finally {
      await terraform.remove();
    }
  });

  it("tells the real terraform of each duration that is none, once", async (context) => {
    if (!hasTerraform) context.skip("no terraform on the PATH");
    const terraform = await TerraformUnderTest.start({
      OUTREACH_BASE_URL: "http://127.0.0.1:9/api",
      OUTREACH_API_KEY: "key",
      OUTREACH_TIMEOUT: "soon",
      OUTREACH_SETTLE: "later",
    });
    try {
      terraform.write(
        "main.tf",
        'terraform {\n  required_providers {\n    outreach = { source = "outreach-as-code/outreach" }\n  }\n}\nprovider "outreach" {}\ndata "outreach_campaigns" "all" {}\n',
      );
      const { output } = await terraform.run("plan", "-no-color");
      const errors = output.split("\n").filter((line) => line.includes("Error:"));
      expect(errors.map((line) => line.replace(/^.*Error: /, ""))).toEqual([
        "OUTREACH_SETTLE is not a duration",
        "OUTREACH_TIMEOUT is not a duration",
      ]);
    } finally {
      await terraform.remove();
    }
  });

  it("finds a shorter path for its socket when TMPDIR is too long for one", async () => {
    const long = path.join(folder, "a-very-long-path-for-temporary-files".repeat(3));
    mkdirSync(long);
    const { exited, line } = run(binary, [], { ...TERRAFORM, TMPDIR: long });
    const handshake = await line();
    expect(handshake).toMatch(/^1\|6\|unix\|\/tmp\//);
    const client = await ProtocolClient.connect(handshake, own);
    expect((await client.provider.getFunctions({})).diagnostics).toEqual([]);
    client.close();
    expect(await exited).toBe(0);
  });
});
