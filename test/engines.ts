import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

export interface Engine {
  readonly name: "Terraform" | "OpenTofu";
  /** For example 1.16.0-rc2. */
  readonly version: string;
}

/** What a binary is; null if it does not run. */
export function engineOf(binary: string): Engine | null {
  const { status, stdout } = spawnSync(binary, ["version"], {
    env: { PATH: process.env["PATH"], CHECKPOINT_DISABLE: "1" },
    encoding: "utf8",
  });
  const [, name, version = ""] = /^(Terraform|OpenTofu) v(\S+)/m.exec(status === 0 ? stdout : "") ?? [];
  return name === "Terraform" || name === "OpenTofu" ? { name, version } : null;
}

/** Some of the tests, with one engine. */
export interface EngineRun {
  readonly name: string;
  readonly include: readonly string[];
  /** Where `terraform` is that engine. */
  readonly env: { readonly PATH?: string };
}

const namedEngines = (): readonly string[] =>
  (process.env["ENGINES"] ?? "").split(path.delimiter).filter((binary) => binary !== "");

export const isEngineNamed = (): boolean => namedEngines().length > 0;

/**
 * The variable `ENGINES` names binaries of Terraform and OpenTofu, separated as in `PATH`: only the tests that run Terraform run, with each of
 * them. Without it, they run with the `terraform` on the `PATH`, and once more with a `tofu` on the `PATH`.
 */
export function engineRuns(): readonly EngineRun[] {
  if (isEngineNamed()) return namedEngines().map((binary) => runWith(binary, filesWithEngine()));
  return engineOf("tofu") ? [runWith("tofu", filesWithEngine())] : [];
}

function runWith(binary: string, include: readonly string[]): EngineRun {
  const searched = (process.env["PATH"] ?? "").split(path.delimiter);
  const places = binary.includes(path.sep)
    ? [path.resolve(binary)]
    : searched.map((folder) => path.join(folder, binary));
  const [found] = places.flatMap((file) => [engineOf(file)].flatMap((engine) => (engine ? [{ file, ...engine }] : [])));
  if (!found) throw new Error(`${binary} is no binary of Terraform or OpenTofu that runs here`);
  const folder = mkdtempSync(path.join(tmpdir(), "outreach-engine-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(found.file, path.join(folder, "terraform"));
  return { name: `${found.name} ${found.version}`, include, env: { PATH: [folder, ...searched].join(path.delimiter) } };
}

const TESTS = import.meta.dirname;
const ENGINE = path.join(TESTS, "frontends/terraform/engine.ts");
/** The pages show what Terraform 1.11 prints. */
const ONLY_WITH_DEFAULT = path.join(TESTS, "docs/stories.deep.test.ts");

/** The test files that run Terraform: they import `engine.ts`, directly or not. */
export function filesWithEngine(): readonly string[] {
  const files = new Set(
    readdirSync(TESTS, { recursive: true, encoding: "utf8" }).map((name) => path.join(TESTS, name)),
  );
  const known = new Map([[ENGINE, true]]);
  const reaches = (file: string): boolean => {
    const answer = known.get(file);
    if (answer !== undefined) return answer;
    known.set(file, false);
    const imports = files.has(file) ? [...readFileSync(file, "utf8").matchAll(/from "(\.[^"]+\.ts)"/g)] : [];
    const found = imports.some(([, name = ""]) => reaches(path.resolve(path.dirname(file), name)));
    known.set(file, found);
    return found;
  };
  return [...files].filter((file) => file.endsWith(".test.ts") && file !== ONLY_WITH_DEFAULT && reaches(file));
}
