import { describe, expect, test } from "vitest";
import { usePulumi } from "./pulumi-bridge.ts";
import { unsubscriptionCalls } from "./rpc/unsubscription-calls.ts";

const URL = "https://crm.example.com/hooks";
const ONE = { target_url: URL, secret: "one" };
const TWO = { target_url: URL, secret: "two" };

const { sandbox, operation } = usePulumi();

const created = (inputs = ONE) => operation((bridge) => bridge.create(inputs));
const ids = (): readonly string[] =>
  sandbox()
    .webhooks()
    .map(({ _id }) => _id);

describe("up --refresh with a new secret", () => {
  test("previews the replacement", async () => {
    const kept = await created();
    const planned = await operation(async (bridge) => {
      const read = await bridge.refresh(kept, ONE);
      return [await bridge.diff(read, TWO), await bridge.previewCreate(TWO)];
    });
    expect(planned.map(({ said }) => said)).toEqual([[], []]);
    expect(planned[0]?.replaces).toEqual(["secret"]);
  });

  test("creates the new webhook, and then deletes the old one", async () => {
    const kept = await created();
    const [made, deleted] = await operation(async (bridge) => {
      const read = await bridge.refresh(kept, ONE);
      await bridge.diff(read, TWO);
      return [await bridge.create(TWO), await bridge.delete(read)];
    });
    expect([made.said, deleted.said]).toEqual([[], []]);
    expect(ids()).toEqual([made.state?.["id"]]);
  });

  test("with deleteBeforeReplace, creates the new webhook after the delete", async () => {
    const kept = await created();
    const [deleted, made] = await operation(async (bridge) => {
      const read = await bridge.refresh(kept, ONE);
      await bridge.diff(read, TWO);
      return [await bridge.delete(read), await bridge.create(TWO)];
    });
    expect([deleted.said, made.said]).toEqual([[], []]);
    expect(ids()).toEqual([made.state?.["id"]]);
  });

  test("and a new type does not call the replaced webhook overlapping", async () => {
    const [before, after] = [
      { ...ONE, type: "emailsSent" },
      { ...ONE, type: null },
    ];
    const kept = await operation((bridge) => bridge.create(before));
    const planned = await operation(async (bridge) => {
      const read = await bridge.refresh(kept, before);
      return [await bridge.diff(read, after), await bridge.previewCreate(after)];
    });
    expect(planned.map(({ said }) => said)).toEqual([[], []]);
  });
});

describe("a webhook that is replaced without a diff", () => {
  test("with deleteBeforeReplace, is previewed with a warning after a refresh, and replaced", async () => {
    const kept = await created();
    const preview = await operation(async (bridge) => {
      await bridge.refresh(kept, ONE);
      return bridge.previewCreate(ONE);
    });
    expect(preview.said).toEqual(["warning at target_url: The same webhook is declared twice"]);
    const [deleted, made] = await operation(async (bridge) => {
      const read = await bridge.refresh(kept, ONE);
      return [await bridge.delete(read), await bridge.create(ONE)];
    });
    expect([deleted.said, made.said]).toEqual([[], []]);
    expect(ids()).toEqual([made.state?.["id"]]);
  });

  test.for([
    ["right after its create", false, "error: An earlier run already created such a webhook"],
    ["after a refresh in an operation of its own", true, "error: An identical unmanaged webhook exists"],
  ] as const)("%s, is not created next to the old one", async ([, isRefreshed, said]) => {
    const kept = await created();
    if (isRefreshed) await operation((bridge) => bridge.refresh(kept, ONE));
    const preview = await operation((bridge) => bridge.previewCreate(ONE));
    expect(preview.said).toEqual(["warning at target_url: An identical webhook is live"]);
    const made = await operation((bridge) => bridge.create(ONE));
    expect(made.said).toEqual([said]);
    expect(ids()).toHaveLength(1);
  });

  test("after a refresh in the same operation, is not created next to the old one either", async () => {
    const kept = await created();
    const made = await operation(async (bridge) => {
      await bridge.refresh(kept, ONE);
      return bridge.create(ONE);
    });
    expect(made.said).toEqual(["error: The same webhook is declared twice"]);
    expect(ids()).toHaveLength(1);
  });
});

test("two new resources with the same values are refused in the preview", async () => {
  const planned = await operation(async (bridge) => [await bridge.previewCreate(ONE), await bridge.previewCreate(ONE)]);
  expect(planned.map(({ said }) => said)).toEqual([[], ["error at target_url: The same webhook is declared twice"]]);
});

describe("a delete", () => {
  test("deletes the webhook of the state", async () => {
    const kept = await created();
    expect((await operation((bridge) => bridge.delete(kept))).said).toEqual([]);
    expect(ids()).toEqual([]);
  });

  test("of a webhook that is gone succeeds", async () => {
    const kept = await created();
    sandbox().remove("webhooks", String(kept.state?.["id"]));
    expect((await operation((bridge) => bridge.delete(kept))).said).toEqual([]);
  });

  test.for([
    ["another creation time", { targetUrl: URL, createdAt: "2020-01-01T00:00:00.000Z" }],
    ["another URL", { targetUrl: "https://other.example.com/" }],
  ] as const)("refuses a webhook with the same id and %s", async ([, other]) => {
    const kept = await created();
    const id = String(kept.state?.["id"]);
    sandbox().remove("webhooks", id);
    sandbox().add("webhooks", { createdAt: String(kept.state?.["created_at"]), ...other, _id: id });
    const refused = await operation((bridge) => bridge.delete(kept));
    expect(refused.said).toEqual(["error: The webhook is another one"]);
    expect(refused.diagnostics[0]?.detail).toContain("terraform apply -refresh-only");
    expect(refused.diagnostics[0]?.detail).not.toContain("other.example.com");
    expect(ids()).toEqual([id]);
  });

  test("takes a URL that the service writes in another way for the same webhook", async () => {
    const kept = await created();
    const id = String(kept.state?.["id"]);
    sandbox().remove("webhooks", id);
    sandbox().add("webhooks", { createdAt: String(kept.state?.["created_at"]), targetUrl: `${URL}/`, _id: id });
    expect((await operation((bridge) => bridge.delete(kept))).said).toEqual([]);
    expect(ids()).toEqual([]);
  });

  test("takes another spelling of the same URL for the same webhook", async () => {
    const kept = await created({ ...ONE, target_url: "HTTPS://CRM.example.com:443/hooks" });
    expect((await operation((bridge) => bridge.delete(kept))).said).toEqual([]);
    expect(ids()).toEqual([]);
  });
});

test("a secret that is declared after an import is recorded, until another refresh has read the webhook", async () => {
  const { _id: id } = sandbox().add("webhooks", { targetUrl: URL });
  const imported = await operation((bridge) => bridge.provider.import(id));
  const next = await operation((bridge) => bridge.diff(imported, ONE));
  expect([next.replaces, next.said]).toEqual([[], ["warning at secret: Imported values assumed, not verified"]]);
  const later = await operation(async (bridge) =>
    bridge.diff(await bridge.refresh(imported, { target_url: URL }), ONE),
  );
  expect(later.replaces).toEqual(["secret"]);
});

test("a removed unsubscription says that it is only forgotten", async () => {
  const sent = await operation(({ provider }) =>
    unsubscriptionCalls(provider).apply(null, { campaign_id: "cam_000001", email: "ada@example.com" }),
  );
  expect(await operation((bridge) => bridge.deleteUnsubscription(sent))).toEqual([
    "warning: The lead unsubscription is only forgotten",
  ]);
});
