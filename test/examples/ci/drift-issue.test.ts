import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../docs/pages.ts";
import { BOT, BOT_TOKEN, type GithubServer, startGithubServer } from "../../frontends/ci/github-server.ts";
import { type Project, useProjects } from "../../frontends/cli/project.ts";

const SCRIPT = path.join(ROOT, "examples/ci/github/.github/drift-issue.mjs");

test.each([
  [
    403,
    '{"message":"Resource not accessible by integration"}',
    "403 Resource not accessible by integration. The job needs the permission issues: write.",
  ],
  [
    410,
    '{"message":"Issues are disabled for this repo"}',
    "410 Issues are disabled for this repo. Enable issues in the settings of the repository.",
  ],
  [502, "<html>", "502. Run the job again."],
])(
  "the script that keeps the issue says in one line why GitHub answers %i, and what to do",
  async (status, body, message) => {
    const folder = mkdtempSync(path.join(tmpdir(), "drift-issue-"));
    const server = createServer((_, response) => response.writeHead(status).end(body)).listen(0, "127.0.0.1");
    try {
      await once(server, "listening");
      const report = path.join(folder, "drift.md");
      writeFileSync(
        report,
        "<!-- outreach-as-code drift: outreach.yaml -->\n\n### Drift of `outreach.yaml`\n\n**Drift detected: 1 missing.**\n",
      );
      const { port } = server.address() as AddressInfo;
      const GITHUB = {
        GITHUB_API_URL: `http://127.0.0.1:${String(port)}`,
        GITHUB_REPOSITORY: "acme/crm",
        GITHUB_TOKEN: "x",
      };
      const child = spawn(process.execPath, [SCRIPT, report], {
        env: { ...process.env, ...GITHUB },
        stdio: ["ignore", "ignore", "pipe"],
      });
      let err = "";
      child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
      expect(await once(child, "close")).toEqual([1, null]);
      expect(err).toMatch(/^Error: GET \/issues\?.*\n$/);
      expect(err).toContain(message);
    } finally {
      server.close();
      rmSync(folder, { recursive: true });
    }
  },
);

const openProject = useProjects();

/** Runs the script on the report of a run, and returns what it says and which requests it sent. */
async function keepIssues(project: Project, github: GithubServer, report: string) {
  project.write("drift.md", report);
  const before = github.received.length;
  const child = spawn(process.execPath, [SCRIPT, path.join(project.folder, "drift.md")], {
    env: { ...process.env, ...github.environment, GITHUB_TOKEN: BOT_TOKEN },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let out = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  expect(await once(child, "close")).toEqual([0, null]);
  const prefix = `/repos/${github.repository}`;
  return {
    said: out.trimEnd(),
    sent: github.received.slice(before).map(({ method, url }) => `${method} ${url.pathname.replace(prefix, "")}`),
  };
}

test("the script opens one issue about drift, brings it up to date, leaves it where nothing is new or known, and closes it", async () => {
  const github = await startGithubServer();
  try {
    const project = await openProject();
    const webhook = (name: string): string => `  ${name}: { target_url: https://${name}.example.com/ }\n`;
    project.write("outreach.yaml", `version: 1\nwebhooks:\n${webhook("crm")}${webhook("audit")}`);
    await project.run("apply --auto-approve");
    const remove = (name: string): void => {
      const found = project.sandbox.webhooks().find(({ targetUrl }) => targetUrl.includes(name));
      project.sandbox.remove("webhooks", found?._id ?? "");
    };
    const keep = async () => keepIssues(project, github, (await project.run("drift --format markdown")).out);
    // Another one's issue of the same title stays alone.
    github.issues.push({ number: 1, title: "Webhooks", body: "by a person", state: "open", labels: [], login: "ada" });

    expect(await keep()).toEqual({ said: "No drift.", sent: ["GET /issues"] });
    remove("crm");
    const opened = await keep();
    expect(opened).toEqual({
      said: expect.stringMatching(/^Opened https:/) as string,
      sent: ["GET /issues", "POST /issues"],
    });
    expect(github.issues[1]).toMatchObject({
      title: "Webhooks have drifted from outreach.yaml",
      state: "open",
      login: BOT,
    });
    expect(github.issues[1]?.body).toContain("outreach_webhook.crm");
    expect(await keep()).toEqual({ said: expect.stringMatching(/^Nothing new in /) as string, sent: ["GET /issues"] });

    remove("audit");
    expect((await keep()).sent).toEqual(["GET /issues", "PATCH /issues/101"]);
    expect(github.issues[1]?.body).toContain("outreach_webhook.audit");
    const failed = await project.run("drift --format markdown", { OUTREACH_API_KEY: "wrong" });
    expect(await keepIssues(project, github, failed.out)).toEqual({ said: "No report.", sent: [] });
    const unknown = "<!-- outreach-as-code drift: outreach.yaml -->\n\n### Drift of `outreach.yaml`\n\n**Cut.\n";
    expect(await keepIssues(project, github, unknown)).toEqual({
      said: "The drift of `outreach.yaml` is not known. Its issue stays as it is.",
      sent: ["GET /issues"],
    });

    await project.run("apply --auto-approve --allow-recreate");
    expect(await keep()).toEqual({
      said: expect.stringMatching(/^Closed https:/) as string,
      sent: ["GET /issues", "PATCH /issues/101"],
    });
    expect(github.issues.map(({ state }) => state)).toEqual(["open", "closed"]);
    expect(await keep()).toEqual({ said: "No drift.", sent: ["GET /issues"] });
    expect(github.violations).toEqual([]);
  } finally {
    await github.close();
  }
});
