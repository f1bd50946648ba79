import { DiagnosticsError } from "../../../../core/model/diagnostic.ts";
import { commitIn, commitOf } from "../../ci-commit.ts";
import { parseUrl } from "../../../../core/model/parse-url.ts";

type Environment = { readonly [name: string]: string | undefined };

/** The job of a CI that runs this command, and what it may comment on. */
export type CiJob = GithubJob | GitlabJob;

export interface GithubJob {
  readonly host: "github";
  readonly apiUrl: URL;
  readonly graphqlUrl: URL;
  /** Name such as `acme/crm`. */
  readonly repository: string;
  /** Null for an event without one, such as a push or a merge group. */
  readonly change: ChangeRequest | null;
  readonly token: string | null;
  readonly run: number | null;
  /** The files that GitHub reads when the step has ended. */
  readonly summaryFile: string | null;
  readonly outputFile: string | null;
}

export interface GitlabJob {
  readonly host: "gitlab";
  readonly apiUrl: URL;
  /** The id of the project that has the merge request. */
  readonly project: string;
  readonly change: ChangeRequest | null;
  readonly token: string | null;
  readonly run: number | null;
}

/** A pull request of GitHub, a merge request of GitLab. */
export interface ChangeRequest {
  readonly number: number;
  /** Whether its commits are in another repository, whose jobs get no secrets and no writing token. */
  readonly isFork: boolean;
  /** Its newest commit when the job was started; null if it is not known. */
  readonly commit: string | null;
}

/** The job by its environment variables; null outside of the CIs that are known. `read` returns the text of a file, null if there is none. */
export async function findJob(
  environment: Environment,
  read: (file: string) => Promise<string | null>,
): Promise<CiJob | null> {
  if (environment["GITHUB_ACTIONS"] === "true") return githubJob(environment, read);
  return environment["GITLAB_CI"] === "true" ? gitlabJob(environment) : null;
}

async function githubJob(environment: Environment, read: (file: string) => Promise<string | null>): Promise<GithubJob> {
  const apiUrl = urlIn(environment, "GITHUB_API_URL");
  const eventFile = given(environment, "GITHUB_EVENT_PATH");
  const text = eventFile === null ? null : await read(eventFile);
  return {
    host: "github",
    apiUrl,
    graphqlUrl:
      given(environment, "GITHUB_GRAPHQL_URL") === null ? graphqlOf(apiUrl) : urlIn(environment, "GITHUB_GRAPHQL_URL"),
    repository: matching(environment, "GITHUB_REPOSITORY", /^[\w.-]+\/[\w.-]+$/, "OWNER/REPOSITORY"),
    change: text === null ? null : pullRequestIn(text),
    token: given(environment, "GITHUB_TOKEN"),
    run: runIn(environment, "GITHUB_RUN_ID"),
    summaryFile: given(environment, "GITHUB_STEP_SUMMARY"),
    outputFile: given(environment, "GITHUB_OUTPUT"),
  };
}

/** GitHub's own address has both APIs at its root; GitHub Enterprise Server has them in folders. */
function graphqlOf(apiUrl: URL): URL {
  return new URL(
    apiUrl.pathname.endsWith("/v3")
      ? apiUrl.href.replace(/\/v3$/, "/graphql")
      : `${apiUrl.href.replace(/\/$/, "")}/graphql`,
  );
}

/** The parts of an event that name a pull request, also one whose conversation started the workflow. */
interface GithubEvent {
  readonly pull_request?: {
    readonly number?: unknown;
    readonly head?: { readonly sha?: unknown; readonly repo?: { readonly full_name?: unknown } | null };
    readonly base?: { readonly repo?: { readonly full_name?: unknown } | null };
  };
  readonly issue?: { readonly number?: unknown; readonly pull_request?: unknown };
}

function pullRequestIn(text: string): ChangeRequest | null {
  const { pull_request: pull, issue } = eventOf(text);
  if (pull && isCount(pull.number)) {
    const [head, base] = [pull.head?.repo?.full_name, pull.base?.repo?.full_name];
    return { number: pull.number, isFork: head === undefined || head !== base, commit: commitOf(pull.head?.sha) };
  }
  return issue?.pull_request !== undefined && isCount(issue.number)
    ? { number: issue.number, isFork: false, commit: null }
    : null;
}

function eventOf(text: string): GithubEvent {
  try {
    const event: unknown = JSON.parse(text);
    return typeof event === "object" && event !== null ? event : {};
  } catch {
    throw invalid("GITHUB_EVENT_PATH", "names a file that is not JSON.", "Leave this variable as GitHub sets it.");
  }
}

function gitlabJob(environment: Environment): GitlabJob {
  // The pipeline of a fork runs in the fork, but the merge request belongs to the project that it was opened in.
  const target = given(environment, "CI_MERGE_REQUEST_PROJECT_ID");
  const source = given(environment, "CI_MERGE_REQUEST_SOURCE_PROJECT_ID");
  const number = given(environment, "CI_MERGE_REQUEST_IID");
  if (number !== null && !isCount(Number(number))) throw invalid("CI_MERGE_REQUEST_IID", "is not a number.", AS_SET);
  return {
    host: "gitlab",
    apiUrl: urlIn(environment, "CI_API_V4_URL"),
    project: matching(
      environment,
      target === null ? "CI_PROJECT_ID" : "CI_MERGE_REQUEST_PROJECT_ID",
      /^\d+$/,
      "a number",
    ),
    change:
      number === null
        ? null
        : {
            number: Number(number),
            isFork: target !== null && source !== null && source !== target,
            commit: commitIn(environment),
          },
    token: given(environment, "GITLAB_TOKEN"),
    run: runIn(environment, "CI_PIPELINE_ID"),
  };
}

/** The number of the run. It is the same when the run is repeated, and that of a later run is greater. */
function runIn(environment: Environment, name: string): number | null {
  const value = Number(given(environment, name));
  return isCount(value) ? value : null;
}

/** Whether it is a whole number above 0. */
function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function given(environment: Environment, name: string): string | null {
  const value = environment[name] ?? "";
  return value === "" ? null : value;
}

const AS_SET = "Leave this variable as the CI sets it.";

function matching(environment: Environment, name: string, form: RegExp, wanted: string): string {
  const value = given(environment, name) ?? "";
  if (form.test(value)) return value;
  throw invalid(name, value === "" ? "is not set." : `is not ${wanted}.`, AS_SET);
}

function urlIn(environment: Environment, name: string): URL {
  const value = given(environment, name) ?? "";
  const url = parseUrl(value);
  if (url && /^https?:$/.test(url.protocol) && url.username === "" && url.search === "") return url;
  throw invalid(name, value === "" ? "is not set." : "is not the URL of an API.", AS_SET);
}

function invalid(name: string, problem: string, hint: string): DiagnosticsError {
  return DiagnosticsError.of("ci_variable_invalid", "Invalid variable of the CI", {
    detail: `${name} ${problem}`,
    hint,
  });
}

/** What a plan says to later steps of a job. */
export interface JobOutputs {
  readonly counts: { readonly add: number; readonly change: number; readonly destroy: number };
  readonly hasChanges: boolean;
  /** Exit code of `plan --detailed-exitcode`. */
  readonly exitCode: number;
}

/** Lines for the file in GITHUB_OUTPUT. The values are numbers and booleans, so no value can add a line. */
export function githubOutputs({ counts, hasChanges, exitCode }: JobOutputs): string {
  const outputs = {
    changes: hasChanges,
    add: counts.add,
    change: counts.change,
    destroy: counts.destroy,
    exitcode: exitCode,
  };
  return Object.entries(outputs)
    .map(([name, value]) => `${name}=${String(value)}\n`)
    .join("");
}

/** GitHub shows no summary of a step that is larger. */
const MAX_SUMMARY_BYTES = 1024 * 1024;

/** Whether a body still fits behind what the step has written before. */
export function fitsSummary(before: number, body: Uint8Array): boolean {
  return before + body.length <= MAX_SUMMARY_BYTES;
}
