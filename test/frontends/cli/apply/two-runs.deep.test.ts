import { rmSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { startHttpStateServer } from "../../../core/state/http/http-state-server.ts";
import { type Project, until, useProjects } from "../project.ts";
import { REMOTE_BACKENDS, type RemoteBackend } from "../../../core/state/remote-places.ts";
import { useRemoteStates } from "../state/remote-states.ts";

const openProject = useProjects();
const openState = useRemoteStates();

const HOUR_MS = 3_600_000;
/** Longer than a request may be sent after it was announced. */
const LATER_MS = 11_000;
/** What one window announces. */
const WINDOW = 20;
const ALL = WINDOW + 4;
const APPLY = "apply --auto-approve --lock=false";

const url = (index: number): string => `https://crm.example.com/${String(index)}`;
function configuration(count: number): string {
  return `version: 1\nwebhooks:\n${Array.from({ length: count }, (_, index) => `  w${String(index)}: { target_url: "${url(index)}" }\n`).join("")}`;
}

const posts = ({ sandbox }: Project): number => sandbox.requests().filter(({ method }) => method === "POST").length;
const live = ({ sandbox }: Project): readonly string[] => sandbox.webhooks().map(({ targetUrl }) => targetUrl);

async function openRemote(backend: RemoteBackend): Promise<Project> {
  const state = await openState(backend);
  const project = await openProject({ realTime: "two runs at once must not share the clock's jumps" });
  Object.assign(project.environment, state.environment, { OUTREACH_STATE: state.url, OUTREACH_TIMEOUT: "60s" });
  return project;
}

describe.each(REMOTE_BACKENDS)("with a state on %s and without the lock,", (backend) => {
  test("a run sends nothing when another one has stored a state since it read", async () => {
    const project = await openRemote(backend);
    project.write("outreach.yaml", configuration(2));
    project.sandbox.addFault({ action: { kind: "late", delayMs: HOUR_MS }, when: "after", method: "GET" });
    const loser = project.start(APPLY);
    await until(() => project.sandbox.requests().some(({ processed }) => processed), "the loser reads the list");
    expect(await project.run(APPLY)).toMatchObject({ code: 0 });
    project.clock.pass(HOUR_MS);
    const { code, err } = await loser.ended;
    expect([code, err, posts(project)]).toEqual([1, expect.stringContaining("Another run changed the state"), 2]);
    expect(Object.keys(project.files())).toEqual(["outreach.yaml"]);
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
  });

  test("a run stops sending when another one changes the state, keeps what it has done, and the next run finds all of it", async () => {
    const project = await openRemote(backend);
    project.write("outreach.yaml", configuration(1));
    expect(await project.run(APPLY)).toMatchObject({ code: 0 });
    project.write("outreach.yaml", configuration(ALL));
    project.sandbox.addFault({ action: { kind: "late", delayMs: HOUR_MS }, when: "before", method: "POST", times: 4 });
    const loser = project.start(APPLY);
    await until(() => posts(project) === 5, "four creates are sent");
    expect(await project.run("state mv --lock=false outreach_webhook.w0 outreach_webhook.first")).toMatchObject({
      code: 0,
    });
    project.clock.pass(HOUR_MS);
    const { code, err } = await loser.ended;
    expect([code, err]).toEqual([1, expect.stringContaining("Another run changed the state")]);
    expect(err).toContain("errored.outreach.state.json");
    expect(posts(project)).toBeLessThanOrEqual(WINDOW);
    const pushed = await project.run("state push errored.outreach.state.json");
    expect([pushed.code, pushed.err]).toEqual([3, expect.stringContaining("The outcome of a write is undecided")]);
    rmSync(path.join(project.folder, "errored.outreach.state.json"));
    project.clock.pass(LATER_MS);
    expect(await project.run("state mv outreach_webhook.first outreach_webhook.w0")).toMatchObject({ code: 0 });
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
    expect(live(project).toSorted()).toEqual(Array.from({ length: ALL }, (_, index) => url(index)).toSorted());
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
  });
});

test("a server that compares nothing lets one run overwrite another without the lock: both are warned before, and a plan names what is not managed", async () => {
  const server = await startHttpStateServer("plain");
  try {
    const project = await openProject({ realTime: "two runs at once must not share the clock's jumps" });
    const { TF_HTTP_ADDRESS: address, ...others } = server.environment();
    Object.assign(project.environment, others, { OUTREACH_STATE: address });
    project.write("outreach.yaml", configuration(1));
    let go: () => void = () => undefined;
    const other = new Promise<void>((resolve) => (go = resolve));
    let isHeld = false;
    server.onRequest = ({ target }) => {
      if (target !== "write" || isHeld) return undefined;
      isHeld = true;
      return other;
    };
    const first = project.start(APPLY);
    await until(() => isHeld, "the first run writes");
    const second = await project.run(APPLY);
    go();
    for (const { code, err } of [second, await first.ended]) {
      expect(code).toBe(0);
      expect(err.replaceAll(/\s+/g, " ")).toContain("can overwrite what another run has stored");
    }
    const [one, two] = project.sandbox.webhooks().map(({ _id }) => _id);
    const { instances } = JSON.parse(server.state()?.toString() ?? "") as {
      readonly instances: readonly { readonly id: string }[];
    };
    expect(instances.map(({ id }) => id)).toEqual([two]);
    expect((await project.run("plan")).err).toContain(one);
    expect((await project.run("plan --lock=false")).err).not.toContain("can overwrite");
  } finally {
    await server.close();
  }
});
