import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createCertificate } from "../../src/frontends/terraform/plugin/certificate.ts";
import { type Figure, median, timeToExit } from "./figure.ts";

const PROVIDER = fileURLToPath(new URL("../../dist/provider/terraform-provider-outreach", import.meta.url));
const RUNS = 15;

/** Terraform's side of the handshake: the cookie, the protocol that it speaks, and its certificate. */
const INVITATION = {
  TF_PLUGIN_MAGIC_COOKIE: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
  PLUGIN_PROTOCOL_VERSIONS: "6",
  PLUGIN_CLIENT_CERT: createCertificate().certificate,
};

/** How long the provider takes until it shakes hands with Terraform, against the time that Node needs for nothing. */
export async function measureProviderStart(): Promise<readonly Figure[]> {
  const bare: number[] = [];
  const provider: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    bare.push(await timeToExit(process.execPath, ["-e", "0"]));
    provider.push(await timeToHandshake());
  }
  const [bareMs, providerMs] = [median(bare), median(provider)];
  return [
    {
      name: "provider, from start to handshake",
      measured: `${providerMs.toFixed(1)} ms, node -e 0: ${bareMs.toFixed(1)} ms`,
      ratio: providerMs / bareMs,
      goal: { atMost: 2.4 },
    },
  ];
}

async function timeToHandshake(): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, [PROVIDER], {
    env: { ...process.env, ...INVITATION },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const line = await Promise.race([once(child.stdout, "data"), exited.then(() => null)]);
  const elapsed = performance.now() - start;
  if (line === null || !String(line[0]).includes("|grpc|")) throw new Error("the provider did not shake hands");
  child.kill("SIGKILL");
  await exited;
  return elapsed;
}
