import { encode } from "@msgpack/msgpack";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import type { FunctionError } from "../../../src/frontends/terraform/generated/tfplugin6.ts";
import { callFunction, wireFunctions } from "../../../src/frontends/terraform/rpc/call-function.ts";
import { EVENT_TYPES } from "../../../src/service/events/event-catalog.ts";
import { catalog } from "../../../src/service/resources/catalog.ts";
import { NO_BYTES, UNKNOWN, plain, value } from "./provider-under-test.ts";
import { TerraformUnderTest, hasTerraform } from "./terraform-under-test.ts";

/** What a call comes to: its result, or what is wrong at which argument. */
function call(name: string, ...args: readonly unknown[]): unknown {
  const given = args.map((one) => (one === UNKNOWN ? marked() : { msgpack: encode(one), json: NO_BYTES }));
  const { result, error } = callFunction(catalog, { name, arguments: given });
  return error ? shown(error) : plain(result);
}

function shown({ text, functionArgument }: FunctionError): string {
  return `${functionArgument === undefined ? "" : `argument ${String(functionArgument)}: `}${text}`;
}

/** An unknown value on the wire. */
function marked() {
  const [, ...bytes] = value({ a: UNKNOWN }).msgpack.subarray(2);
  return { msgpack: Uint8Array.from(bytes), json: NO_BYTES };
}

describe("event_types", () => {
  it("names every documented event type, in the order of the document", async () => {
    expect(call("event_types")).toEqual(EVENT_TYPES.map(({ name }) => name));
  });

  it("takes no argument", async () => {
    expect(call("event_types", "emailsSent")).toMatch(/takes 0 arguments, and got 1/);
  });
});

describe("verify_secret", () => {
  const cases: readonly [string, string, string, unknown][] = [
    ["the secret", '{"_id":"act_1","secret":"s3cret"}', "s3cret", true],
    ["another one", '{"secret":"s3cret"}', "s3cre", false],
    ["one that begins with it", '{"secret":"s3cret"}', "s3crets", false],
    ["none", '{"_id":"act_1"}', "s3cret", false],
    ["null", '{"secret":null}', "null", false],
    ["a number", '{"secret":7}', "7", false],
    ["one deeper down", '{"lead":{"secret":"s3cret"}}', "s3cret", false],
    ["what every object inherits", "{}", "function Object() { [native code] }", false],
    ["one beyond ASCII, written as escapes", String.raw`{"secret":"gr\u00fc\u00df \ud83d\udd11"}`, "grüß 🔑", true],
    ["one that differs in an accent only", '{"secret":"e"}', "é", false],
    ["white space around the object", ' \n{"secret":"s3cret"}\n', "s3cret", true],
  ];
  it.each(cases)("looks for %s", async (_what, payload, secret, expected) => {
    expect(call("verify_secret", payload, secret)).toBe(expected);
  });

  const mistakes: readonly [string, unknown, unknown, string][] = [
    [
      "what is not JSON",
      "secret=s3cret",
      "s",
      "argument 0: payload_json is not a JSON object. Pass the body of the event as it was received",
    ],
    [
      "a list",
      '[{"secret":"s"}]',
      "s",
      "argument 0: payload_json is not a JSON object. Pass the body of the event as it was received",
    ],
    [
      "null in JSON",
      "null",
      "s",
      "argument 0: payload_json is not a JSON object. Pass the body of the event as it was received",
    ],
    [
      "an empty payload",
      "",
      "s",
      "argument 0: payload_json is not a JSON object. Pass the body of the event as it was received",
    ],
    [
      "an empty secret",
      '{"secret":""}',
      "",
      "argument 1: secret is empty, so it verifies nothing. Pass the secret of the webhook",
    ],
    ["a payload that is null", null, "s", "argument 0: payload_json must not be null"],
    ["a secret that is null", "{}", null, "argument 1: secret must not be null"],
  ];
  it.each(mistakes)("refuses %s at its argument, without quoting it", async (_what, payload, secret, expected) => {
    expect(call("verify_secret", payload, secret)).toBe(expected);
  });

  it("is unknown as long as an argument is", async () => {
    expect(call("verify_secret", UNKNOWN, "s")).toBe(UNKNOWN);
    expect(call("verify_secret", "{}", UNKNOWN)).toBe(UNKNOWN);
  });

  it("is true of exactly the secret that the payload carries", async () => {
    const text = fc.string({ unit: "binary", minLength: 1 });
    await fc.assert(
      fc.asyncProperty(text, fc.oneof(text, fc.constant(null)), async (carried, other) => {
        expect(call("verify_secret", JSON.stringify({ secret: carried }), other ?? carried)).toBe(
          other === null || other === carried,
        );
      }),
    );
  });
});

it("a function that does not exist is an error of the call", async () => {
  expect(call("other")).toBe("no function other");
});

it("what is listed is what the schema says", () => {
  const functions = wireFunctions(catalog.functions ?? []);
  expect(Object.entries(functions).map(([name, { parameters }]) => [name, parameters.map((one) => one.name)])).toEqual([
    ["event_types", []],
    ["verify_secret", ["payload_json", "secret"]],
  ]);
});

const CONFIGURATION = `
terraform {
  required_providers {
    outreach = { source = "outreach-as-code/outreach" }
  }
}
`;

const OUTPUTS = `
variable "secret" {
  type      = string
  sensitive = true
}
resource "terraform_data" "later" {
  input = "s3cret"
}
output "types" {
  value = provider::outreach::event_types()
}
output "genuine" {
  value     = provider::outreach::verify_secret(jsonencode({ secret = "s3cret" }), var.secret)
  sensitive = true
}
output "later" {
  value = provider::outreach::verify_secret("{}", terraform_data.later.output)
}
`;

describe("under real terraform", () => {
  let terraform: TerraformUnderTest;
  beforeAll(async () => {
    if (!hasTerraform) return;
    terraform = await TerraformUnderTest.start({});
    terraform.write("main.tf", CONFIGURATION);
  }, 60_000);
  beforeEach(({ skip }) => skip(!hasTerraform, "no terraform on the PATH"));
  afterAll(() => terraform?.remove());

  test(
    "they need no address and no key, take sensitive arguments, and wait for unknown ones",
    { timeout: 60_000 },
    async () => {
      terraform.write("outputs.tf", OUTPUTS);
      const planned = await terraform.plan("-var=secret=s3cret");
      expect([planned.status, planned.output]).toEqual([
        2,
        expect.stringMatching(/\+ genuine = \(sensitive value\)\n\s+\+ later\s+= \(known after apply\)/),
      ]);
      expect((await terraform.apply("-var=secret=s3cret")).status).toBe(0);
      const outputs = JSON.parse((await terraform.run("output", "-json")).output) as {
        readonly [name: string]: { readonly value: unknown };
      };
      expect([outputs["types"]?.value, outputs["genuine"]?.value, outputs["later"]?.value]).toEqual([
        EVENT_TYPES.map(({ name }) => name),
        true,
        false,
      ]);
    },
  );

  test("a mistake is shown at the argument, and a secret argument is in no message", { timeout: 60_000 }, async () => {
    const variable = 'variable "secret" {\n  type      = string\n  sensitive = true\n}\n';
    const wrong = async (args: string): Promise<string> => {
      terraform.write(
        "outputs.tf",
        `${variable}output "wrong" {\n  value     = provider::outreach::verify_secret(${args})\n  sensitive = true\n}\n`,
      );
      const { status, output, words } = await terraform.plan("-var=secret=s3cret-text");
      expect(status).toBe(1);
      expect(output).not.toContain("s3cret-text");
      return words;
    };
    expect(await wrong('var.secret, "s"')).toContain(
      'Invalid value for "payload_json" parameter: payload_json is not a JSON object. Pass the body of the event as it was received.',
    );
    expect(await wrong('"{}", ""')).toMatch(
      /Invalid value for "secret" parameter: secret is empty, so it verifies nothing\./,
    );
    expect(await wrong('"{}", null')).toMatch(/Invalid value for "secret" parameter: argument must not be null\./);
    expect(await wrong('"{}"')).toMatch(/Not enough function arguments/);
  });
});
