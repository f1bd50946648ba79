// Keeps one issue about the drift of each configuration and stage: node drift-issue.mjs REPORT EXITCODE. Exit code 2 of `outreach drift` means drift, 0 means none.
import { readFile } from "node:fs/promises";

const [, , file, exitCode] = process.argv;
const { GITHUB_API_URL, GITHUB_REPOSITORY, GITHUB_TOKEN } = process.env;
const body = await readFile(file, "utf8");
// The first line of the report is a hidden marker with the names of the configuration and of its stage. The heading says the same.
const [marker] = body.split("\n", 1);
const [, subject = "the configuration"] = /^### Drift of (.*?)(?: at [0-9a-f]+)?$/m.exec(body) ?? [];

const HINTS = {
  401: "Set GITHUB_TOKEN: ${{ github.token }} in the step.",
  403: "The job needs the permission issues: write.",
  404: "The job needs the permission issues: write.",
  410: "Enable issues in the settings of the repository.",
};

function fail(message) {
  console.error(`Error: ${message}`);
  process.exit(1);
}

async function api(method, path, fields) {
  const response = await fetch(`${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}${path}`, {
    method,
    headers: { accept: "application/vnd.github+json", authorization: `Bearer ${GITHUB_TOKEN}`, "x-github-api-version": "2022-11-28" },
    ...(fields && { body: JSON.stringify(fields) }),
    redirect: "error",
  }).catch((error) => fail(`${method} ${path}: ${error.cause?.message ?? error.message}. Run the job again.`));
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  return fail(`${method} ${path}: ${[response.status, answer.message].filter(Boolean).join(" ")}. ${HINTS[response.status] ?? "Run the job again."}`);
}

async function findIssue() {
  for (let page = 1; ; page++) {
    const issues = await api("GET", `/issues?state=open&creator=github-actions%5Bbot%5D&per_page=100&page=${page}`);
    const found = issues.find((issue) => issue.body?.split(/\r?\n/, 1)[0] === marker);
    if (found || issues.length < 100) return found;
  }
}

const issue = await findIssue();
const isDrift = exitCode === "2";
if (isDrift && !issue) {
  const { html_url } = await api("POST", "/issues", { title: `Webhooks have drifted from ${subject.replaceAll("`", "")}`, body });
  console.log(`Opened ${html_url}`);
} else if (isDrift && issue.body !== body) {
  await api("PATCH", `/issues/${issue.number}`, { body });
  console.log(`Updated ${issue.html_url}`);
} else if (!isDrift && issue) {
  await api("PATCH", `/issues/${issue.number}`, { body, state: "closed", state_reason: "completed" });
  console.log(`Closed ${issue.html_url}`);
} else {
  console.log(isDrift ? `Nothing new in ${issue.html_url}` : "No drift.");
}
