import { expect, onTestFinished, test } from "vitest";
import { startReceiver } from "../events/listening.ts";
import { useFleets } from "./fleet-project.ts";

const openFleet = useFleets();
const webhooks = (...names: readonly string[]): string =>
  names.map((name) => `  ${name}: { target_url: "https://crm.example.com/${name}" }\n`).join("");

interface Sent {
  readonly event: string;
  readonly team: string;
  readonly summary: string;
  readonly lines: readonly string[];
}

async function receiving(status: () => number = () => 200) {
  const receiver = await startReceiver(() => status());
  onTestFinished(receiver.close);
  return {
    notify: (rest = ""): string => `notify:\n  ops: { url: "${receiver.url}/\${team.name}"${rest} }\n`,
    taken: (): readonly Sent[] => receiver.requests.splice(0).map(({ body }) => JSON.parse(body) as Sent),
    paths: (): readonly string[] => receiver.requests.map(({ path }) => path),
  };
}

test("a plan that waits is told of once, again after the reminder, and when it changes", async () => {
  const receiver = await receiving();
  const fleet = await openFleet();
  await fleet.declare(webhooks("one"), receiver.notify(", remind: 1h"));
  for (let run = 0; run < 3; run++)
    expect(await fleet.reconcile("none")).toMatchObject({ outcome: "waiting", messages: [] });
  expect(receiver.paths()).toEqual(["/emea"]);
  expect(receiver.taken()).toMatchObject([
    {
      event: "approval",
      team: "emea",
      summary: "A plan waits for approval. Plan: 1 to add, 0 to change, 0 to destroy.",
    },
  ]);
  fleet.project.clock.pass(61 * 60_000);
  await fleet.reconcile("none");
  expect(receiver.taken()).toHaveLength(1);
  await fleet.declare(webhooks("one", "two"), receiver.notify(", remind: 1h"));
  await fleet.reconcile("none");
  await fleet.reconcile("none");
  expect(receiver.taken()).toMatchObject([
    { summary: "A plan waits for approval. Plan: 2 to add, 0 to change, 0 to destroy." },
  ]);
});

test("the notice of a plan that waits names what it deletes although nothing manages it", async () => {
  const receiver = await receiving();
  const fleet = await openFleet();
  fleet.project.sandbox.add("webhooks", { _id: "hoo_old", targetUrl: "https://old.example.com/" });
  await fleet.declare(webhooks("one"), `${receiver.notify()}removals: [{ id: hoo_old, reason: nobody reads it }]\n`);
  await fleet.reconcile("none");
  expect(receiver.taken()).toMatchObject([
    {
      event: "approval",
      lines: [
        "A person must approve removals. The plan deletes 1 webhook that nothing manages, as removals says: hoo_old.",
      ],
    },
  ]);
});

test("a failure is told of once while it lasts, and again when it comes back; drift when it is repaired", async () => {
  const receiver = await receiving();
  const fleet = await openFleet();
  const { sandbox } = fleet.project;
  await fleet.declare(webhooks("one"), receiver.notify());
  expect(await fleet.reconcile("safe")).toMatchObject({ outcome: "applied" });
  expect(receiver.taken()).toEqual([]);
  const fail = async (): Promise<void> => {
    const id = sandbox.addFault({
      action: { kind: "answer", status: 401, body: "The authentication you supplied is incorrect" },
      when: "before",
      times: null,
    });
    for (let run = 0; run < 2; run++) expect(await fleet.reconcile("safe")).toMatchObject({ outcome: "failed" });
    sandbox.removeFault(id);
  };
  await fail();
  expect(receiver.taken()).toMatchObject([{ event: "failed" }]);
  expect(await fleet.reconcile("safe")).toMatchObject({ outcome: "unchanged" });
  await fail();
  expect(receiver.taken()).toMatchObject([{ event: "failed" }]);
  for (const { _id } of sandbox.webhooks()) sandbox.remove("webhooks", _id);
  expect(await fleet.reconcile("all")).toMatchObject({ drifted: 1 });
  expect(receiver.taken()).toMatchObject([{ event: "drift", lines: ["outreach_webhook.one: missing"] }]);
});

test("a notice that cannot be sent is a warning of the run, and is sent by the next one", async () => {
  let status = 500;
  const receiver = await receiving(() => status);
  const fleet = await openFleet();
  await fleet.declare(webhooks("one"), receiver.notify());
  expect(await fleet.reconcile("none")).toMatchObject({
    outcome: "waiting",
    messages: [{ severity: "warning", code: "notification_failed", detail: "notify.ops: its receiver answered 500." }],
  });
  status = 200;
  expect(await fleet.reconcile("none")).toMatchObject({ outcome: "waiting", messages: [] });
  expect(await fleet.reconcile("none")).toMatchObject({ outcome: "waiting", messages: [] });
  expect(receiver.taken()).toHaveLength(2);
});
