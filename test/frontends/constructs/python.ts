import { execFile, spawnSync } from "node:child_process";
import { symlink } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../../docs/pages.ts";
import { sharedFolder } from "../../shared-folder.ts";

const run = promisify(execFile);

/** A Python that has the packages of the example's requirements.txt. */
const PYTHON = process.env["PYTHON_WITH_CDKTF"] ?? "python3";
const environment = { ...process.env, CHECKPOINT_DISABLE: "1", JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION: "1" };

const found = spawnSync(PYTHON, ["-c", "import cdktf, constructs"], { encoding: "utf8" });
/** Why no program in Python can run here; null if one can. */
export const missingPython = found.error
  ? `no ${PYTHON} on the PATH`
  : found.status === 0
    ? null
    : `${PYTHON} has no package cdktf; PYTHON_WITH_CDKTF names another Python`;

/** Puts the classes of the provider where `cdktf get` writes them, without the command and without a network. */
export async function linkPythonClasses(project: string): Promise<void> {
  const classes = await sharedFolder("python-classes", async (folder) => {
    await run(process.execPath, ["--import", "tsx", "test/frontends/constructs/write-python-classes.ts", folder], {
      cwd: ROOT,
      env: environment,
    });
  });
  await symlink(classes, path.join(project, "imports"));
}

/** Runs Python in a folder, and returns all that it prints. */
export async function runPython(folder: string, words: readonly string[]): Promise<string> {
  const { stdout, stderr } = await run(PYTHON, words, {
    cwd: folder,
    env: { ...environment, PYTHONDONTWRITEBYTECODE: "1" },
  });
  return stdout + stderr;
}
