// Keeps one issue about the drift of each configuration, stage and team: node drift-issue.mjs REPORT, the report of `outreach drift --format markdown`.
import { readFile } from "node:fs/promises";

const [, , file] = process.argv;
const { GITHUB_API_URL, GITHUB_REPOSITORY, GITHUB_TOKEN } = process.env;
// Each report begins with a hidden marker with the names of its configuration, stage and team.
const reports = (await readFile(file, "utf8"))
  .split(/^(?=<!-- outreach-as-code drift: )/m)
  .filter((text) => text.startsWith("<!--"));

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
    headers: {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${GITHUB_TOKEN}`,
      "x-github-api-version": "2022-11-28",
    },
    ...(fields && { body: JSON.stringify(fields) }),
    redirect: "error",
  }).catch((error) => fail(`${method} ${path}: ${error.cause?.message ?? error.message}. Run the job again.`));
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  return fail(
    `${method} ${path}: ${[response.status, answer.message].filter(Boolean).join(" ")}. ${HINTS[response.status] ?? "Run the job again."}`,
  );
}

async function openIssues() {
  const issues = [];
  for (let page = 1; ; page++) {
    const found = await api("GET", `/issues?state=open&creator=github-actions%5Bbot%5D&per_page=100&page=${page}`);
    issues.push(...found);
    if (found.length < 100) return issues;
  }
}

const firstLine = (text) => text?.split(/\r?\n/, 1)[0];

/** Brings the issue of a report up to date. Returns what to say about it; nothing without drift. */
async function keepIssue(body, issue) {
  const [, subject] = /^### Drift of (.*?)(?: at [0-9a-f]+)?$/m.exec(body);
  if (body.includes("\n**No drift. ")) {
    if (!issue) return [];
    await api("PATCH", `/issues/${issue.number}`, { body, state: "closed", state_reason: "completed" });
    return [`Closed ${issue.html_url}`];
  }
  if (!body.includes("\n**Drift detected: "))
    return [`The drift of ${subject} is not known. Its issue stays as it is.`];
  if (!issue) {
    const { html_url } = await api("POST", "/issues", {
      title: `Webhooks have drifted from ${subject.replaceAll("`", "")}`,
      body,
    });
    return [`Opened ${html_url}`];
  }
  if (issue.body === body) return [`Nothing new in ${issue.html_url}`];
  await api("PATCH", `/issues/${issue.number}`, { body });
  return [`Updated ${issue.html_url}`];
}

if (process.env.NODE_TLS_REJECT_UNAUTHORIZED === "0")
  fail("NODE_TLS_REJECT_UNAUTHORIZED=0 is set: anyone on the network path could read the token. Unset it.");
const issues = reports.length === 0 ? [] : await openIssues();
const said = [];
for (const body of reports) {
  const issue = issues.find((one) => firstLine(one.body) === firstLine(body));
  said.push(...(await keepIssue(body, issue)));
}
console.log(said.join("\n") || (reports.length === 0 ? "No report." : "No drift."));
