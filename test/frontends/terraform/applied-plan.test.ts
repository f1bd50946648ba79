import { BinaryWriter } from "@bufbuild/protobuf/wire";
import { type Zippable, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { openAppliedPlan } from "../../../src/frontends/terraform/terraform-command.ts";
import { webhook as webhookResource } from "../../../src/service/resources/webhook.ts";
import { value, webhook } from "./provider-under-test.ts";

const REPLACE = 7;
const KEEP = 0;

/** One resource change of a plan file. */
function change(address: string, action: number, id: string): Uint8Array {
  const before = new BinaryWriter()
    .uint32(10)
    .bytes(value(webhook({ id, target_url: "https://a.example.com/" })).msgpack);
  const changed = new BinaryWriter().uint32(8).int32(action).uint32(18).bytes(before.finish());
  return new BinaryWriter().uint32(74).bytes(changed.finish()).uint32(106).string(address).finish();
}

function planFile(changes: readonly Uint8Array[], more: Zippable = {}): Uint8Array {
  const plan = new BinaryWriter().uint32(8).uint64(3);
  for (const one of changes) plan.uint32(26).bytes(one);
  return zipSync({ tfplan: plan.finish(), ...more });
}

async function removedBy(
  bytes: Uint8Array | null,
  startedWith: readonly string[] | null = ["terraform", "-chdir=.", "apply", "-input=false", "saved.plan"],
) {
  const files = { read: (path: string) => Promise.resolve(path === "saved.plan" ? bytes : null) };
  const removed = await openAppliedPlan(files, () => Promise.resolve(startedWith)).removedBy(webhookResource);
  return typeof removed === "string" ? removed : [...removed];
}

describe("the saved plan that is applied", () => {
  test("shows the ids of the webhooks that it replaces, in modules too, and no others", async () => {
    const changes = [
      change("outreach_webhook.a", REPLACE, "hoo_1"),
      change('module.m["x"].outreach_webhook.b["k"]', REPLACE, "hoo_2"),
      change("outreach_webhook.kept", KEEP, "hoo_3"),
      change("terraform_data.outreach_webhook", REPLACE, "hoo_4"),
    ];
    expect(await removedBy(planFile(changes, { tfstate: new Uint8Array(3) }))).toEqual(["hoo_1", "hoo_2"]);
  });

  test("is none where the arguments name no plan", async () => {
    expect(await removedBy(null)).toEqual([]);
    for (const other of ["not a plan", '{"region": "eu"}', "{ region", "[]", ""])
      expect(await removedBy(new TextEncoder().encode(other)), other).toEqual([]);
    expect(await removedBy(planFile([]), ["terraform", "apply", "-auto-approve"])).toEqual([]);
  });

  test("is unreadable where OpenTofu has encrypted it, and where it is damaged", async () => {
    const encrypted = {
      meta: { "key_provider.pbkdf2.key": "e30=" },
      encrypted_data: "c2VjcmV0",
      encryption_version: "v0",
    };
    expect(await removedBy(new TextEncoder().encode(JSON.stringify(encrypted)))).toBe("unreadable");
    expect(await removedBy(zipSync({ other: new Uint8Array(3) }))).toBe("unreadable");
    expect(await removedBy(planFile([new Uint8Array([1, 2, 3])]))).toBe("unreadable");
    expect(await removedBy(planFile([]).subarray(0, 20))).toBe("unreadable");
  });

  test("is unknown where the arguments are", async () => {
    expect(await removedBy(planFile([]), null)).toBe("unknown");
  });
});
