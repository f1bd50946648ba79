import { beforeEach, describe, expect, it } from "vitest";
import { URL_A, idOf, journalStory } from "./story.ts";

const story = journalStory();
beforeEach(() => story.sandbox.configure({ choices: { uniqueTargetUrl: true } }));
const SENT = { target_url: URL_A, type: "emailsSent" };
const REPLIED = { target_url: "HTTPS://A.example.com:443/hook", type: "emailsReplied" };
const REFUSED = "error: The service refused the request";
const TAKEN = "error at target_url: Another webhook has this target_url";
const SEVERAL = "error at target_url: Several webhooks with one target_url";
const RULE = "The service allows one webhook per target_url.";

const UNIQUE = { settings: { unique_target_url: true } };

describe("a create on a URL that another webhook has", () => {
  it("is an error that names it and the setting, and Terraform records nothing", async () => {
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
    expect(detail).toContain("set unique_target_url = true in the provider");
    expect(await provider.create({ ...REPLIED, type: "emailsBounced" })).toMatchObject({ said: [REFUSED] });
    expect(story.posts()).toBe(3);
  });

  it("is not sent where the setting says that the service allows one", async () => {
    const provider = await story.start(UNIQUE);
    await provider.create(SENT);
    expect(await provider.create(REPLIED)).toMatchObject({ state: null, said: [TAKEN] });
    expect(story.posts()).toBe(1);
  });

  it("that nobody manages is a warning of the plan with the setting, and an error of its apply, without a request that writes", async () => {
    const { _id: id } = story.sandbox.add("webhooks", { targetUrl: URL_A, type: "emailsOpened" });
    const provider = await story.start(UNIQUE);
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
    const provider = await story.start(UNIQUE);
    const { _id: id } = story.sandbox.add("webhooks", { targetUrl: URL_A, type: "emailsSent" });
    const kept = await provider.import(id);
    await provider.plan(kept, SENT);
    expect((await provider.plan(null, REPLIED)).said).toEqual([SEVERAL]);
    await provider.shutdown();
    const other = await story.start(UNIQUE);
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
    const provider = await story.start(UNIQUE);
    for (const id of story.live()) {
      const kept = await provider.import(id);
      const { target_url, type } = kept.state ?? {};
      expect((await provider.plan(kept, { target_url, type })).said).toEqual([]);
    }
  });
});
