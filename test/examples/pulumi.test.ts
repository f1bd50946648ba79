import { transform } from "esbuild";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { read } from "../docs/pages.ts";
import type { Json } from "../frontends/terraform/provider-under-test.ts";
import { usePulumi } from "../frontends/terraform/pulumi-bridge.ts";
import { unsubscriptionCalls } from "../frontends/terraform/rpc/unsubscription-calls.ts";

/** A resource that the program declares: its class, name, inputs and options. */
type Declared = readonly [type: string, name: string, inputs: Json, options: Json];

/** Runs the program with stand-ins for Pulumi's packages, which a test must not download: they record what it declares. */
async function declaredBy(program: string, secret: string): Promise<readonly Declared[]> {
  const declared: Declared[] = [];
  const recorded = (type: string) =>
    function (name: string, inputs: Json, options: Json = {}): void {
      declared.push([type, name, inputs, options]);
    };
  const packages: { readonly [name: string]: unknown } = {
    "@pulumi/outreach": { Webhook: recorded("Webhook"), LeadUnsubscription: recorded("LeadUnsubscription") },
    "@pulumi/pulumi": {
      Config: class {
        requireSecret(name: string): string {
          return `${name}: ${secret}`;
        }
      },
    },
  };
  const { code } = await transform(program, { loader: "ts", format: "cjs" });
  // oxlint-disable-next-line no-implied-eval -- our own example
  new Function("require", "module", code)((name: string) => packages[name], { exports: {} });
  return declared;
}

/** The names of the provider. */
function snakeCase(inputs: Json): Json {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}

const { sandbox, operation } = usePulumi();

test("the example installs this version of the package", () => {
  const { dependencies } = JSON.parse(read("examples/pulumi/package.json")) as { readonly dependencies: Json };
  expect(dependencies[manifest.name]).toBe(`file:${manifest.name}-${manifest.version}.tgz`);
});

test("the program's webhooks are created, kept, and replaced for a new secret; its unsubscription is sent, and forgotten", async () => {
  const program = read("examples/pulumi/index.ts");
  const [first, second] = [await declaredBy(program, "one"), await declaredBy(program, "two")];
  const webhooks = (declared: readonly Declared[]): readonly Json[] =>
    declared.filter(([type]) => type === "Webhook").map(([, , inputs]) => snakeCase(inputs));
  expect(first.map(([type, name]) => `${type} ${name}`)).toEqual([
    "Webhook crm-emailsReplied",
    "Webhook crm-interested",
    "LeadUnsubscription ada",
  ]);
  expect(
    first.flatMap(([type, , , { deleteBeforeReplace }]) => (type === "Webhook" ? [deleteBeforeReplace] : [])),
  ).toEqual([true, true]);

  const kept = await operation(async (bridge) => {
    for (const inputs of webhooks(first)) expect(await bridge.provider.validate(inputs)).toEqual([]);
    return Promise.all(webhooks(first).map((inputs) => bridge.create(inputs)));
  });
  expect(kept.map(({ said }) => said)).toEqual([[], []]);
  expect(
    sandbox()
      .webhooks()
      .map(({ targetUrl, type }) => [targetUrl, type]),
  ).toEqual([
    ["https://crm.example.com/hooks/outreach?event=emailsReplied", "emailsReplied"],
    ["https://crm.example.com/hooks/outreach?event=interested", "interested"],
  ]);

  const made = await operation(async (bridge) => {
    const replaced = [];
    for (const [at, old] of kept.entries()) {
      const [before = {}, after = {}] = [webhooks(first)[at], webhooks(second)[at]];
      const read = await bridge.refresh({ ...old, private: old.private ?? new Uint8Array() }, before);
      expect(read.said).toEqual([]);
      expect((await bridge.diff(read, after)).replaces).toEqual(["secret"]);
      replaced.push(await bridge.delete(read), await bridge.create(after));
    }
    return replaced;
  });
  expect(made.map(({ said }) => said)).toEqual([[], [], [], []]);
  expect(
    sandbox()
      .webhooks()
      .map(({ _id }) => _id),
  ).toEqual(made.flatMap(({ state }) => (state ? [state["id"]] : [])));

  const [, , inputs = {}] = first.find(([type]) => type === "LeadUnsubscription") ?? [];
  const sent = await operation(({ provider }) => unsubscriptionCalls(provider).apply(null, snakeCase(inputs)));
  expect(sent.said).toEqual([]);
  expect(await operation((bridge) => bridge.deleteUnsubscription(sent))).toEqual([
    "warning: The lead unsubscription is only forgotten",
  ]);
});
