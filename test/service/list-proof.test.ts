import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { redactor } from "../../src/core/secrets/redactor.ts";
import { readClient } from "../../src/service/api/client.ts";
import { answer, inSequence, startFaultServer } from "./fault-server.ts";

const NEVER = new AbortController().signal;
const SECRET = "hook-secret-77";

let server: Awaited<ReturnType<typeof startFaultServer>>;
beforeAll(async () => {
  server = await startFaultServer();
});
afterAll(() => server.close());

const webhooks = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    _id: `hoo_${String(index)}`,
    targetUrl: "https://crm.example.com/h",
  }));
const asked = (): readonly (string | null)[] => server.received().map(({ url }) => url.searchParams.get("offset"));

describe("a list that must be proven whole", () => {
  const proven = () => readClient(server.caller()).listWebhooks(new Set(), NEVER, { confirm: true });

  test.each([
    ["is whole where nothing follows", 10, 0, true, [null, "10"]],
    ["is not proven whole where the service ignores paging", 7, 7, false, [null, "7"]],
    [
      "is not proven whole where the service ignores paging at a round number either",
      10,
      10,
      false,
      [null, "10", null, null],
    ],
  ])("%s", async (_, first, second, complete, offsets) => {
    server.behave(inSequence(answer(200, webhooks(first)), answer(200, webhooks(second))));
    const listing = await proven();
    expect([listing.webhooks.length, listing.complete, asked()]).toEqual([first, complete, offsets]);
  });

  test("is read once where nobody asks for proof", async () => {
    server.behave(answer(200, webhooks(7)));
    expect(await readClient(server.caller()).listWebhooks(new Set(), NEVER)).toMatchObject({
      complete: false,
      isAsked: false,
    });
    expect(asked()).toEqual([null]);
  });
});

test("a field in which the service echoes a secret, in any encoding, counts as unobserved", async () => {
  const masks = redactor();
  masks.add(SECRET);
  const echoes = [SECRET, Buffer.from(SECRET).toString("base64"), encodeURIComponent(`a ${SECRET}`)];
  server.behave(
    answer(200, [
      { ...webhooks(1)[0], type: "emailsSent", campaignId: "cam_1", createdAt: SECRET },
      ...echoes.map((text, index) => ({
        _id: `hoo_x${String(index)}`,
        targetUrl: "https://crm.example.com/h",
        type: text,
        campaignId: `cam_${text}`,
      })),
    ]),
  );
  const { webhooks: listed } = await readClient(server.caller({ redactor: masks })).listWebhooks(new Set(), NEVER);
  expect(listed[0]).toEqual({
    _id: "hoo_0",
    targetUrl: "https://crm.example.com/h",
    type: "emailsSent",
    campaignId: "cam_1",
  });
  for (const one of listed.slice(1)) expect(Object.keys(one)).toEqual(["_id", "targetUrl"]);
});
