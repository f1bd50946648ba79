import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Answer, Job } from "./worker.ts";

const WORKER = fileURLToPath(new URL("worker.ts", import.meta.url));

export interface Tester {
  /** Returns the first test that fails, and null if none does. */
  firstFailure(job: Job, limitMs: number): Promise<string | null>;
  close(): Promise<void>;
}

/**
 * Runs tests in a process of its own, which starts vitest once. A mutant may loop forever, so the process is killed with
 * everything that it started when it does not answer in time.
 */
export function openTester(folder: string): Tester {
  let worker: ChildProcess | null = null;
  const start = (): ChildProcess =>
    fork(WORKER, [folder], {
      cwd: folder,
      detached: true,
      execArgv: ["--import", import.meta.resolve("tsx")],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
  const stop = async (): Promise<void> => {
    const old = worker;
    worker = null;
    if (old?.pid === undefined || old.exitCode !== null) return;
    const ended = once(old, "exit");
    process.kill(-old.pid, "SIGKILL");
    await ended;
  };
  return {
    firstFailure: async (job, limitMs) => {
      worker ??= start();
      const current = worker;
      const limit = new AbortController();
      const timer = setTimeout(() => limit.abort(), limitMs);
      try {
        current.send(job);
        const answered = once(current, "message", { signal: limit.signal }) as Promise<[Answer]>;
        const died = once(current, "exit", { signal: limit.signal }).then(() =>
          Promise.reject(new Error("the process of the tests has ended")),
        );
        const [{ failed }] = await Promise.race([answered, died]);
        return failed;
      } catch (error) {
        await stop();
        if (limit.signal.aborted) return "a test never ended";
        throw error;
      } finally {
        clearTimeout(timer);
        limit.abort();
      }
    },
    close: stop,
  };
}
