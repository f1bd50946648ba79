import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";

const MOST_CHILDREN = 2;

export interface ChildResults<T> {
  readonly results: readonly T[];
  /** The tasks whose process has failed. */
  readonly failed: readonly string[];
  readonly seconds: number;
}

/** Runs this program once for each list of arguments, two at a time. `show` gets each result as it comes. */
export async function runInChildren<T>(
  tasks: readonly (readonly string[])[],
  show: (result: T) => void,
): Promise<ChildResults<T>> {
  const waiting = [...tasks];
  const results: T[] = [];
  const failed: string[] = [];
  const begunMs = performance.now();
  async function work(): Promise<void> {
    for (let task = waiting.shift(); task; task = waiting.shift()) {
      const output = await runChild(task);
      if (output === null) {
        failed.push(task.join(" "));
        continue;
      }
      const result = JSON.parse(output) as T;
      results.push(result);
      show(result);
    }
  }
  await Promise.all(Array.from({ length: Math.min(MOST_CHILDREN, availableParallelism()) }, work));
  return { results, failed, seconds: (performance.now() - begunMs) / 1000 };
}

async function runChild(task: readonly string[]): Promise<string | null> {
  const args = ["--max-old-space-size=10000", ...process.execArgv, process.argv[1] ?? "", "--child", ...task];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  const exit = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return exit === 0 ? output : null;
}
