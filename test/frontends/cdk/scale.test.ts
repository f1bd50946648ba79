import { expect, test } from "vitest";
import { evaluator } from "../../../src/core/config/evaluate.ts";
import { readStack } from "../../../src/frontends/cdk/read-stack.ts";
import { catalog } from "../../../src/service/resources/catalog.ts";
import { type Json, from, stackOf, webhooks } from "./stack.ts";
import { cpuCost } from "../../cpu-cost.ts";

const MANY = 4_000;
/** Each costs a tenth of it. Quadratic algorithms would cost much more. */
const ENOUGH = 110;

const numbers = Array.from({ length: MANY }, (_, index) => index);
const hook = (rest: Json): Json => ({
  ...from("app/hook"),
  target_url: "https://crm.example.com/hook",
  type: "emailsReplied",
  ...rest,
});
const counted = hook({ count: MANY, target_url: "https://a.example.com/${count.index}" });
const keyed = hook({
  for_each: Object.fromEntries(numbers.map((number) => [`k${String(number)}`, "emailsSent"])),
  type: "${each.value}",
});

const STACKS: { readonly [name: string]: Json } = {
  "that refer to another block's by their index": webhooks({
    a: counted,
    b: hook({ count: MANY, target_url: "${outreach_webhook.a[count.index].target_url}/b" }),
  }),
  "that are made for those of another block": webhooks({
    a: keyed,
    b: hook({ for_each: "${outreach_webhook.a}", type: "${each.value.type}" }),
  }),
  "that refer to a local made of all of them": {
    locals: { urls: "${outreach_webhook.a[*].target_url}" },
    ...webhooks({ a: counted, b: hook({ count: MANY, target_url: "${local.urls[count.index]}/b" }) }),
  },
  "that have moved one by one": {
    moved: numbers.map((number) => ({
      from: `outreach_webhook.old["k${String(number)}"]`,
      to: `outreach_webhook.a["k${String(number)}"]`,
    })),
    ...webhooks({ a: keyed }),
  },
  "that have moved twice": {
    moved: ["old", "older"].flatMap((name) =>
      numbers.map((number) => ({
        from: `outreach_webhook.${name}["k${String(number)}"]`,
        to: `outreach_webhook.${name === "old" ? "a" : "old"}["k${String(number)}"]`,
      })),
    ),
    ...webhooks({ a: keyed }),
  },
  "names that a block has had": {
    moved: numbers.map((number) => ({
      from: `outreach_webhook.a${String(number)}`,
      to: `outreach_webhook.a${String(number + 1)}`,
    })),
    ...webhooks({ [`a${String(MANY)}`]: hook({}) }),
  },
  "names that lead out of a circle": {
    moved: [
      { from: "outreach_webhook.x", to: "outreach_webhook.y" },
      { from: "outreach_webhook.y", to: "outreach_webhook.x" },
      { from: 'outreach_webhook.y["k"]', to: "outreach_webhook.a0" },
      ...numbers.map((number) => ({
        from: `outreach_webhook.a${String(number)}`,
        to: `outreach_webhook.a${String(number + 1)}`,
      })),
    ],
  },
  "that are imported": {
    import: numbers.map((number) => ({ to: `outreach_webhook.a["k${String(number)}"]`, id: `hoo_${String(number)}` })),
    ...webhooks({ a: keyed }),
  },
  "imports to a block of another name": {
    import: numbers.map((number) => ({ to: `outreach_webhook.b["k${String(number)}"]`, id: `hoo_${String(number)}` })),
    ...webhooks({ a: keyed }),
  },
  "outputs of one each": {
    output: Object.fromEntries(
      numbers.map((number) => [
        `o${String(number)}`,
        { value: `\${outreach_webhook.a[${String(number)}].target_url}` },
      ]),
    ),
    ...webhooks({ a: counted }),
  },
  "locals of one another": {
    locals: Object.fromEntries(
      numbers.map((number) => [`l${String(number)}`, number === 0 ? "x" : `\${local.l${String(number - 1)}}`]),
    ),
    ...webhooks({ a: hook({ target_url: `https://a.example.com/\${local.l${String(MANY - 1)}}` }) }),
  },
};

/** The number of errors, for stacks with errors. After 500, the check ends with one more. */
const MISTAKES: { readonly [name: string]: number } = {
  "names that lead out of a circle": 1,
  "imports to a block of another name": 501,
};

test.each(Object.keys(STACKS))("thousands of %s are evaluated in linear time", { timeout: 60_000 }, async (name) => {
  const bytes = new TextEncoder().encode(stackOf(STACKS[name] ?? {}));
  const evaluate = () => {
    const { value, diagnostics } = readStack(bytes, { file: "cdk.tf.json", folder: "/", name: "hooks", catalog });
    const evaluation = evaluator(value, new Map(), catalog)({ known: new Map(), instances: [] });
    expect([...diagnostics, ...evaluation.diagnostics]).toHaveLength(MISTAKES[name] ?? 0);
  };
  expect(await cpuCost(evaluate)).toBeLessThan(ENOUGH);
});
