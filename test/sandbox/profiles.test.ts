import { afterEach, describe, expect, test } from "vitest";
import { parseProfile, PROFILES } from "../../src/sandbox/profiles.ts";
import { parseSandboxSeed } from "../../src/sandbox/seed.ts";
import { startReceiver } from "./delivery/receiver.ts";
import { realClock, startUnderTest } from "./sandbox-under-test.ts";
import type { UnderTest } from "./sandbox-under-test.ts";

let service: UnderTest | undefined;
afterEach(() => service?.close());

async function published(): Promise<UnderTest> {
  service = await startUnderTest(PROFILES.published);
  return service;
}

type Listed = { readonly [name: string]: unknown };
const listOf = async ({ get }: UnderTest, query = ""): Promise<readonly Listed[]> =>
  (await get(`/hooks${query}`)).json as readonly Listed[];

const HOOK = { targetUrl: "https://crm.example.com/hook", type: "emailsReplied" };

describe("the published profile", () => {
  test.each([
    ["of another type", { ...HOOK, type: "emailsSent" }],
    ["of a campaign", { ...HOOK, campaignId: "cam_000001" }],
    ["for all events", { targetUrl: HOOK.targetUrl }],
    ["written differently", { ...HOOK, targetUrl: "HTTPS://CRM.example.com:443/x/../hook" }],
  ])("answers 409 to a second webhook on a URL, %s", async (_, second) => {
    const { addHook, sandbox } = await published();
    const before = sandbox.webhooks().length;
    expect((await addHook(HOOK)).status).toBe(200);
    const refused = await addHook(second);
    expect(refused).toMatchObject({ status: 409, text: "A webhook with this target URL already exists" });
    expect(refused.headers["content-type"]).toContain("text/plain");
    expect(sandbox.webhooks()).toHaveLength(before + 1);
  });

  test("accepts a URL with another query, another team's URL, and a URL that is free again", async () => {
    const { addHook, sandbox, send } = await published();
    const first = (await addHook(HOOK)).json as { readonly _id: string };
    expect((await addHook({ ...HOOK, targetUrl: `${HOOK.targetUrl}?event=emailsSent` })).status).toBe(200);
    expect((await addHook(HOOK, "", sandbox.keys.otherTeam)).status).toBe(200);
    await send({ method: "DELETE", path: `/hooks/${first._id}` });
    expect((await addHook(HOOK)).status).toBe(200);
  });

  test("refuses input before it compares URLs", async () => {
    const { addHook } = await published();
    await addHook(HOOK);
    expect((await addHook({ ...HOOK, type: "skipped" })).status).toBe(400);
    expect((await addHook(HOOK, "?campaignId=cam_999999")).status).toBe(404);
  });

  test("lists an array without parameters, with isFirst and a numeric automationId where set", async () => {
    const service = await published();
    await service.addHook(HOOK, "?isFirst=true&automationId=37709957");
    await service.addHook({ targetUrl: "https://crm.example.com/plain" });
    const list = await listOf(service);
    expect(list.slice(-2)).toEqual([
      { _id: "hoo_000001", ...HOOK, createdAt: expect.any(String) as string, isFirst: true, automationId: 37709957 },
      { _id: "hoo_000002", targetUrl: "https://crm.example.com/plain", createdAt: expect.any(String) as string },
    ]);
    for (const query of ["?offset=5", "?limit=1", "?page=2", "?page=0", "?offset=x"])
      expect(await listOf(service, query)).toEqual(list);
  });

  test("answers with the published statuses", async () => {
    const { get, send, sandbox } = await published();
    const unsubscribe = (campaign: string): ReturnType<typeof send> =>
      send({ method: "DELETE", path: `/campaigns/${campaign}/leads/nobody@example.com` });
    const statuses = {
      "delete of an unknown webhook": (await send({ method: "DELETE", path: "/hooks/hoo_9" })).status,
      "unknown lead": (await unsubscribe("cam_000001")).status,
      "another team's campaign": (await unsubscribe("cam_000101")).status,
      "no key": (await get("/campaigns", null)).status,
      "wrong key": (await get("/campaigns", sandbox.keys.wrong)).status,
      "blocked user": (await get("/campaigns", sandbox.keys.blocked)).status,
      "no user": (await get("/campaigns", sandbox.keys.withoutUser)).status,
    };
    expect(statuses).toEqual({
      "delete of an unknown webhook": 404,
      "unknown lead": 404,
      "another team's campaign": 400,
      "no key": 401,
      "wrong key": 401,
      "blocked user": 403,
      "no user": 404,
    });
  });

  test("has old webhooks of automation tools, each on its own URL; new ids count from 1", async () => {
    const service = await published();
    const list = await listOf(service);
    expect(new Set(list.map(({ targetUrl }) => targetUrl)).size).toBe(list.length);
    expect(list.some(({ createdAt }) => String(createdAt) > "2024")).toBe(false);
    const kinds = list.map(({ type, campaignId, automationId }) => JSON.stringify([type, campaignId, automationId]));
    expect(kinds.filter((kind) => kind === '["emailsReplied","cam_Fz4uWm8Ye1",37709957]')).toHaveLength(3);
    expect(
      list.filter(({ type, campaignId }) => type === undefined && campaignId === undefined).length,
    ).toBeGreaterThan(1);
    expect((await service.addHook(HOOK)).json).toMatchObject({ _id: "hoo_000001" });
  });

  test("shows the status of an export", async () => {
    const { get } = await published();
    const { _id } = (await get("/campaigns/cam_000001/export/start")).json as { readonly _id: string };
    expect((await get(`/campaigns/cam_000001/export/${_id}/status`)).json).toMatchObject({
      ok: true,
      status: { _id, status: "pending" },
    });
  });

  test("sends the step's id in events about a lead in a campaign", async () => {
    service = await startUnderTest({ ...PROFILES.published, clock: realClock });
    const receiver = await startReceiver();
    await service.addHook({ targetUrl: receiver.url });
    for (const request of [
      { type: "smsSent" },
      { type: "emailsReplied", thirdParty: true },
      { type: "campaignComplete" },
    ])
      expect(await service.control("POST", "/events", request)).toMatchObject({ status: 200 });
    await service.sandbox.whenIdle();
    const steps = receiver.received.flatMap(({ body }) => ("stepId" in body ? [[body["type"], body["stepId"]]] : []));
    const [campaign] = service.sandbox.records("campaigns");
    const stepId = String(campaign?.["sequenceId"]).replace("seq_", "stp_");
    expect(steps.toSorted()).toEqual([
      ["contacted", stepId],
      ["smsSent", stepId],
    ]);
  });

  test("can be recreated from its state", async () => {
    const { sandbox } = await published();
    const state = JSON.parse(JSON.stringify(sandbox.state())) as unknown;
    expect(parseSandboxSeed(state)).toEqual({ seed: state, errors: [] });
  });
});

describe("the text of --profile", () => {
  test.each([
    ["", PROFILES.documented],
    ["documented", PROFILES.documented],
    ["published", PROFILES.published],
    ["cap=25, published", { ...PROFILES.published, profile: { ...PROFILES.published.profile, cap: 25 } }],
    ["no-offset", { ...PROFILES.documented, profile: { ...PROFILES.documented.profile, offset: false } }],
  ])("%j", (text, profile) => {
    expect(parseProfile(text)).toEqual({ profile, errors: [] });
  });

  test("two kinds of service are an error, and one that is named twice is not", () => {
    expect(parseProfile("published,cap=25,documented").errors).toEqual(["choose one of documented and published"]);
    expect(parseProfile("published,published")).toEqual({ profile: PROFILES.published, errors: [] });
  });

  test("an unknown word is named, with the known ones", () => {
    expect(parseProfile("published,upside-down").errors).toEqual([
      expect.stringMatching(/^unknown profile word "upside-down"; known words: documented, published, cap=N, /),
    ]);
  });
});
