import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";

/** Checks a pipeline with gitlab-ci-local, which has GitLab's own schema. */
export function checkPipeline(text: string): { readonly status: number | null; readonly stdout: string } {
  const folder = mkdtempSync(path.join(tmpdir(), "outreach-gitlab-"));
  try {
    writeFileSync(path.join(folder, ".gitlab-ci.yml"), text);
    execFileSync("git", ["init", "-q", "-b", "main", folder]);
    const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
    execFileSync("git", ["-C", folder, "remote", "add", "origin", "https://gitlab.example.com/acme/crm.git"]);
    execFileSync("git", ["-C", folder, "add", "-A"]);
    execFileSync("git", ["-C", folder, ...identity, "commit", "-q", "-m", "Add the pipeline"]);
    const program = createRequire(import.meta.url).resolve("gitlab-ci-local");
    // It is made for Node 22, which has this function of sets.
    const older = `data:text/javascript,${encodeURIComponent("Set.prototype.union ??= function (other) { return new Set([...this, ...other]); };")}`;
    const env = { PATH: process.env["PATH"], HOME: folder };
    const { status, stdout } = spawnSync(process.execPath, ["--import", older, program, "--list-json"], {
      cwd: folder,
      env,
      encoding: "utf8",
    });
    return { status, stdout };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
