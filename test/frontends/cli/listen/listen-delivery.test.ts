import { expect, onTestFinished, test } from "vitest";
import { read } from "../../../docs/pages.ts";
import { listenOnTerminal, startListening, startReceiver } from "./listening.ts";
import { needsTerminal, type Project, until, useProjects } from "../project.ts";

const openProject = useProjects();
const SECRET = "the-secret-of-the-receiver";

async function trigger(project: Project): Promise<void> {
  const { code, err } = await project.run("sandbox trigger emailsReplied");
  expect({ code, err }).toEqual({ code: 0, err: "" });
}

test("events of the sandbox reach the receiver behind a registered listener, which answers the sandbox", async () => {
  const project = await openProject();
  const receiver = await startReceiver(({ body }) => (body.includes('"warmed"') ? 500 : 200));
  onTestFinished(receiver.close);
  const listening = await startListening(
    project,
    `--register --secret env:HOOK --forward ${String(receiver.port)} --save events`,
    { HOOK: SECRET },
  );
  await until(() => listening.lines("registered").length > 0, "it is registered");
  await trigger(project);
  await until(() => listening.lines("event").length >= 2, "both events are there");
  const { code, out } = await listening.stop();
  expect(code).toBe(0);
  const sent = receiver.requests.map(
    ({ body }) => JSON.parse(body) as { readonly type: string; readonly secret: string },
  );
  expect(sent.map(({ type, secret }) => [type, secret]).toSorted()).toEqual([
    ["emailsReplied", SECRET],
    ["warmed", SECRET],
  ]);
  const events = listening.lines("event").map(({ type, secret, status }) => [type, secret, status]);
  expect(events.toSorted()).toEqual([
    ["emailsReplied", "ok", 200],
    ["warmed", "ok", 500],
  ]);
  expect(project.sandbox.webhooks()).toEqual([]);
  for (const text of [out, ...Object.values(project.files())]) expect(text).not.toContain(SECRET);
});

test("the table of the guide is what the sandbox's events look like", async (context) => {
  needsTerminal(context);
  const project = await openProject();
  const listening = await listenOnTerminal(project, "--register");
  await trigger(project);
  const out = listening.out;
  await until(() => /emailsReplied[^]*\n/.test(out()) && /warmed[^]*\n/.test(out()), "both events are there");
  expect(await listening.stop()).toBe(0);
  const [table = ""] = /TIME.*\n(?:\d\d:.*\n)+/.exec(out()) ?? [];
  const [told = ""] = /TIME.*\n(?:\d\d:.*\n)+/.exec(read("docs/guides/listen.md")) ?? [];
  const steady = (text: string): readonly string[] =>
    text
      .replaceAll(/^\d\d:\d\d:\d\d/gm, "00:00:00")
      .split("\n")
      .toSorted();
  expect(steady(table)).toEqual(steady(told));
});
