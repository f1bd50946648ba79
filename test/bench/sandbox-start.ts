import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { type Figure, median, timeToExit } from "./figure.ts";

const COMMAND = fileURLToPath(new URL("../../dist/bin/outreach.js", import.meta.url));
const RUNS = 15;

/** How long `outreach sandbox` takes until it says that it is ready, against the time that Node needs for nothing. */
export async function measureSandboxStart(): Promise<readonly Figure[]> {
  const bare: number[] = [];
  const ready: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    bare.push(await timeToExit(process.execPath, ["-e", "0"]));
    ready.push(await timeToReady());
  }
  const [bareMs, readyMs] = [median(bare), median(ready)];
  return [
    {
      name: "outreach sandbox, from start to ready",
      measured: `${readyMs.toFixed(1)} ms, node -e 0: ${bareMs.toFixed(1)} ms`,
      ratio: readyMs / bareMs,
      goal: { atMost: 6 },
    },
  ];
}

async function timeToReady(): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, [COMMAND, "sandbox", "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const said = await Promise.race([once(child.stdout, "data"), exited.then(() => null)]);
  const elapsed = performance.now() - start;
  child.kill("SIGKILL");
  await exited;
  if (said === null || !String(said[0]).includes("http://127.0.0.1:")) throw new Error("the sandbox did not start");
  return elapsed;
}
