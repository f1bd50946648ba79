/** Figures that have a goal. A missed goal is said, and is no failure: the machine has its say in it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createCertificate } from "../../src/doors/terraform/certificate.ts";

const PROVIDER = fileURLToPath(new URL("../../dist/provider/terraform-provider-outreach", import.meta.url));
const RUNS = 15;
const GOAL = 2.6;

/** Terraform's side of the handshake: the cookie, the protocol that it speaks, and its certificate. */
const INVITATION = {
  TF_PLUGIN_MAGIC_COOKIE: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
  PLUGIN_PROTOCOL_VERSIONS: "6",
  PLUGIN_CLIENT_CERT: createCertificate().certificate,
};

const bare: number[] = [];
const provider: number[] = [];
for (let run = 0; run < RUNS; run++) {
  bare.push(await timeToExit(process.execPath, ["-e", "0"]));
  provider.push(await timeToHandshake());
}
const [bareMs, providerMs] = [median(bare), median(provider)];
const ratio = providerMs / bareMs;
const verdict = ratio <= GOAL ? "reached" : "MISSED";
process.stdout.write(`provider, from spawn to handshake: ${providerMs.toFixed(1)} ms; node -e 0: ${bareMs.toFixed(1)} ms (medians of ${String(RUNS)})\n`);
process.stdout.write(`ratio ${ratio.toFixed(2)}, goal at most ${String(GOAL)}: ${verdict}\n`);

async function timeToExit(command: string, words: readonly string[]): Promise<number> {
  const start = performance.now();
  const child = spawn(command, words, { stdio: "ignore" });
  await once(child, "exit");
  return performance.now() - start;
}

async function timeToHandshake(): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, [PROVIDER], { env: { ...process.env, ...INVITATION }, stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const line = await Promise.race([once(child.stdout, "data"), exited.then(() => null)]);
  const elapsed = performance.now() - start;
  if (line === null || !String(line[0]).includes("|grpc|")) throw new Error("the provider did not shake hands");
  child.kill("SIGKILL");
  await exited;
  return elapsed;
}

function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN;
}
