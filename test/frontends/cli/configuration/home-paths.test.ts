import { expect, test } from "vitest";
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

test.each([
  "plan --out=~/outreach.plan",
  "plan --out=~",
  "plan --out=~ada/outreach.plan",
  "plan -c ~/outreach.yaml",
  "plan --var-file=~/prod.yaml",
  "apply --auto-approve --var-file=~/prod.yaml",
  "apply ~/outreach.plan",
  "init -c ~/outreach.yaml",
  "init -c ~/new/",
  "generate --out=~/more.yaml",
  "export cam_000001 --out=~/leads.csv",
  "listen --port 0 --save=~/events",
  "provider install ~/mirror",
  "provider install ~",
  "provider install mirror --archives=~/release",
  "state push ~/outreach.state.json",
  "sandbox --port 0 --seed=~/records.json",
])("a path that no shell expanded is refused, and no folder ~ is made: %s", async (line) =>
  expect(await outcomeOf(line)).toEqual(REFUSED),
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
