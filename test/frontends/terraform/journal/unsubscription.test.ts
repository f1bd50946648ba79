import { describe, expect, it } from "vitest";
import { resourceOf } from "../../../../src/core/model/definition.ts";
import { UNKNOWN, type Value } from "../../../../src/core/model/value.ts";
import { decodeValue, encodeValue } from "../../../../src/frontends/terraform/wire/terraform-values.ts";
import { catalog } from "../../../../src/service/resources/catalog.ts";
import { NO_BYTES, type ProviderUnderTest, said } from "../provider-under-test.ts";
import { dying, journalStory } from "./story.ts";

const story = journalStory();
const TYPE = "outreach_lead_unsubscription";
const { schema } = resourceOf(catalog, TYPE);
const UNCONFIRMED = "warning: The outcome of a write is unconfirmed";

type Object = { readonly [name: string]: Value };

const LEAD: Object = { campaign_id: "cam_000001", email: "ada@example.com", on_not_found: "error" };

async function create(provider: ProviderUnderTest, wanted: Object) {
  const computed = { id: UNKNOWN, contact_id: UNKNOWN, is_paused: UNKNOWN, outcome: UNKNOWN };
  const answer = await provider.rpc.applyResourceChange({
    typeName: TYPE,
    priorState: encodeValue(null, schema),
    plannedState: encodeValue({ ...wanted, ...computed }, schema),
    config: encodeValue(wanted, schema),
    plannedPrivate: NO_BYTES,
  });
  return {
    state: decodeValue(answer.newState, schema),
    private: answer.private,
    said: said(answer.diagnostics),
    diagnostics: answer.diagnostics,
  };
}

async function remove(provider: ProviderUnderTest, kept: Awaited<ReturnType<typeof create>>): Promise<void> {
  await provider.rpc.applyResourceChange({
    typeName: TYPE,
    priorState: encodeValue(kept.state, schema),
    plannedState: encodeValue(null, schema),
    config: encodeValue(null, schema),
    plannedPrivate: kept.private,
  });
}

function deletes(): number {
  return story.sandbox.requests().filter(({ method }) => method === "DELETE").length;
}

describe("an unsubscription", () => {
  it.each(["watch", "accept", "error"])(
    "whose retry finds no such lead after a lost answer is unconfirmed, with on_not_found %s",
    async (setting) => {
      story.sandbox.addFault({ method: "DELETE", action: { kind: "drop" }, when: "after" });
      story.sandbox.addFault({
        method: "DELETE",
        action: { kind: "answer", status: 404, body: "Lead not found" },
        skip: 1,
        times: null,
      });
      const provider = await story.start();
      const wanted = { ...LEAD, on_not_found: setting };
      const created = await create(provider, wanted);
      expect([created.said, created.state?.["outcome"], deletes()]).toEqual([[UNCONFIRMED], "unconfirmed", 2]);
      expect(created.diagnostics[0]?.detail).toContain("404 Lead not found");
      await remove(provider, created);
      const replaced = await create(provider, wanted);
      expect([replaced.said, replaced.state?.["outcome"], deletes()]).toEqual([[UNCONFIRMED], "unconfirmed", 3]);
    },
  );

  it("whose answers are all lost is recorded as unconfirmed, not tainted, after two retries", async () => {
    story.sandbox.addFault({ method: "DELETE", action: { kind: "drop" }, times: null });
    const provider = await story.start();
    const created = await create(provider, LEAD);
    expect([created.said, created.state?.["outcome"], deletes()]).toEqual([[UNCONFIRMED], "unconfirmed", 3]);
    expect(created.diagnostics[0]?.detail).toContain("terraform apply -replace=");
  });

  it("that a process has sent before it died is recorded as unconfirmed by the next, and not sent again", async () => {
    const first = await story.start();
    story.sandbox.addFault({ method: "DELETE", action: { kind: "drop" }, when: "after", where: dying(first) });
    create(first, LEAD).catch(() => undefined);
    while (deletes() === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const next = await story.start();
    expect(next.greeting).toEqual(["warning: The outcome of an earlier write is not known yet"]);
    expect(JSON.stringify(next.greetings)).not.toContain(String(LEAD["email"]));
    const created = await create(next, LEAD);
    expect([created.said, created.state?.["outcome"], deletes()]).toEqual([[UNCONFIRMED], "unconfirmed", 1]);
    await remove(next, created);
    expect((await create(next, LEAD)).state?.["outcome"]).not.toBe("unconfirmed");
    expect(deletes()).toBe(2);
  });

  it("that was carried out and never recorded is returned, and not sent again", async () => {
    const first = await story.start();
    const before = await create(first, LEAD);
    expect(before.said).toEqual([]);
    await first.kill();
    const created = await create(await story.start(), LEAD);
    expect(created.said).toEqual(["warning: An earlier run already carried out this lead unsubscription"]);
    expect([created.state, deletes()]).toEqual([before.state, 1]);
  });

  it("is over for the journal once Terraform has shown that it has it", async () => {
    const first = await story.start();
    const { state, private: bytes } = await create(first, LEAD);
    await first.kill();
    const next = await story.start();
    await next.rpc.readResource({
      typeName: TYPE,
      currentState: encodeValue(state, schema),
      private: bytes,
      clientCapabilities: undefined,
    });
    await next.shutdown();
    expect(story.creates()).toEqual([]);
  });
});
