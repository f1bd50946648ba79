import { afterEach, expect, test } from "vitest";
import { BOT, BOT_TOKEN, type GithubServer, PULL, startGithubServer } from "./github-server.ts";

let server: GithubServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

async function call(
  method: string,
  path: string,
  fields?: object,
): Promise<{ readonly status: number; readonly json: unknown }> {
  const headers = { authorization: `Bearer ${BOT_TOKEN}`, "user-agent": "test" };
  const answer = await fetch(`${server?.origin ?? ""}/repos/acme/crm${path}`, {
    method,
    headers,
    ...(fields ? { body: JSON.stringify(fields) } : {}),
  });
  const text = await answer.text();
  return { status: answer.status, json: text === "" ? null : JSON.parse(text) };
}

test("the copy of GitHub answers as its published description says", async () => {
  server = await startGithubServer();
  const thread = `/issues/${String(PULL)}/comments`;
  expect(await call("POST", thread, { body: "one" })).toMatchObject({ status: 201 });
  const { id } = server.comments[0] as { readonly id: number };
  expect(await call("GET", `${thread}?per_page=100&page=1`)).toMatchObject({
    status: 200,
    json: [{ id, user: { login: BOT } }],
  });
  expect(await call("PATCH", `/issues/comments/${String(id)}`, { body: "two" })).toMatchObject({
    status: 200,
    json: { body: "two" },
  });
  expect(await call("POST", thread, { body: "x".repeat(65_537) })).toMatchObject({ status: 422 });
  expect(await call("DELETE", `/issues/comments/${String(id)}`)).toMatchObject({ status: 204 });
  expect(await call("POST", "/issues", { title: "Drift", body: "text" })).toMatchObject({ status: 201 });
  expect(await call("GET", "/issues?state=open&creator=github-actions%5Bbot%5D&per_page=100&page=1")).toMatchObject({
    status: 200,
    json: [{ number: 100 }],
  });
  expect(await call("PATCH", "/issues/100", { state: "closed", state_reason: "completed" })).toMatchObject({
    status: 200,
    json: { state: "closed" },
  });
  expect(server.log.filter((line) => !/ 2\d\d$/.test(line))).toEqual([`POST /repos/acme/crm${thread} 422`]);
  expect(server.violations).toEqual([]);
});

test.each([
  [
    "a request without its body",
    "POST",
    `/issues/${String(PULL)}/comments`,
    {},
    "request  must have required property 'body'",
  ],
  ["a body of another type", "POST", `/issues/${String(PULL)}/comments`, { body: 1 }, "request /body must be string"],
  [
    "a parameter that does not exist",
    "GET",
    `/issues/${String(PULL)}/comments?sort=asc`,
    undefined,
    "sort is not a parameter",
  ],
  [
    "a value that a parameter cannot have",
    "GET",
    "/issues?state=drifted",
    undefined,
    "state:  must be equal to one of the allowed values",
  ],
  ["a path that does not exist", "GET", "/pulls/7/notes", undefined, "is not in the description"],
] as const)("finds %s", async (_, method, path, fields, problem) => {
  server = await startGithubServer();
  await call(method, path, fields);
  expect(server.violations).toEqual(expect.arrayContaining([expect.stringContaining(problem)]));
});
