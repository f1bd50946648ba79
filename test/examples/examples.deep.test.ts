import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { PROFILES } from "../../src/sandbox/profiles.ts";
import { type BundledCommand, bundledCommand } from "../frontends/cli/bundled-command.ts";
import { EXAMPLES, ROOT, STORIES, read } from "../docs/pages.ts";
import { runPage } from "../docs/run-page.ts";
import { checkStory } from "../docs/check-story.ts";

const command = inject("commandFile");
let bundled: BundledCommand;
beforeAll(async () => {
  bundled = await bundledCommand();
});

test("every story has an example", () => {
  expect(EXAMPLES).toEqual([
    "adoption",
    "fan-out",
    "fleet",
    "library",
    "moving",
    "protected",
    "quick-start",
    "receiver",
    "several-teams",
    "stages",
    "suppression-list",
    "suppression-loop",
  ]);
  for (const name of EXAMPLES)
    expect(read(`examples/${name}/README.md`)).toContain(
      name === "fleet" ? "npx outreach-as-code controller" : "npx outreach-as-code apply",
    );
});

test.for(EXAMPLES)("the configuration of %s is valid", async (name) => {
  const page = "```console\n$ npx outreach-as-code validate\n```";
  const [done] = await runPage(page, {
    command,
    ...bundled,
    folders: STORIES.get(`examples/${name}/README.md`) ?? {},
    service: PROFILES.documented,
  });
  expect(done).toMatchObject({
    code: 0,
    printed: expect.stringContaining("Success! The configuration is valid.\n") as string,
  });
});

describe.each(Object.entries(PROFILES))("on a service of the kind %s", (kind, service) => {
  test.each(EXAMPLES)(
    "the README of %s shows the real output of its commands",
    async (name) => {
      await checkStory(`examples/${name}/README.md`, { command, ...bundled, service });
    },
    60_000,
  );

  test("the demo plays all its scenes", async () => {
    const child = spawn("npm", ["run", "-s", "demo", "--", "--profile", kind], {
      cwd: ROOT,
      stdio: ["ignore", "pipe", "inherit"],
      timeout: 180_000,
    });
    const [printed, [exitCode]] = await Promise.all([text(child.stdout), once(child, "close")]);
    expect(printed).toContain("\n--- Done. ");
    expect(exitCode).toBe(0);
  }, 190_000);
});
