import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type BuildContext, context } from "esbuild";
import type { Settings, Told } from "./run-tests.ts";
import type { Scratch } from "./scratch.ts";
import { testPath } from "./step.ts";

const RUNNER = fileURLToPath(new URL("run-tests.ts", import.meta.url));
/** The command as its tests run it: within their own process. */
const COMMAND = "test/frontends/cli/run-in-process";

/** A file of the sources, and the text to put in its place. */
export type Changed = Readonly<Record<"file" | "text", string>>;

export interface NearTests {
  /** Runs them with these files changed, all or the named ones, until one fails. `failure` is null if none does. */
  run(changed: readonly Changed[], chosen?: Chosen): Promise<Told>;
  close(): Promise<void>;
}

export type Chosen = Partial<Settings> & { readonly cpuSeconds?: number; readonly limitMs?: number };

/** A mutant may loop forever. The limit of the processor's time does so where the machine is busy, too; then everything that it started is killed with it. */
const CPU_SECONDS = 120;

/** Test files of a copy of the tree that run in one process, without vitest's. They are bundled, and so start in a fraction of its time. */
export async function openNearTests(
  { folder: copy, provided }: Scratch,
  names: readonly string[],
  mostMs: number,
): Promise<NearTests> {
  const folder = mkdtempSync(path.join(tmpdir(), "outreach-near-"));
  symlinkSync(path.join(copy, "node_modules"), path.join(folder, "node_modules"));
  const building = await context({
    absWorkingDir: copy,
    entryPoints: [
      ...names.map(testPath),
      ...(names.some((name) => name.startsWith("frontends/cli/")) ? [`${COMMAND}.ts`] : []),
    ],
    outdir: folder,
    outbase: copy,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    logLevel: "silent",
    plugins: [
      {
        name: "where-sources-are",
        setup: (build) => {
          build.onLoad({ filter: /\.ts$/ }, (loaded) => {
            const text = readFileSync(loaded.path, "utf8");
            return {
              contents: text.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(loaded.path).href)),
              loader: "ts",
            };
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
  // A process that a test starts is the built command, without the mutant: it catches none.
  const given = {
    ...provided,
    bundledCommand: path.join(folder, `${COMMAND}.mjs`),
    commandFile: path.join(copy, "dist/bin/outreach.js"),
  };
  const files = names.map((name) => path.join(folder, testPath(name).replace(/ts$/, "mjs")));
  return {
    run: async (changed, { cpuSeconds = CPU_SECONDS, limitMs = mostMs, ...chosen } = {}) => {
      const before = changed.map(({ file }): Changed => ({ file, text: readFileSync(path.join(copy, file), "utf8") }));
      put(copy, changed);
      try {
        const problem = await built(building);
        const settings: Settings = { files, ids: null, provided: given, ...chosen };
        return problem === null
          ? await run({ folder, copy, limitMs, cpuSeconds }, settings)
          : { failure: problem, tests: [], failed: [], always: [] };
      } finally {
        put(copy, before);
      }
    },
    close: async () => {
      await building.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** In the copy itself: processes that tests start read it there. */
function put(copy: string, changed: readonly Changed[]): void {
  for (const { file, text } of changed) {
    // A new file: the old one may be open, or linked elsewhere.
    rmSync(path.join(copy, file));
    writeFileSync(path.join(copy, file), text);
  }
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

interface Place {
  readonly folder: string;
  readonly copy: string;
  readonly limitMs: number;
  readonly cpuSeconds: number;
}

function run({ folder, copy, limitMs, cpuSeconds }: Place, settings: Settings): Promise<Told> {
  const [written, told] = [path.join(folder, "settings.json"), path.join(folder, "told.json")];
  writeFileSync(written, JSON.stringify(settings));
  rmSync(told, { force: true });
  const limited = `ulimit -t ${String(cpuSeconds)}; exec "$0" "$@"`;
  const child = spawn("sh", ["-c", limited, process.execPath, path.join(folder, "run.mjs"), written, told], {
    cwd: copy,
    detached: true,
    stdio: "ignore",
  });
  let isLate = false;
  const stop = (): void => {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  };
  return new Promise((resolve, reject) => {
    const killed = setTimeout(() => {
      isLate = true;
      stop();
    }, limitMs);
    child.on("error", reject);
    child.on("close", (status, signal) => {
      clearTimeout(killed);
      resolve(
        toldBy(told) ?? {
          failure: isLate ? "a test never ended" : `ended with ${String(status ?? signal)}`,
          tests: [],
          failed: [],
          always: [],
        },
      );
    });
  });
}

function toldBy(file: string): Told | null {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Told;
  } catch {
    return null;
  }
}
