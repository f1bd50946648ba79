import { expect, onTestFinished, test } from "vitest";
import {
  EMAIL,
  SECRETS,
  echoServer,
  foundBeyond,
  succeeds,
  useCanaries,
  watched,
} from "../../../secrecy/canary-project.ts";
import { leaks } from "../../../secrecy/spellings.ts";
import { BOT_TOKEN, PULL, startGithubServer } from "../../ci/github-server.ts";
import { PROJECT_TOKEN, startGitlabServer } from "../../ci/gitlab-server.ts";

const openCanaries = useCanaries();

test.each(["GitHub", "GitLab"])("no secret and no email is in a comment on %s", async (host) => {
  const project = await openCanaries();
  const isGithub = host === "GitHub";
  const [github, gitlab] = [await startGithubServer(), await startGitlabServer()];
  onTestFinished(async () => {
    for (const server of [github, gitlab]) await server.close();
  });
  project.write(
    "pull.json",
    JSON.stringify({
      pull_request: {
        number: PULL,
        head: { repo: { full_name: github.repository } },
        base: { repo: { full_name: github.repository } },
      },
    }),
  );
  const job = {
    GITHUB_EVENT_NAME: "pull_request",
    GITHUB_EVENT_PATH: `${project.folder}/pull.json`,
    GITHUB_TOKEN: BOT_TOKEN,
  };
  if (!isGithub) Object.assign(project.environment, { GITHUB_ACTIONS: undefined, GITHUB_REPOSITORY: undefined });
  Object.assign(
    project.environment,
    isGithub
      ? { ...github.environment, ...job }
      : { ...gitlab.environment, CI_MERGE_REQUEST_IID: "3", GITLAB_TOKEN: PROJECT_TOKEN },
  );
  project.more.push({ name: "the token of the job", value: isGithub ? BOT_TOKEN : PROJECT_TOKEN });
  const posted = (): string => JSON.stringify(isGithub ? github.comments : gitlab.notes);
  await succeeds(project, "plan --allow-local-state --out saved.plan", "comment saved.plan");
  const created = posted();
  expect(created).toContain("4 to add");
  await succeeds(
    project,
    "apply --auto-approve --allow-local-state",
    "plan --destroy --out saved.plan",
    "comment saved.plan",
  );
  expect(posted()).toContain("3 to destroy");
  expect(leaks([...SECRETS, ...project.more, EMAIL], { created, destroyed: posted() })).toEqual([]);
  project.environment[isGithub ? "GITHUB_API_URL" : "CI_API_V4_URL"] = await echoServer(500);
  expect(await watched(project, "comment saved.plan")).toMatchObject({ code: 1 });
  expect(foundBeyond(project, /seen-environment has the token of the job/)).toEqual([]);
});
