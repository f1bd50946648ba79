import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { useProjects } from "../project.ts";

const openProject = useProjects();
const STATE = "outreach.state.json";
const webhooks = (...names: readonly string[]): string =>
  `version: 1\nwebhooks:\n${names.map((name) => `  ${name}: { target_url: "https://${name}.example.com/" }\n`).join("")}`;

test.each([STATE, `${STATE}.backup`])("sends nothing where %s cannot be replaced", async (file) => {
  const project = await openProject();
  project.write("outreach.yaml", webhooks("one"));
  await project.run("apply --auto-approve");
  project.write("outreach.yaml", webhooks("one", "two"));
  await project.run("apply --auto-approve");
  project.write("outreach.yaml", webhooks("one", "two", "three"));
  const before = project.files();
  expect(spawnSync("unshare", ["-Urm", "true"]).status).toBe(0);
  // As a file that is mounted into a container.
  project.within = ["unshare", "-Urm", "sh", "-c", `mount --bind ${file} ${file} && exec "$@"`, "sh"];
  const { code, err, sent } = await project.start("apply --auto-approve").ended;
  expect([code, sent.filter((line) => line.startsWith("POST")), project.files()]).toEqual([1, [], before]);
  expect(err).toContain("state_write_failed");
  expect(err.replaceAll(/\s+/g, " ")).toContain(`-> '${file}'. A state is replaced as a whole.`);
  project.within = [];
  expect(await project.run("apply --auto-approve")).toMatchObject({
    code: 0,
    out: expect.stringContaining("Resources: 1 added") as string,
  });
});
