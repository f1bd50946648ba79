import { type AddressInfo, createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { useRemoteStates } from "../frontends/cli/state/remote-states.ts";
import {
  C,
  type Canaries,
  SECRETS,
  echo,
  echoServer,
  foundBeyond,
  succeeds,
  useCanaries,
  watched,
} from "./canary-project.ts";
import { leaks } from "./spellings.ts";

const openCanaries = useCanaries();
const LOCK = {
  id: "11111111-2222",
  operation: "apply",
  who: "w",
  host: "elsewhere",
  bootId: "b",
  pidNamespace: null,
  pid: 1,
  startedAt: "1",
  since: "2026-01-01T00:00:00.000Z",
};

async function fails(project: Canaries, ...lines: readonly string[]): Promise<void> {
  for (const line of lines) expect((await watched(project, line)).code, line).toBe(1);
}

const [NO_TLS, ASKS_FOR_PASSWORD] = [Buffer.from("N"), Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3])];
const PASSWORD = 0x70;

/** A server of PostgreSQL that refuses a client with the password that it has sent. */
async function echoPostgres(): Promise<{ readonly port: number; readonly echoed: () => number }> {
  let echoed = 0;
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (sent: Buffer) => {
      if (sent[0] !== PASSWORD) return void socket.write(sent.length === 8 ? NO_TLS : ASKS_FOR_PASSWORD);
      echoed++;
      const fields = Buffer.from(`SFATAL\0C28P01\0M${echo(sent.subarray(5, -1).toString())}\0\0`);
      const length = Buffer.alloc(4);
      length.writeInt32BE(fields.length + 4);
      socket.end(Buffer.concat([Buffer.from("E"), length, fields]));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, echoed: () => echoed };
}

describe("no secret and no masked email is printed or left by", () => {
  test.each(["--adopt ID", "--retry", "--forget"])(
    "resolve %s, after a create whose outcome no list decides",
    async (way) => {
      const project = await openCanaries();
      // The list shows the oldest ten: it hides the create whose answer is lost.
      project.sandbox.configure({ profile: { cap: 10, offset: false } });
      for (let index = 0; index < 11; index++)
        project.sandbox.add("webhooks", { targetUrl: `https://other.example/${String(index)}` });
      project.sandbox.addFault({
        action: { kind: "drop" },
        when: "after",
        method: "POST",
        where: ({ body }) => (body as { targetUrl: string }).targetUrl === C,
      });
      expect(await watched(project, "apply --auto-approve")).toMatchObject({ code: 3 });
      const id = project.sandbox.webhooks().find(({ targetUrl }) => targetUrl === C)?._id ?? "";
      project.sandbox.configure({ profile: { cap: null } });
      await succeeds(project, `resolve outreach_webhook.c ${way.replace("ID", id)}`);
      expect([...project.found]).toEqual([]);
    },
  );

  test("resolve, after an unsubscription whose outcome is open", async () => {
    const project = await openCanaries();
    project.sandbox.addFault({ action: { kind: "drop" }, times: null, method: "DELETE" });
    const { code, err } = await watched(project, "apply --auto-approve");
    expect(code).toBe(3);
    project.sandbox.clearFaults();
    const [, line = ""] = /outreach (resolve '?outreach_lead_unsubscription.* --retry)/.exec(err) ?? [];
    expect(line).toContain("***");
    expect(await watched(project, line)).toMatchObject({
      code: 3,
      err: expect.stringContaining("404 Lead not found") as string,
    });
    await succeeds(project, line.replace("--retry", "--forget"));
    expect([...project.found]).toEqual([]);
  });

  test("force-unlock", async () => {
    const project = await openCanaries();
    project.write("outreach.state.json.lock", `${JSON.stringify(LOCK)}\n`);
    await succeeds(project, `force-unlock --force ${LOCK.id}`);
    expect([...project.found]).toEqual([]);
  });

  test("listen replay", async () => {
    const project = await openCanaries();
    for (const [status, code] of [
      [200, 0],
      [500, 1],
    ] as const) {
      const to = await echoServer(status);
      expect(await watched(project, `listen replay event.json --to ${to}/hooks --secret env:ENV_SECRET`)).toMatchObject(
        { code },
      );
    }
    const password = { name: "the password of a state", value: "state/canary+7=" };
    project.more.push(password);
    const OUTREACH_STATE = `postgres://ada:${encodeURIComponent(password.value)}@127.0.0.1/states`;
    Object.assign(project.environment, {
      OUTREACH_STATE,
      PGPASSWORD: password.value,
      TF_HTTP_PASSWORD: password.value,
      PG_CONN_STR: OUTREACH_STATE,
    });
    // No configuration names it here.
    project.environment["ENV_SECRET"] = undefined;
    await succeeds(
      project,
      `listen replay event.json --to ${await echoServer(200)}/hooks --secret 'command:sh secrets/print'`,
    );
    expect(project.read("seen-environment")).toContain("PATH=");
    expect([...project.found]).toEqual([]);
  });
});

describe("at the highest log level, with a state on a server", () => {
  const openRemote = useRemoteStates();
  const LINES = [
    "plan",
    "apply --auto-approve",
    "refresh",
    "state lock",
    "state list",
    "state pull --show-emails",
    "state rm outreach_webhook.c",
    "drift",
    "destroy --auto-approve",
  ];

  test.each(["s3", "pg"] as const)("of %s, no command prints, leaves or stores a secret", async (backend) => {
    const remote = await openRemote(backend);
    const password =
      backend === "pg"
        ? decodeURIComponent(new URL(remote.url).password)
        : (remote.environment["AWS_SECRET_ACCESS_KEY"] ?? "");
    expect(password.length).toBeGreaterThan(5);
    const environment = {
      ...remote.environment,
      OUTREACH_STATE: remote.url,
      PGPASSWORD: backend === "pg" ? password : "",
    };
    const project = await openCanaries({ realTime: "a connection does not wait by a clock that jumps", environment });
    project.more.push({ name: "the password of the state", value: password });
    await succeeds(project, ...LINES);
    expect(project.read("seen-environment")).toContain("PATH=");
    expect(leaks([...SECRETS, ...project.more], { stored: await remote.stored() })).toEqual([]);
    expect(
      foundBeyond(project, backend === "s3" ? /seen-environment has the password of the state/ : /^nothing$/),
    ).toEqual([]);
  });

  const FAILING = ["plan", "apply --auto-approve", "state lock", "state pull --show-emails", "force-unlock --force 1"];

  test.each([401, 403, 404, 409, 500])(
    "that answers %i with what it was sent, no command prints or leaves it",
    async (status) => {
      const url = await echoServer(status);
      const password = { name: "the password of the state", value: "state/canary+7 of=the?>state<&~" };
      const [http, s3] = [
        { OUTREACH_STATE: url, TF_HTTP_USERNAME: "ada", TF_HTTP_PASSWORD: password.value },
        {
          OUTREACH_STATE: "s3://states/crm.json",
          AWS_ENDPOINT_URL_S3: url,
          AWS_REGION: "eu-central-1",
          AWS_ACCESS_KEY_ID: "AKIAEXAMPLE",
          AWS_SECRET_ACCESS_KEY: password.value,
          AWS_SESSION_TOKEN: "session/canary+8=",
        },
      ];
      for (const environment of [http, s3]) {
        const project = await openCanaries({ environment });
        project.more.push(password, { name: "the session of the state", value: "session/canary+8=" });
        for (const line of FAILING) await watched(project, line);
        await fails(project, "apply --auto-approve");
        expect([...project.found]).toEqual([]);
      }
    },
  );

  test("of PostgreSQL that refuses a password by quoting it, no command prints or leaves it", async () => {
    const { port, echoed } = await echoPostgres();
    const password = { name: "the password of the state", value: "state/canary+7 of=the?>state<&~" };
    const OUTREACH_STATE = `postgres://ada:${encodeURIComponent(password.value)}@127.0.0.1:${String(port)}/states?sslmode=disable`;
    const project = await openCanaries({ environment: { OUTREACH_STATE } });
    project.more.push(password);
    await fails(project, ...FAILING);
    expect(echoed()).toBeGreaterThan(0);
    expect([...project.found]).toEqual([]);
  });
});
