import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { BOT, BOT_TOKEN, type GithubServer, PULL, startGithubServer } from "../../ci/github-server.ts";
import { type GitlabServer, PROJECT_BOT, PROJECT_TOKEN, startGitlabServer } from "../../ci/gitlab-server.ts";
import { type Project, useProjects } from "../project.ts";

const openProject = useProjects();
const servers: (GithubServer | GitlabServer)[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    await server.close();
    if (server.violations.length > 0) throw new Error(`against the API: ${server.violations.join("; ")}`);
  }
});

const PULL_SHA = "c0ffee00".repeat(5);
const MARKER = "<!-- outreach-as-code: outreach.yaml -->";
const EARLIER = `${MARKER}\nPlan: 9 to add, 0 to change, 0 to destroy.\n`;

function webhooks(...names: readonly string[]): string {
  return `version: 1\nwebhooks:\n${names.map((name) => `  ${name}: { target_url: "https://crm.example.com/${name}" }\n`).join("")}`;
}

interface PullEvent {
  readonly event?: string;
  readonly fork?: boolean;
}

/** A project with a saved plan that creates `names`, in a job for pull request 7. */
async function githubJob(names: readonly string[] = ["a"], { event = "pull_request", fork = false }: PullEvent = {}) {
  const server = await startGithubServer();
  servers.push(server);
  const project = await openProject();
  project.write("outreach.yaml", webhooks(...names));
  if (names.length === 0) project.write("outreach.yaml", "version: 1\n");
  const pull = {
    number: PULL,
    head: { sha: PULL_SHA, repo: { full_name: fork ? "ada/crm" : server.repository } },
    base: { repo: { full_name: server.repository } },
  };
  project.write(
    "../runner/event.json",
    JSON.stringify(event === "pull_request" ? { pull_request: pull } : { ref: "refs/heads/main" }),
  );
  for (const file of ["summary.md", "output"]) project.write(`../runner/${file}`, "");
  expect(await project.run("plan --out saved.plan")).toMatchObject({ code: 0 });
  const runner = path.join(project.folder, "../runner");
  Object.assign(project.environment, server.environment, {
    GITHUB_EVENT_NAME: event,
    GITHUB_EVENT_PATH: path.join(runner, "event.json"),
    GITHUB_STEP_SUMMARY: path.join(runner, "summary.md"),
    GITHUB_OUTPUT: path.join(runner, "output"),
    GITHUB_TOKEN: BOT_TOKEN,
  });
  return { project, server };
}

async function gitlabJob(
  names: readonly string[] = ["a"],
): Promise<{ readonly project: Project; readonly server: GitlabServer }> {
  const server = await startGitlabServer();
  servers.push(server);
  const project = await openProject();
  project.write("outreach.yaml", webhooks(...names));
  expect(await project.run("plan --out saved.plan")).toMatchObject({ code: 0 });
  Object.assign(project.environment, server.environment, { CI_MERGE_REQUEST_IID: "3", GITLAB_TOKEN: PROJECT_TOKEN });
  return { project, server };
}

/** The marker of a comment, and the run that wrote it. */
const MARKED = /^(<!-- .*? -->)<!-- (?:run (\d+), )?commit ([0-9a-f]{40}) -->\n/;
const contains = (text: string): string => expect.stringContaining(text) as string;
const bodies = ({ comments }: GithubServer): readonly string[] => comments.map(({ body }) => body);

describe("plans of one repository that must not replace each other", () => {
  test("have a comment each: by the place of the state, by --name, and by the kind of plan; each is updated, and says what it is", async () => {
    const { project, server } = await githubJob();
    const [staging, production] = ["state/staging.json", "state/production.json"];
    project.write("state/.keep", "");
    const kinds: readonly (readonly [plan: string, comment: string, state: string | undefined, heading: RegExp])[] = [
      ["", "", undefined, /^### Plan for `outreach\.yaml` at [0-9a-f]{12}$/m],
      ["", "", staging, /^### Plan for `outreach\.yaml`, `state\/staging\.json#[0-9a-f]{8}` at /m],
      ["", "", production, /^### Plan for `outreach\.yaml`, `state\/production\.json#[0-9a-f]{8}` at /m],
      ["", "--name 'eu, prod'", undefined, /^### Plan for `outreach\.yaml`, `eu, prod` at /m],
      ["", "--name prod", undefined, /^### Plan for `outreach\.yaml`, `prod` at /m],
      ["--target outreach_webhook.a", "", undefined, /^### Plan for `outreach\.yaml`, only `outreach_webhook\.a` at /m],
      ["--refresh-only", "", undefined, /^### Refresh-only plan for `outreach\.yaml` at /m],
    ];
    for (const round of [1, 2]) {
      for (const [plan, comment, state] of kinds) {
        const environment = { ...(state === undefined ? {} : { OUTREACH_STATE: state }), GITHUB_RUN_ID: String(round) };
        expect(await project.run(`plan --out saved.plan ${plan}`, environment)).toMatchObject({ code: 0 });
        expect(await project.run(`comment saved.plan ${comment}`, environment)).toMatchObject({ code: 0 });
      }
    }
    // A refresh-only plan without changes creates no comment.
    const headings = kinds.slice(0, -1).map(([, , , heading]) => expect.stringMatching(heading) as string);
    expect(bodies(server)).toEqual(headings);
    expect(new Set(bodies(server).map((body) => MARKED.exec(body)?.[1])).size).toBe(6);
    expect(bodies(server).map((body) => MARKED.exec(body)?.slice(2))).toEqual(headings.map(() => ["2", PULL_SHA]));
  });

  test.each([
    ["a later run", { GITHUB_RUN_ID: "8" }, { GITHUB_RUN_ID: "9" }, "Updated the comment", "9"],
    ["the same run, repeated", { GITHUB_RUN_ID: "9" }, { GITHUB_RUN_ID: "9" }, "The comment is up to date", "9"],
    [
      "an earlier run that was slow, or is repeated",
      { GITHUB_RUN_ID: "10" },
      { GITHUB_RUN_ID: "9" },
      "A later run has commented already. Its comment stays",
      "10",
    ],
  ])("the comment of a run is left to that of %s", async (_, first, second, said, run) => {
    const { project, server } = await githubJob();
    expect(await project.run("comment saved.plan", first)).toMatchObject({ code: 0 });
    expect(await project.run("comment saved.plan", second)).toMatchObject({ code: 0, out: contains(said) });
    expect(bodies(server).map((body) => MARKED.exec(body)?.[2])).toEqual([run]);
    expect(project.read("../runner/summary.md").match(/### Plan for/g)).toHaveLength(2);
  });

  test("a run that finds the comment of a later one after it has created its own removes its own", async () => {
    const { project, server } = await githubJob();
    server.onRequest = ({ method, url }) => {
      if (method !== "POST" || !url.pathname.endsWith("/comments")) return;
      server.onRequest = () => undefined;
      server.comment(BOT, EARLIER.replace("-->", "--><!-- run 10 -->"));
    };
    expect(await project.run("comment saved.plan", { GITHUB_RUN_ID: "9" })).toMatchObject({
      code: 0,
      out: contains("A later run has commented already"),
    });
    expect(bodies(server)).toEqual([contains("run 10")]);
  });
});

describe("in a job of GitHub Actions, comment", () => {
  test("creates one comment, updates it with the next plan, and writes summary and outputs", async () => {
    const { project, server } = await githubJob(["a"]);
    const first = await project.run("comment saved.plan");
    expect(first).toMatchObject({ code: 0, err: "", sent: [] });
    expect(first.out).toBe(
      "Created the comment on pull request #7 of acme/crm: https://github.com/acme/crm/pull/7#issuecomment-1001\n",
    );
    expect(bodies(server)).toEqual([
      expect.stringMatching(
        /^<!-- outreach-as-code: outreach\.yaml -->.*\n[^]*Plan: 1 to add, 0 to change, 0 to destroy\./,
      ),
    ]);
    expect(project.read("../runner/output")).toBe("changes=true\nadd=1\nchange=0\ndestroy=0\nexitcode=2\n");
    expect(project.read("../runner/summary.md").trimEnd()).toBe(bodies(server)[0]?.trimEnd());

    expect(await project.run("comment saved.plan")).toMatchObject({
      code: 0,
      out: contains("The comment is up to date on pull request #7"),
    });
    project.write("outreach.yaml", webhooks("a", "b"));
    expect(await project.run("plan --out saved.plan")).toMatchObject({ code: 0 });
    expect(await project.run("comment saved.plan")).toMatchObject({ code: 0, out: contains("Updated the comment") });
    expect(bodies(server)).toEqual([contains("Plan: 2 to add")]);
    expect(server.log.filter((line) => /^(POST \/repos|PATCH|DELETE)/.test(line))).toEqual([
      "POST /repos/acme/crm/issues/7/comments 201",
      "PATCH /repos/acme/crm/issues/comments/1001 200",
    ]);
  });

  test("finds its comment on the second page, and touches no comment of anybody else, and none that quotes the marker", async () => {
    const { project, server } = await githubJob();
    for (let number = 0; number < 100; number++) server.comment("ada", `Comment ${String(number)}`);
    const others = [
      server.comment("mallory", EARLIER),
      server.comment(BOT, `> ${EARLIER}`),
      server.comment(BOT, `Text\n${EARLIER}`),
    ];
    others.push(
      server.comment(BOT, EARLIER.replace("outreach.yaml", "other.yaml")),
      server.comment("github-actions", EARLIER),
    );
    const before = others.map(({ body }) => body);
    const own = server.comment(BOT, EARLIER.replaceAll("\n", "\r\n"));
    expect(await project.run("comment saved.plan")).toMatchObject({ code: 0, out: contains("Updated the comment") });
    expect(own.body).toContain("Plan: 1 to add");
    expect(others.map(({ body }) => body)).toEqual(before);
    expect([server.comments.length, server.log.filter((line) => line.startsWith("GET")).length]).toEqual([106, 2]);
  });

  test.each([
    ["before", "Updated"],
    ["after", "Created"],
  ] as const)("leaves no duplicate if another job creates one just %s it", async (order, outcome) => {
    const { project, server } = await githubJob();
    let isDone = false;
    server.onRequest = ({ method, url }) => {
      const isCreate = method === "POST" && url.pathname.endsWith("/comments");
      const isSecondList = method === "GET" && server.comments.length === 1;
      if (isDone || !(order === "before" ? isCreate : isSecondList)) return;
      isDone = true;
      server.comment(BOT, EARLIER);
    };
    const ran = await project.run("comment saved.plan");
    expect(ran).toMatchObject({ code: 0, out: contains(`${outcome} the comment`) });
    expect(ran.out).toContain("Removed 1 duplicate that another job had created.");
    expect(bodies(server)).toEqual([contains("Plan: 1 to add")]);
    expect(server.comments[0]?.id).toBe(1001);
  });

  test.each([
    ["is lost", { method: "POST", action: "drop", after: true }],
    ["is lost before anything happened", { method: "POST", action: "drop" }],
    ["is an error of the server", { method: "POST", action: { status: 502 }, after: true }],
  ] as const)("creates one comment if the answer to the create %s", async (_, fault) => {
    const { project, server } = await githubJob();
    server.onRequest = ({ url }) => {
      if (!url.pathname.endsWith("/comments") || server.log.length !== 2) return;
      server.onRequest = () => undefined;
      server.addFault(fault);
    };
    expect(await project.run("comment saved.plan")).toMatchObject({ code: 0 });
    expect(bodies(server)).toEqual([contains("Plan: 1 to add")]);
  });

  test("of a plan without changes updates an earlier comment, and creates none", async () => {
    const { project, server } = await githubJob([]);
    expect(await project.run("comment saved.plan")).toMatchObject({
      code: 0,
      out: contains("No changes, and no earlier comment"),
    });
    expect(server.comments).toEqual([]);
    const own = server.comment(BOT, EARLIER);
    expect(await project.run("comment saved.plan")).toMatchObject({ code: 0, out: contains("Updated the comment") });
    expect(own.body).not.toContain("9 to add");
    expect(project.read("../runner/output")).toContain("changes=false\nadd=0\nchange=0\ndestroy=0\nexitcode=0\n");
  });

  test("plans first without a plan file, and sends nothing that writes to the service", async () => {
    const { project, server } = await githubJob(["a", "b"]);
    const ran = await project.run("comment --no-secrets");
    expect(ran).toMatchObject({ code: 0, out: contains("outreach_webhook.a will be created") });
    expect(ran.out).toContain("Created the comment");
    expect(ran.sent.every((request) => request.startsWith("GET "))).toBe(true);
    expect(bodies(server)).toEqual([contains("Plan: 2 to add")]);
    project.write("outreach.yaml", "version: 1\nwebhooks:\n  a: { target_url: ftp://x }\n");
    expect(await project.run("comment --no-secrets")).toMatchObject({ code: 1, err: contains("outreach.yaml:3:") });
  });

  test("keeps one comment for each team", async () => {
    const { project, server } = await githubJob();
    const teams = ["east", "west"].map((name) => `  ${name}: { api_key: { env: OUTREACH_API_KEY } }\n`).join("");
    project.write("outreach.yaml", `${webhooks("a")}teams:\n${teams}`);
    expect(await project.run("plan --out plans")).toMatchObject({ code: 0 });
    expect(await project.run("comment plans/east.plan")).toMatchObject({
      code: 0,
      out: contains("Created the comment"),
    });
    expect(await project.run("comment --team west")).toMatchObject({ code: 0, out: contains("Created the comment") });
    expect(await project.run("comment plans/west.plan")).toMatchObject({
      code: 0,
      out: expect.not.stringContaining("Created") as string,
    });
    expect(await project.run("comment")).toMatchObject({ code: 1, err: contains("--team") });
    expect(bodies(server).map((body) => MARKED.exec(body)?.[1])).toEqual(
      ["east", "west"].map((name) => `<!-- outreach-as-code: outreach.yaml#${name} -->`),
    );
  });

  test("names the team in the commands that a reviewer may copy", async () => {
    const { project, server } = await githubJob();
    const teams = ["east", "west"].map((name) => `  ${name}: { api_key: { env: OUTREACH_API_KEY } }\n`).join("");
    const declared = (more: string): string =>
      `version: 1\nteams:\n${teams}webhooks:\n  a: { target_url: https://crm.example.com/a${more} }\n`;
    const secret = { HOOK_SECRET: "a-secret" };
    project.write("outreach.yaml", declared(""));
    expect(await project.run("apply --auto-approve --team east")).toMatchObject({ code: 0 });
    expect(await project.run("state rm --team east outreach_webhook.a")).toMatchObject({ code: 0 });
    project.write("outreach.yaml", declared(", secret: { env: HOOK_SECRET }"));
    expect(await project.run("import --team east outreach_webhook.a hoo_000001", secret)).toMatchObject({ code: 0 });
    project.write(
      "outreach.yaml",
      `${declared(", secret: { env: HOOK_SECRET }")}  b: { target_url: https://crm.example.com/b }\n`,
    );
    expect(await project.run("plan --out plans --team east", secret)).toMatchObject({ code: 0 });
    expect(await project.run("comment plans")).toMatchObject({ code: 0 });
    expect(bodies(server)).toEqual([contains("npx outreach-as-code apply --team east --replace outreach_webhook.a")]);
  });

  test("leaves out the plan of a team that is no longer declared", async () => {
    const { project, server } = await githubJob();
    const declared = (names: readonly string[]): string => {
      const teams = names.map((name) => `  ${name}: { api_key: { env: OUTREACH_API_KEY } }\n`).join("");
      return `${webhooks("a")}teams:\n${teams}`;
    };
    project.write("outreach.yaml", declared(["east", "west"]));
    expect(await project.run("plan --out plans")).toMatchObject({ code: 0 });
    project.write("outreach.yaml", declared(["east"]));
    expect(await project.run("comment plans")).toMatchObject({ code: 0 });
    expect(bodies(server)).toEqual([contains("east")]);
    expect(bodies(server)[0]).not.toContain("west");
  });

  test.each(["push", "merge_group"])(
    "of the event %s, which has no pull request, writes only summary and outputs",
    async (event) => {
      const { project, server } = await githubJob(["a"], { event });
      expect(await project.run("comment saved.plan")).toMatchObject({
        code: 0,
        out: contains("This job has no pull request"),
      });
      expect([server.log, project.read("../runner/summary.md")]).toEqual([[], contains("Plan: 1 to add")]);
    },
  );

  test("with a token that may not write names the permission; from a fork, it only writes the summary", async () => {
    for (const fork of [false, true]) {
      const { project, server } = await githubJob(["a"], { fork });
      server.tokens[BOT_TOKEN] = { login: BOT, pulls: "read", issues: "none" };
      const ran = await project.run("comment saved.plan");
      if (fork) expect(ran).toMatchObject({ code: 0, err: "", out: contains("The commits are in a fork") });
      else expect(ran).toMatchObject({ code: 1, err: contains("pull-requests: write") });
      if (!fork) expect(ran.err).toContain("answered 403: Resource not accessible by integration");
      expect(await project.run("comment saved.plan", { GITHUB_TOKEN: "ghs_unknown-token" })).toMatchObject({
        code: 1,
        err: contains("The token is not valid"),
      });
      // A secret of the repository is empty in the jobs of a fork.
      expect(await project.run("comment saved.plan", { GITHUB_TOKEN: "" })).toMatchObject(
        fork
          ? { code: 0, err: "", out: contains("The commits are in a fork") }
          : { code: 1, err: contains("GITHUB_TOKEN is not set") },
      );
      expect([server.comments, project.read("../runner/summary.md")]).toEqual([[], contains("Plan: 1 to add")]);
    }
  });

  test("waits for rate limits and for a server that fails, and gives up in time", async () => {
    const { project, server } = await githubJob();
    server.addFault({ method: "POST", action: { status: 429, headers: { "retry-after": "7" } } });
    server.addFault({ method: "GET", action: { status: 503 }, times: 2 });
    const reset = String(Math.ceil(project.clock.ofService.now() / 1000) + 60);
    server.addFault({
      method: "POST",
      action: {
        status: 403,
        headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset },
        json: { message: "limit" },
      },
    });
    expect(await project.run("comment saved.plan")).toMatchObject({ code: 0, out: contains("Created the comment") });
    expect(server.comments.length).toBe(1);

    server.addFault({ method: "GET", action: { status: 429, headers: { "retry-after": "3600" } } });
    expect(await project.run("comment saved.plan")).toMatchObject({ code: 1, err: contains("asks to wait 3600 s") });
    server.addFault({ method: "GET", action: { status: 500 }, times: 4 });
    expect(await project.run("comment saved.plan")).toMatchObject({
      code: 1,
      err: contains("failed with status 500 (4 attempts)"),
    });
    server.addFault({
      method: "GET",
      action: { status: 302, headers: { location: "https://elsewhere.example.com/" } },
    });
    expect(await project.run("comment saved.plan")).toMatchObject({
      code: 1,
      err: contains("Redirects are not followed"),
    });
  });

  test("masks the emails of leads, unless --show-emails", async () => {
    const { project, server } = await githubJob();
    project.write(
      "outreach.yaml",
      "version: 1\nlead_unsubscriptions:\n  gdpr: { campaign_id: cam_000001, emails: [ada@example.com] }\n",
    );
    expect(await project.run("plan --out saved.plan --allow-local-state")).toMatchObject({ code: 0 });
    expect(await project.run("comment saved.plan")).toMatchObject({ code: 0 });
    expect(bodies(server)).toEqual([expect.stringMatching(/a\*\*\*@example\.com#[0-9a-f]{8}/)]);
    expect(bodies(server).join("") + project.read("../runner/summary.md")).not.toContain("ada@example");
    expect(await project.run("comment --show-emails saved.plan")).toMatchObject({ code: 0 });
    expect(bodies(server)).toEqual([contains("ada@example.com")]);
  });

  test("says what the API says, and blames no permission for a locked conversation", async () => {
    const { project, server } = await githubJob();
    server.addFault({
      method: "POST",
      action: { status: 200, json: { errors: [{ message: "Something went wrong." }] } },
    });
    expect((await project.run("comment saved.plan")).err).toContain("/graphql answered 200: Something went wrong.\n");
    server.addFault({ method: "POST", action: { status: 200, json: { data: { viewer: { login: BOT } } } } });
    server.addFault({
      method: "POST",
      action: { status: 403, json: { message: "Unable to create comment because issue is locked." } },
    });
    const { code, err } = await project.run("comment saved.plan");
    expect([code, err]).toEqual([1, contains("answered 403: Unable to create comment because issue is locked.\n")]);
    expect(err).not.toContain("permission");
  });

  test("leaves out the summary if the step has filled it", async () => {
    const { project } = await githubJob();
    const full = "x".repeat(1024 * 1024 - 10);
    writeFileSync(path.join(project.folder, "../runner/summary.md"), full);
    expect(await project.run("comment saved.plan")).toMatchObject({
      code: 0,
      err: contains("The summary of this step is full"),
    });
    expect(project.read("../runner/summary.md")).toBe(full);
  });

  test("prints the requests and the comment with --dry-run, and sends nothing", async () => {
    const { project, server } = await githubJob();
    const { code, out, err } = await project.run("comment --dry-run saved.plan");
    expect([code, err, server.log]).toEqual([0, "", []]);
    expect(out).toContain(
      `POST ${server.origin}/repos/acme/crm/issues/7/comments\nor, if the comment exists:\nPATCH ${server.origin}/repos/acme/crm/issues/comments/ID\n`,
    );
    expect(out).toContain("\nexitcode=2\n");
    expect(out).toContain(`\n${MARKER}<!-- commit ${PULL_SHA} -->\n`);
    expect(out).not.toContain(BOT_TOKEN);
    expect(project.read("../runner/summary.md")).toBe("");
  });

  test.each([
    ["without a token", { GITHUB_TOKEN: undefined }, ["GITHUB_TOKEN is not set", "GITHUB_TOKEN: ${{ github.token }}"]],
    [
      "with an unknown token",
      { GITHUB_TOKEN: "ghs_unknown-token" },
      ["answered 401: Bad credentials", "Set GITHUB_TOKEN to a valid token"],
    ],
    [
      "with a line end behind the token",
      { GITHUB_TOKEN: `${BOT_TOKEN}\n` },
      ["GITHUB_TOKEN contains white space", "without a line end"],
    ],
    ["without the address of the API", { GITHUB_API_URL: undefined }, ["GITHUB_API_URL is not set"]],
    [
      "with a repository that is none",
      { GITHUB_REPOSITORY: "acme/crm/../other" },
      ["GITHUB_REPOSITORY is not OWNER/REPOSITORY"],
    ],
    [
      "over plain http to another machine",
      { GITHUB_GRAPHQL_URL: "http://ci.example.com/graphql" },
      ["plain http only reaches this machine"],
    ],
    [
      "with a server that nothing answers",
      { GITHUB_GRAPHQL_URL: "http://127.0.0.1:9/graphql" },
      ["127.0.0.1:9 refused the connection (4 attempts)"],
    ],
    [
      "with an event that is not JSON",
      { GITHUB_EVENT_PATH: "outreach.yaml" },
      ["GITHUB_EVENT_PATH names a file that is not JSON"],
    ],
    ["outside of a CI", { GITHUB_ACTIONS: undefined }, ["GITHUB_ACTIONS=true", "GITLAB_CI=true", "--dry-run"]],
  ] as const)("stops %s, and says what to do", async (_, environment, texts) => {
    const { project, server } = await githubJob();
    const { code, out, err } = await project.run("comment saved.plan", environment);
    expect([code, server.comments]).toEqual([1, []]);
    for (const text of texts) expect(err).toContain(text);
    expect(out + err).not.toMatch(/ghs_/);
  });
});

test.each([404, 405])(
  "on Forgejo and Gitea, which answer %i for GraphQL, comment says so, and speaks of no permission",
  async (status) => {
    const { project, server } = await githubJob();
    server.addFault({ method: "POST", action: { status } });
    const { code, err } = await project.run("comment saved.plan");
    expect([code, server.comments]).toEqual([1, []]);
    expect(err).toContain(`/graphql answered ${String(status)}.`);
    expect(err).toContain("npx outreach-as-code show --format markdown PLANFILE");
    expect(err).not.toMatch(/permission/i);
  },
);

describe("in a job of GitLab CI, comment", () => {
  test("creates one note on the merge request and updates it, whatever others and the system write", async () => {
    const { project, server } = await gitlabJob();
    for (let number = 0; number < 100; number++) server.note(4, `Note ${String(number)}`);
    server.note(4, EARLIER);
    server.note(PROJECT_BOT, EARLIER, true);
    expect(await project.run("comment saved.plan")).toMatchObject({
      code: 0,
      err: "",
      out: "Created the comment on merge request !3 of project 7\n",
    });
    expect(server.notes.length).toBe(103);
    project.write("outreach.yaml", webhooks("a", "b"));
    expect(await project.run("plan --out saved.plan")).toMatchObject({ code: 0 });
    expect(await project.run("comment saved.plan")).toMatchObject({ code: 0, out: contains("Updated the comment") });
    expect(server.notes.map(({ body }) => body).slice(-3)).toEqual([EARLIER, EARLIER, contains("Plan: 2 to add")]);
    expect(server.received.every(({ headers }) => headers["private-token"] === PROJECT_TOKEN)).toBe(true);
  });

  test("uses the project of the merge request, also from a fork, and asks for no token there", async () => {
    const { project, server } = await gitlabJob();
    const fork = { CI_PROJECT_ID: "8", CI_MERGE_REQUEST_PROJECT_ID: "7", CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "8" };
    expect(await project.run("comment saved.plan", { ...fork, GITLAB_TOKEN: undefined })).toMatchObject({
      code: 0,
      out: contains("The commits are in a fork"),
    });
    expect(server.log).toEqual([]);
    expect(await project.run("comment saved.plan", fork)).toMatchObject({
      code: 0,
      out: contains("Created the comment on merge request !3 of project 7"),
    });
  });

  test.each([
    [
      "without a token",
      {},
      { GITLAB_TOKEN: undefined },
      ["GITLAB_TOKEN is not set", "CI_JOB_TOKEN, cannot write notes", "scope api"],
    ],
    [
      "with a token that only reads",
      { scopes: ["read_api"] },
      {},
      ["answered 403: The request requires higher privileges", "the scope api"],
    ],
    ["with a token of a guest", { role: "guest" }, {}, ["answered 403: 403 Forbidden", "the role Reporter"]],
    [
      "with a token of another project",
      { role: null },
      {},
      ["answered 404: 404 Project Not Found", "the role Reporter"],
    ],
    [
      "with an expired token",
      {},
      { GITLAB_TOKEN: "glpat-expired" },
      ["answered 401: 401 Unauthorized", "GITLAB_TOKEN"],
    ],
    ["with a merge request that is none", {}, { CI_MERGE_REQUEST_IID: "x" }, ["CI_MERGE_REQUEST_IID is not a number"]],
  ] as const)("stops %s, and says what to do", async (_, token, environment, texts) => {
    const { project, server } = await gitlabJob();
    server.tokens[PROJECT_TOKEN] = { user: PROJECT_BOT, scopes: ["api"], role: "reporter", ...token };
    const { code, out, err } = await project.run("comment saved.plan", environment);
    expect([code, server.notes]).toEqual([1, []]);
    for (const text of texts) expect(err).toContain(text);
    expect(out + err).not.toMatch(/glpat-/);
  });

  test("without a merge request says so, and succeeds", async () => {
    const { project, server } = await gitlabJob();
    expect(await project.run("comment saved.plan", { CI_MERGE_REQUEST_IID: undefined })).toMatchObject({
      code: 0,
      out: contains("This job has no merge request"),
    });
    expect(server.log).toEqual([]);
  });
});

test("outside of a CI, comment --dry-run shows the comment alone", async () => {
  const project = await openProject();
  project.write("outreach.yaml", webhooks("a"));
  expect(await project.run("comment --dry-run")).toMatchObject({
    code: 0,
    out: contains(`no request.\n\n${MARKER}\n`),
  });
});

test("a comment says each command as people run it, also where not everything fits", async () => {
  const names = Array.from({ length: 900 }, (_, index) => `webhook-number-${String(index)}`);
  const { project, server } = await githubJob(names);
  expect(await project.run("comment saved.plan")).toMatchObject({ code: 0 });
  expect(bodies(server)).toEqual([contains("run `npx outreach-as-code show saved.plan`")]);
});

describe("with --no-secrets", () => {
  const encryption = (key: string): string => `state: { encryption: { key: ${key} } }\n`;
  async function planned(options = ""): Promise<Project> {
    const project = await openProject();
    project.environment["ONE"] = Buffer.alloc(32, 1).toString("base64");
    project.write("outreach.yaml", `${webhooks("a")}${encryption("{ env: ONE }")}`);
    expect(await project.run(`plan --out saved.plan ${options}`)).toMatchObject({ code: 0 });
    project.write("outreach.yaml", `${webhooks("a")}${encryption("{ command: [sh, -c, 'touch ran; printenv ONE'] }")}`);
    return project;
  }

  test("no command runs for the key of an encrypted plan", async () => {
    const project = await planned();
    expect(await project.run("comment --dry-run --no-secrets saved.plan")).toMatchObject({
      code: 1,
      out: "",
      sent: [],
      err: expect.stringMatching(/does not run|no command runs unless you allow it/) as string,
    });
    expect(await project.run("comment --dry-run --no-secrets --run-key-command saved.plan")).toMatchObject({
      code: 1,
      out: "",
      err: contains("Conflicting options"),
    });
    expect(Object.keys(project.files())).not.toContain("ran");
  });

  test("a plan in plain text is read without the configuration", async () => {
    const project = await planned("--no-secrets");
    const ran = await project.run("comment --dry-run --no-secrets saved.plan", { ONE: undefined });
    expect(ran).toMatchObject({ code: 0, err: "", sent: [], out: contains("https://crm.example.com/a") });
    expect(Object.keys(project.files())).not.toContain("ran");
  });
});
