import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { type TestContext, afterAll, beforeAll, describe, expect, test } from "vitest";
import { commandWords } from "../../../../src/frontends/cli/program/command-list.ts";
import { type Project, until, useProjects } from "../project.ts";
import { buildExecutable } from "./build-executable.ts";
import { STORIES, VALID, runStory } from "./command-stories.ts";

const openProject = useProjects();
const folder = mkdtempSync(path.join(tmpdir(), "outreach-executable-"));
let executable = "";
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(async () => {
  if (process.platform !== "linux") return;
  executable = await buildExecutable(folder);
}, 240_000);

/** A project on a machine without Node. */
async function openAlone(context: TestContext): Promise<Project> {
  if (process.platform !== "linux") context.skip("adding the program breaks the signature of Node's executable here");
  const project = await openProject({ executable });
  const empty = path.join(folder, "no-programs");
  mkdirSync(empty, { recursive: true });
  project.environment["PATH"] = empty;
  return project;
}

/** It contains no script of the provider. */
const { "provider install": _, ...stories } = STORIES;

describe("the single executable, on a machine without Node", () => {
  test.for(Object.entries(stories))("%s", async ([, story], context) => {
    const { out, code = 0 } = story;
    expect(await runStory(await openAlone(context), story)).toMatchObject({
      code,
      out: expect.stringContaining(out) as string,
    });
  });

  test.for([
    { words: "sandbox --port 0", said: "OUTREACH_BASE_URL=http://127.0.0.1:" },
    { words: "listen --port 0 --print table", said: "TIME" },
  ])("$words", async ({ words, said }, context) => {
    const { child, ended } = (await openAlone(context)).start(words);
    let out = "";
    child.stdout?.on("data", (text: string) => (out += text));
    await until(() => out.includes(said), "it serves");
    child.kill("SIGTERM");
    expect(await ended).toMatchObject({ code: 0 });
  });

  test("mcp answers an agent", async (context) => {
    const project = await openAlone(context);
    project.write("outreach.yaml", VALID);
    const client = new Client({ name: "agent", version: "1" });
    await client.connect(
      new StdioClientTransport({ command: executable, args: ["mcp"], cwd: project.folder, env: { PATH: "" } }),
    );
    try {
      expect(await client.callTool({ name: "validate", arguments: {} })).toMatchObject({
        structuredContent: { result: { valid: true } },
      });
    } finally {
      await client.close();
    }
  });

  test("names what provider install needs", async (context) => {
    const project = await openAlone(context);
    expect(await project.start("provider install mirror --platform linux_amd64").ended).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /^Error: The single executable does not contain the provider \[provider_archives_needed\]\n\n[^]*\nDownload terraform-provider-outreach_\S+_linux_amd64\.zip, \S+_SHA256SUMS from the release into a folder, and pass --archives FOLDER\.\n/,
      ) as string,
    });
  });

  test("reports mistakes with exit code 1, and prints text beyond Latin-1", async (context) => {
    const project = await openAlone(context);
    project.write("outreach.yaml", VALID);
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
    project.write("outreach.yaml", VALID.replace("/hooks", "/ganz-ünd-例え"));
    expect(await project.run("plan --out changed.plan")).toMatchObject({ code: 0 });
    // The arrow is in a template of the program, the rest in the configuration.
    expect(await project.run("show --format html changed.plan")).toMatchObject({
      out: expect.stringMatching(/<\/del> → <ins>.*例え/) as string,
    });
    project.write("outreach.yaml", VALID.replace("target_url", "target_ürl"));
    expect(await project.run("validate")).toMatchObject({
      code: 1,
      err: expect.stringContaining("target_ürl") as string,
    });
  });

  test("prints the help of each command of a fleet, which needs libraries that nothing else needs", async (context) => {
    const project = await openAlone(context);
    for (const words of commandWords().filter((one) => one.startsWith("controller")))
      expect(await project.start(`${words} --help`).ended).toMatchObject({
        code: 0,
        out: expect.stringContaining(`Usage: outreach ${words}`) as string,
      });
  });
});
