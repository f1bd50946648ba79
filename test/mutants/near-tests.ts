import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type BuildContext, context } from "esbuild";
import { testPath } from "./step.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const RUNNER = fileURLToPath(new URL("run-tests.ts", import.meta.url));

/** Test files that run together, in a process of their own. */
export interface NearTests {
  /** Runs them with this text in the place of a file's. Returns what fails first, and null if nothing does. */
  firstFailure(changed: { readonly file: string; readonly text: string } | null): Promise<string | null>;
  close(): Promise<void>;
}

/** The tests and their sources become one module, which starts in a fraction of vitest's time. */
export async function openNearTests(names: readonly string[], limitMs: number): Promise<NearTests> {
  const folder = mkdtempSync(path.join(tmpdir(), "outreach-near-"));
  symlinkSync(path.join(ROOT, "node_modules"), path.join(folder, "node_modules"));
  let current: Parameters<NearTests["firstFailure"]>[0] = null;
  const files = names.map(testPath);
  const building = await context({
    stdin: { contents: files.map((file) => `import ${JSON.stringify(`./${file}`)};`).join("\n"), resolveDir: ROOT, loader: "ts" },
    outfile: path.join(folder, "tests.mjs"),
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    logLevel: "silent",
    plugins: [
      {
        name: "changed",
        setup: (build) => {
          build.onLoad({ filter: /\.ts$/ }, (loaded) => {
            const text = loaded.path === path.join(ROOT, current?.file ?? "") ? (current?.text ?? "") : readFileSync(loaded.path, "utf8");
            return { contents: text.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(loaded.path).href)), loader: "ts" };
          });
        },
      },
    ],
  });
  const runner = await context({
    entryPoints: [RUNNER],
    outfile: path.join(folder, "run.mjs"),
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
  });
  await runner.rebuild();
  await runner.dispose();
  return {
    firstFailure: async (changed) => {
      current = changed;
      const problem = await built(building);
      return problem ?? (await run(folder, limitMs));
    },
    close: async () => {
      await building.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Null, or why the mutant is no program. */
async function built(building: BuildContext): Promise<string | null> {
  try {
    await building.rebuild();
    return null;
  } catch (error) {
    return `does not compile: ${String(error)}`;
  }
}

/** A mutant may loop forever. The limit of the processor's time does so where the machine is busy, too; then everything that it started is killed with it. */
const CPU_SECONDS = 120;

function run(folder: string, limitMs: number): Promise<string | null> {
  const limited = `ulimit -t ${String(CPU_SECONDS)}; exec "$0" "$@"`;
  const child = spawn("sh", ["-c", limited, process.execPath, path.join(folder, "run.mjs"), path.join(folder, "tests.mjs")], {
    cwd: ROOT,
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  let said = "";
  child.stdout.on("data", (text: Buffer) => (said += text.toString()));
  return new Promise((resolve, reject) => {
    const killed = setTimeout(() => {
      said = "a test never ended";
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    }, limitMs);
    child.on("error", reject);
    child.on("close", (status) => {
      clearTimeout(killed);
      resolve(status === 0 ? null : said === "" ? `ended with ${String(status)}` : said);
    });
  });
}
