import { expect, test } from "vitest";
import { EVERY_COMMAND } from "../program/every-command.ts";
import { useProjects } from "../project.ts";

const openProject = useProjects();
const CONFIGURATION = 'version: 1\nwebhooks:\n  crm: { target_url: "https://crm.example.com/" }\n';

/** The run, what it changed, and the files that are there after it. */
async function outcomeOf(line: string, environment: { readonly [name: string]: string } = {}) {
  const project = await openProject();
  project.write("outreach.yaml", CONFIGURATION);
  const { code, err, sent } = await project.run(line, environment);
  const writes = sent.filter((request) => !request.startsWith("GET"));
  return { code, err, writes, files: Object.keys(project.files()) };
}

const REFUSED = {
  code: 1,
  err: expect.stringContaining("[path_not_expanded]") as string,
  writes: [],
  files: ["outreach.yaml"],
};

test.each(Object.values(EVERY_COMMAND).flatMap(({ homePaths = [] }) => homePaths))(
  "a path that no shell expanded is refused, and no folder ~ is made: %s",
  async (line) => expect(await outcomeOf(line)).toEqual(REFUSED),
);

test.each(["plan", "init"])("so is OUTREACH_CONFIG: %s", async (line) =>
  expect(await outcomeOf(line, { OUTREACH_CONFIG: "~/outreach.yaml" })).toEqual(REFUSED),
);

test("a folder that has such a name is named by ./", async () => {
  const project = await openProject();
  project.write("~/outreach.yaml", CONFIGURATION);
  expect(await project.run("plan -c ./~/outreach.yaml --out=./~/outreach.plan")).toMatchObject({ code: 0 });
  expect(Object.keys(project.files())).toContain("~/outreach.plan");
});
