import { rmSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { PRELOAD } from "../../../torture/project.ts";
import { useProjects } from "../project.ts";
import { ADA, LIST, filesWith, opened } from "./erase-project.ts";

const openProject = useProjects();

test(
  "killed anywhere, it leaves a state that can be read, and a second run completes it",
  { timeout: 300_000 },
  async () => {
    const project = await opened(openProject, { realProcess: "it is killed" });
    const trace = path.join(project.runtime, "trace");
    const before = project.files();
    let kills = 0;
    for (let at = 1; ; at++) {
      for (const file of Object.keys(project.files())) if (!(file in before)) project.remove(file);
      for (const [file, text] of Object.entries(before)) project.write(file, text);
      rmSync(trace, { force: true });
      const environment = {
        NODE_OPTIONS: `--require ${PRELOAD}`,
        OUTREACH_TORTURE_TRACE: trace,
        OUTREACH_TORTURE_AT: String(at),
      };
      const killed = await project.start(`erase ${ADA} --auto-approve`, environment).ended;
      if (killed.code !== null) break;
      kills++;
      expect(await project.run("state list")).toMatchObject({ code: 0 });
      const second = await project.run(`erase ${ADA} --auto-approve --json`);
      expect([at, second.code, second.err]).toEqual([at, 0, ""]);
      expect([at, filesWith(project, ADA)]).toEqual([at, [LIST]]);
    }
    expect(kills).toBeGreaterThan(15);
  },
);
