import { type IncomingMessage, createServer, request as open } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type HttpStateServer,
  SERVER_PASSWORD,
  SERVER_USER,
  startHttpStateServer,
} from "../../core/state/http/http-state-server.ts";
import { type GitlabServer, startGitlabServer } from "../../frontends/ci/gitlab-server.ts";

/** One address with notes and managed states, as GitLab has. */
export interface GitlabFront {
  readonly api: GitlabServer;
  readonly states: HttpStateServer;
  /** What GitLab sets for each job. */
  readonly environment: { readonly [name: string]: string };
  close(): Promise<void>;
}

const JOB_TOKEN = "glcbt-job-token-1";
const JOB_LOGIN = `Basic ${Buffer.from(`gitlab-ci-token:${JOB_TOKEN}`).toString("base64")}`;
const STATE_LOGIN = `Basic ${Buffer.from(`${SERVER_USER}:${SERVER_PASSWORD}`).toString("base64")}`;

export async function startGitlabFront(): Promise<GitlabFront> {
  const [api, states] = await Promise.all([startGitlabServer(), startHttpStateServer("gitlab")]);
  const stateOrigin = new URL(states.settings()["address"] ?? "").origin;
  const server = createServer((incoming, outgoing) => {
    const isState = (incoming.url ?? "").includes("/terraform/state/");
    const target = new URL(incoming.url ?? "", isState ? stateOrigin : api.origin);
    const forwarded = open(
      target,
      { method: incoming.method ?? "", headers: { ...incoming.headers, ...(isState ? stateHeaders(incoming) : {}) } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      },
    );
    forwarded.on("error", () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    api,
    states,
    environment: {
      ...api.environment,
      CI_API_V4_URL: `${origin}/api/v4`,
      CI_JOB_TOKEN: JOB_TOKEN,
      CI_DEFAULT_BRANCH: "main",
    },
    close: async () => {
      server.closeAllConnections();
      await Promise.all([new Promise((resolve) => server.close(resolve)), api.close(), states.close()]);
    },
  };
}

/** The token of a job opens the states of its project. */
function stateHeaders({ headers }: IncomingMessage): { readonly authorization?: string } {
  return headers.authorization === JOB_LOGIN ? { authorization: STATE_LOGIN } : {};
}
