import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { deepPackage } from "../../deep/packages.ts";
import { ROOT } from "../../docs/pages.ts";
import { sharedFolder } from "../../shared-folder.ts";

export const run = promisify(execFile);

/** The path of an installed package. `typescript-5.9` is an alias among those of the deep tests. */
export function installed(name: string): string {
  return name === "typescript-5.9" ? deepPackage(name) : path.join(ROOT, "node_modules", name);
}

/** The result of `npm pack`, unpacked once for all test files, without a registry. */
export class PackedPackage {
  /** The folder of the unpacked package, which no test may change. */
  readonly content: string;
  /** The place of the test projects. */
  readonly #folder: string;
  #projects = 0;

  private constructor(content: string, folder: string) {
    this.content = content;
    this.#folder = folder;
  }

  static async make(): Promise<PackedPackage> {
    const packed = await sharedFolder("packed-package", pack);
    return new PackedPackage(path.join(packed, "package"), await mkdtemp(path.join(tmpdir(), "outreach-packed-")));
  }

  /** An empty project with the package and links to its dependencies. */
  async openProject(dependencies: readonly string[], files: { readonly [name: string]: string } = {}): Promise<string> {
    const project = path.join(this.#folder, `project-${String(++this.#projects)}`);
    const modules = path.join(project, "node_modules");
    await mkdir(path.join(modules, "@types"), { recursive: true });
    await cp(this.content, path.join(modules, "outreach-as-code"), { recursive: true });
    for (const name of dependencies) await symlink(installed(name), path.join(modules, name));
    for (const [name, text] of Object.entries(files)) await writeFile(path.join(project, name), text);
    return project;
  }

  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Packs without scripts: the build ran before the tests. */
async function pack(folder: string): Promise<void> {
  const words = ["pack", "--offline", "--ignore-scripts", "--json", "--pack-destination", folder];
  const { stdout } = await run("npm", words, {
    cwd: ROOT,
    env: { ...process.env, npm_config_cache: path.join(folder, "cache") },
  });
  const [{ filename }] = JSON.parse(stdout) as readonly [{ readonly filename: string }];
  await run("tar", ["-xzf", path.join(folder, filename), "-C", folder]);
}
