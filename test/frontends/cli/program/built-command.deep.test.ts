import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { until, useProjects } from "../project.ts";
import { EVERY_COMMAND, VALID, runStory } from "./every-command.ts";

const openProject = useProjects();

describe("the built command, as a process", () => {
  const stories = Object.entries(EVERY_COMMAND).flatMap(([path, { story }]) => (story ? [[path, story] as const] : []));
  test.each(stories)("%s", async (path, story) => {
    expect(story.words.startsWith(path)).toBe(true);
    const { out, code = 0 } = story;
    expect(await runStory(await openProject(), story)).toMatchObject({
      code,
      out: expect.stringContaining(out) as string,
    });
  });

  test("sandbox", async () => {
    const project = await openProject();
    const { child, ended } = project.start("sandbox --port 0", { npm_command: "exec" });
    let said = "";
    child.stdout?.on("data", (text: string) => (said += text));
    await until(() => said.includes("OUTREACH_BASE_URL=http://127.0.0.1:"), "it says where it is");
    await until(() => said.includes("\n  npx outreach-as-code plan\n"), "it calls the command as the user did");
    child.kill("SIGTERM");
    expect(await ended).toMatchObject({ code: 0, err: "The sandbox has stopped.\n" });
  });

  test("listen", async () => {
    const project = await openProject();
    const { child, ended } = project.start("listen --port 0");
    let said = "";
    child.stdout?.on("data", (text: string) => (said += text));
    await until(() => said.includes("listening"), "it listens");
    child.kill("SIGINT");
    const { code, out, err } = await ended;
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(
        /^\{"kind":"listening","url":"http:\/\/127\.0\.0\.1:\d+"\}\n\{"kind":"summary"/,
      ) as string,
    });
    expect(err).toBe(
      "Note: The events are not verified [events_not_verified]\n\nWithout --secret, the listener accepts events from any sender.\nPass the webhook's secret, as in --secret env:CRM_HOOK_SECRET.\n\n",
    );
  });

  test("says which Node it needs, and exits with 1", async () => {
    const project = await openProject();
    const old = ["--import", "data:text/javascript,delete process.getBuiltinModule"];
    const { status, stderr } = spawnSync(process.execPath, [...old, project.command, "plan"], { encoding: "utf8" });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `Error: Node is too old\n\noutreach needs Node 20.19 or later, and this is ${process.version}.\nInstall Node 24, and run the command again.\n`,
    });
  });

  test("reports an output that cannot be written, and exits with 1", async () => {
    const project = await openProject();
    project.write("outreach.yaml", `${VALID}ignore: [webhook_without_secret]\n`);
    const full = openSync("/dev/full", "w");
    const { status, stderr } = spawnSync(process.execPath, [project.command, "validate"], {
      cwd: project.folder,
      stdio: ["ignore", full, "pipe"],
      encoding: "utf8",
    });
    closeSync(full);
    expect(stderr).toBe(
      "Error: Cannot write the output\n\nENOSPC: no space left on device, write. The run finishes without it.\nMake room, or send the output elsewhere, and run the command again.\n",
    );
    expect(status).toBe(1);
  });
});
