import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { EVENT_TYPES } from "../../../src/service/events/event-catalog.ts";
import { exampleOf, thirdPartyExample } from "../../../src/service/events/example.ts";
import { fieldsOf, groupOf } from "../../../src/service/events/payload.ts";
import { type Receiver, startReceiver } from "../../sandbox/delivery/receiver.ts";
import { type UnderTest, realClock, startUnderTest } from "../../sandbox/sandbox-under-test.ts";
import { problemsOf } from "./event-validator.ts";

const TYPES = EVENT_TYPES.map(({ name }) => name);

let service: UnderTest;
let receiver: Receiver;
beforeEach(async () => {
  service = await startUnderTest({ clock: realClock });
  receiver = await startReceiver();
});
afterEach(() => service.close());

/** Records events through the control API, and returns what the receiver got for them. */
async function callbacksOf(
  ...requests: readonly { readonly type: string; readonly [option: string]: unknown }[]
): Promise<Receiver["received"]> {
  for (const request of requests)
    expect(await service.control("POST", "/events", request)).toMatchObject({ status: 200 });
  await service.sandbox.whenIdle();
  return receiver.received;
}

/** The differences of a callback to the document, and the fields that its type has not in our reading. */
function problemsIn(body: Receiver["received"][number]["body"]): readonly string[] {
  const type = TYPES.find((name) => name === body["type"]);
  const names = new Set(type ? fieldsOf(type).map(({ name }) => name) : []);
  return [
    ...problemsOf(body),
    ...Object.keys(body).flatMap((name) => (names.has(name) ? [] : [`/${name}: not a field of ${String(type)}`])),
  ];
}

describe("a callback of the sandbox follows the document's webhooks", () => {
  test("for each event type, with the secret of the webhook", async () => {
    expect(await service.addHook({ targetUrl: receiver.url, secret: "correct-horse" })).toMatchObject({ status: 200 });
    const received = await callbacksOf(...TYPES.map((type) => ({ type })));
    expect(received.map(({ body }) => body["type"]).toSorted()).toEqual(
      [...TYPES, ...TYPES.flatMap((type) => groupOf(type) ?? [])].toSorted(),
    );
    for (const { method, headers, body } of received) {
      expect([method, headers["content-type"], body["secret"]]).toEqual(["POST", "application/json", "correct-horse"]);
      expect(problemsIn(body), String(body["type"])).toEqual([]);
    }
    expect(new Set(received.map(({ body }) => body["_id"])).size).toBe(received.length);
  });

  test("with all recipients, in lower case; an empty list is absent", async () => {
    await service.addHook({ targetUrl: receiver.url, type: "emailsSent" });
    const received = await callbacksOf(
      { type: "emailsSent", campaignId: "cam_000002" },
      {
        type: "emailsSent",
        set: { to: "Ada <ADA@Example.com>, Charles@example.com", cc: "Alan@example.com", bcc: "Archive@example.com" },
      },
      { type: "emailsSent", set: { to: "" } },
    );
    expect(received.map(({ body }) => problemsIn(body))).toEqual([[], [], []]);
    expect(received.map(({ body }) => ["to", "cc", "bcc"].filter((name) => name in body))).toEqual([
      ["to", "bcc"],
      ["to", "cc", "bcc"],
      [],
    ]);
  });

  test("for a third party's reply", async () => {
    await service.addHook({ targetUrl: receiver.url, type: "emailsReplied" });
    const received = await callbacksOf({ type: "emailsReplied", thirdParty: true });
    expect(received).toMatchObject([{ body: { type: "emailsReplied", isThirdPartyReply: true } }]);
    expect(received.map(({ body }) => problemsIn(body))).toEqual([[]]);
  });

  test("for an unsubscription through the API", async () => {
    await service.addHook({ targetUrl: receiver.url });
    expect(
      await service.send({ method: "DELETE", path: "/campaigns/cam_000001/leads/ada%40example.com" }),
    ).toMatchObject({ status: 200 });
    await service.sandbox.whenIdle();
    expect(receiver.received).toMatchObject([{ body: { type: "emailsUnsubscribed", leadEmail: "ada@example.com" } }]);
    expect(receiver.received.map(({ body }) => problemsIn(body))).toEqual([[]]);
  });
});

describe("the document's webhooks", () => {
  test("hold the example of each event type", () => {
    for (const type of TYPES) expect(problemsOf(exampleOf(type)), type).toEqual([]);
    expect(problemsOf(thirdPartyExample())).toEqual([]);
  });

  const sent = exampleOf("emailsSent");
  test.each<readonly [what: string, body: unknown, problem: string]>([
    [
      "an address in upper case",
      { ...sent, cc: [{ address: "Ada@example.com", name: "" }] },
      "/cc/0/address: must match pattern",
    ],
    ["an empty list of recipients", { ...sent, cc: [] }, "/cc: must NOT have fewer than 1 items"],
    ["hidden recipients of a reply", { ...exampleOf("emailsReplied"), bcc: sent["bcc"] }, "/bcc: must be null"],
    ["a subject of a text message", { ...exampleOf("smsSent"), subject: "Hello" }, "/subject: must be null"],
    [
      "a third party's reply with a campaign",
      { ...thirdPartyExample(), campaignId: "cam_000001" },
      "/campaignId: must be null",
    ],
    [
      "a field that the document does not show",
      { ...sent, text: "Hello" },
      'must NOT have additional properties {"additionalProperty":"text"}',
    ],
    ["a body without an id", { ...sent, _id: undefined }, "must have required property '_id'"],
    ["a removed type", { ...sent, type: "skipped" }, '/type: the document has no webhook "skipped"'],
    ["a body without a type", {}, "/type: the document has no webhook"],
    ["a list", [sent], "the body is no JSON object"],
  ])("do not hold %s", (_, body, problem) => {
    expect(problemsOf(body)).toEqual(expect.arrayContaining([expect.stringContaining(problem) as unknown]));
  });
});
