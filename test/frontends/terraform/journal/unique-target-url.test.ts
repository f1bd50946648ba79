import { beforeEach, describe, expect, it } from "vitest";
import type { ProviderUnderTest } from "../provider-under-test.ts";
import { URL_A, idOf, journalStory } from "./story.ts";

const story = journalStory();
beforeEach(() => story.sandbox.configure({ choices: { uniqueTargetUrl: true } }));
const SENT = { target_url: URL_A, type: "emailsSent" };
const REPLIED = { target_url: "HTTPS://A.example.com:443/hook", type: "emailsReplied" };
const REFUSED = "error: The service refused the request";
const TAKEN = "error at target_url: Another webhook has this target_url";
const SEVERAL = "error at target_url: Several webhooks with one target_url";
const RULE = "The service allows one webhook per target_url.";

const isRemembered = (): boolean =>
  story.ledger().services.some(({ lists }) => Object.values(lists).some(({ exclusive }) => exclusive));

/** A process after one in which the service has rejected a second webhook with the URL. */
async function next(): Promise<ProviderUnderTest> {
  const first = await story.start();
  await first.create(SENT);
  await first.create(REPLIED);
  await first.shutdown();
  story.sandbox.clearRequests();
  return story.start();
}

describe("a create on a URL that another webhook has", () => {
  it("is an error that names it, Terraform records nothing, and the next one is not even sent", async () => {
    const provider = await story.start();
    const made = await provider.create(SENT);
    const refused = await provider.create(REPLIED);
    expect([refused.state, refused.said]).toEqual([null, [REFUSED]]);
    const detail = refused.diagnostics[0]?.detail ?? "";
    expect(detail).toContain("POST /hooks: 409 A webhook with this target URL already exists.");
    expect(detail).toContain(
      `${idOf(made)} (type = "emailsSent") has this target_url, and this configuration manages it. ${RULE}`,
    );
    expect(detail).toContain("remove create_before_destroy from its lifecycle");
    expect(detail).toContain("?event=");
    expect(story.posts()).toBe(2);
    expect(await provider.create({ ...REPLIED, type: "emailsBounced" })).toMatchObject({ state: null, said: [TAKEN] });
    expect([story.posts(), isRemembered()]).toEqual([2, true]);
  });

  it("that nobody manages is a warning of the next process's plan, and an error of its apply, without a request that writes", async () => {
    const { _id: id } = story.sandbox.add("webhooks", { targetUrl: URL_A, type: "emailsOpened" });
    const provider = await next();
    const planned = await provider.plan(null, SENT);
    expect(planned.said).toEqual(["warning at target_url: Another webhook has this target_url"]);
    expect(planned.diagnostics[0]?.detail).toContain(
      `${id} (type = "emailsOpened") has this target_url, and it is not known to be managed`,
    );
    const refused = await provider.create(SENT);
    expect([refused.state, refused.said, story.posts()]).toEqual([null, [TAKEN], 0]);
    expect(refused.diagnostics[0]?.detail).toContain(`If nobody needs ${id}, delete it in the service.`);
    story.sandbox.remove("webhooks", id);
  });

  it("is refused by the plan where the same plan creates another one, or keeps one", async () => {
    const provider = await next();
    const kept = await provider.import(story.live()[0] ?? "");
    await provider.plan(kept, SENT);
    expect((await provider.plan(null, REPLIED)).said).toEqual([SEVERAL]);
    await provider.shutdown();
    const other = await story.start();
    expect((await other.plan(null, { ...SENT, target_url: "https://b.example.com/" })).said).toEqual([]);
    expect((await other.plan(null, { ...REPLIED, target_url: "https://b.example.com/" })).said).toEqual([SEVERAL]);
  });

  it("is no problem of webhooks that stay", async () => {
    story.sandbox.configure({ choices: { uniqueTargetUrl: false } });
    const first = await story.start();
    await first.create(SENT);
    await first.create(REPLIED);
    await first.shutdown();
    story.sandbox.configure({ choices: { uniqueTargetUrl: true } });
    const provider = await next();
    for (const id of story.live()) {
      const kept = await provider.import(id);
      const { target_url, type } = kept.state ?? {};
      expect((await provider.plan(kept, { target_url, type })).said).toEqual([]);
    }
  });
});
