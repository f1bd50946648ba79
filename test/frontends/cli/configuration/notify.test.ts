import { describe, expect, onTestFinished, test } from "vitest";
import { startReceiver } from "../listen/listening.ts";
import { useProjects } from "../project.ts";

const openProject = useProjects();

test("the command sends nothing: the section is for the controller of a fleet", async () => {
  const receiver = await startReceiver(() => 200);
  onTestFinished(receiver.close);
  const project = await openProject();
  project.write(
    "outreach.yaml",
    `version: 1\nwebhooks: { crm: { target_url: https://crm.example.com } }\nnotify: { a: { url: "${receiver.url}" }, b: { command: [touch, ran] } }\n`,
  );
  expect(await project.run("apply --auto-approve --allow-local-state", { CI: "true" })).toMatchObject({ code: 0 });
  for (const { _id } of project.sandbox.webhooks()) project.sandbox.remove("webhooks", _id);
  expect(await project.run("drift", { CI: "true" })).toMatchObject({ code: 2, err: "" });
  expect(await project.run("apply --auto-approve", { CI: "true", OUTREACH_API_KEY: "wrong" })).toMatchObject({
    code: 1,
  });
  expect([receiver.requests, Object.keys(project.files()).filter((file) => file.endsWith("ran"))]).toEqual([[], []]);
});

test.each([
  ["neither url nor command", "a: { format: slack }", "url or command is required in notify.a"],
  ["both", "a: { url: https://a.example, command: [b] }", "notify.a has both url and command"],
  ["an unknown event", "a: { url: https://a.example, on: [deploy] }", "drift, failed, undecided, approval"],
  ["an unknown format", "a: { url: https://a.example, format: discord }", "json, slack"],
  ["a remind that is no duration", "a: { url: https://a.example, remind: daily }", "remind"],
  ["an unknown key", "a: { url: https://a.example, channel: ops }", "channel"],
  [
    "two sources of its url",
    "a: { url: { env: HOOK, file: hook.txt } }",
    "notify.a.url must have exactly one of env, file and command.",
  ],
])("a configuration with %s is refused", async (_, target, said) => {
  const project = await openProject();
  project.write("outreach.yaml", `version: 1\nnotify:\n  ${target}\n`);
  const { code, out, err } = await project.run("validate");
  expect({ code, text: out + err }).toEqual({ code: 1, text: expect.stringContaining(said) as string });
});

describe("validate and plan find the mistakes of a target, and show no URL", () => {
  test.each([
    ["a variable that is not declared", "url: https://h.example/t0ken/${var.nope}", "5:"],
    ["another scheme", "url: htp://h.example/t0ken", "notify.a: its url does not use https."],
    ["no URL", "url: not a url t0ken", "notify.a: its url is not a URL."],
    ["plain http", "url: http://h.example/t0ken", "notify.a: plain http only reaches this machine: use https."],
    ["a password", "url: https://u:t0ken@h.example/", "notify.a: its url has a password in it."],
    ["a variable that makes no URL", "url: ${var.set}", "notify.a: its url is not a URL."],
    ["a word of a command", 'command: [notify-send, "${var.nope}"]', "5:"],
  ])("%s", async (_, target, said) => {
    const project = await openProject();
    project.write(
      "outreach.yaml",
      `version: 1\nvariables: { set: { default: t0ken } }\nnotify:\n  a:\n    ${target}\n`,
    );
    for (const command of ["validate", "plan"]) {
      const { code, out, err } = await project.run(command);
      const text = out + err;
      expect({ code, text }).toEqual({ code: 1, text: expect.stringContaining(said) as string });
      expect(text).toMatch(/outreach\.yaml:5:\d+/);
      expect(text).not.toContain("t0ken");
    }
  });

  test.each([
    "url: { env: NOT_SET }",
    "url: https://u:${var.secret}@h.example",
    "url: ${var.secret}",
    "url: http://127.0.0.1:1/a",
    'command: ["${var.secret}"]',
  ])("but not in %s", async (target) => {
    const project = await openProject();
    project.write(
      "outreach.yaml",
      `version: 1\nvariables: { secret: { sensitive: true } }\nnotify:\n  a:\n    ${target}\n`,
    );
    expect(await project.run("validate")).toMatchObject({ code: 0 });
  });
});
