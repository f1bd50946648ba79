import { describe, expect, test } from "vitest";
import { startMessage } from "../../../../src/frontends/cli/commands/sandbox/sandbox-command.ts";
import { useProjects } from "../project.ts";

const project = useProjects();

describe("outreach sandbox", () => {
  test("says where it is, which keys it takes, and a first command; SIGINT stops it cleanly", async () => {
    const { start } = await project();
    const { child, ended } = start("sandbox --port 0");
    const said = await new Promise<string>((resolve) => {
      let text = "";
      child.stdout?.on("data", (chunk: string) => {
        text += chunk;
        if (text.includes("Requests:")) resolve(text);
      });
    });
    expect(said).toMatch(
      /export OUTREACH_BASE_URL=http:\/\/127\.0\.0\.1:\d+\/api OUTREACH_API_KEY=sandbox-key-good\n {2}outreach plan/,
    );
    child.kill("SIGINT");
    const { code, err } = await ended;
    expect(code).toBe(0);
    expect(err).toBe("The sandbox has stopped.\n");
  });

  test.for([
    ["sandbox --seed none.json", "No seed file"],
    ["sandbox --profile upside-down", "Invalid profile"],
  ] as const)("%s says what is wrong", async ([line, says]) => {
    const { run } = await project();
    const { code, err } = await run(line);
    expect(code).toBe(1);
    expect(err).toContain(says);
  });

  test("takes a seed that its schema describes, and refuses another", async () => {
    const { run, write } = await project();
    write("seed.json", '{"webhooks":[{"targetUrl":7}]}');
    const { code, err } = await run("sandbox --port 0 --seed seed.json");
    expect(code).toBe(1);
    expect(err).toContain("Invalid seed");
  });
});

test("the start message has base address, profile, keys and a first command", async () => {
  const { sandbox } = await project();
  const message = startMessage(sandbox, "published,cap=25");
  const { baseUrl, controlUrl, keys } = sandbox;
  for (const text of [baseUrl, controlUrl, "published,cap=25", keys.good, keys.blocked])
    expect(message).toContain(text);
  expect(message).toContain(`export OUTREACH_BASE_URL=${baseUrl} OUTREACH_API_KEY=${keys.good}\n  outreach plan`);
});
