import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as personal from "../../../src/core/secrets/personal-mask.ts";
import { nodeKeyedDigest } from "../../../src/platform/node-digest.ts";

const SALT = "0707";
const { expandAddress } = personal;
const maskEmail = (salt: string, email: string): string => personal.maskEmail(salt, email, nodeKeyedDigest);

function maskOf(...known: readonly string[]) {
  const mask = personal.personalMask(() => SALT, nodeKeyedDigest);
  mask.add(known);
  return mask;
}

describe("a masked address", () => {
  test("shows the first character, the domain, and a distinguishing hash", () => {
    expect(maskEmail(SALT, "ada@example.com")).toMatch(/^a\*\*\*@example\.com#[0-9a-f]{8}$/);
    expect(maskEmail(SALT, "ada@example.com")).not.toBe(maskEmail(SALT, "ann@example.com"));
  });

  test("is the same in upper and lower case", () => {
    expect(maskEmail(SALT, "Ada@Example.COM")).toBe(maskEmail(SALT, "ada@example.com"));
  });

  test("differs with another salt", () => {
    expect(maskEmail("0808", "ada@example.com")).not.toBe(maskEmail(SALT, "ada@example.com"));
  });

  test.each(['"quoted"@example.com', "'x@exa'mple.com", "\\@example.com", "<b>@example.com", 'x@exa"mple.com'])(
    "needs no escaping in a shell, JSON or HTML (%s)",
    (email) => expect(maskEmail(SALT, email)).toMatch(/^[a-z*]+@[a-z*.]+#[0-9a-f]{8}$/),
  );
});

describe("text", () => {
  const ada = maskEmail(SALT, "ada@example.com");

  test.each([
    ["plain", "ada@example.com", ada],
    ["in upper case", "to Ada@EXAMPLE.com, now", `to ${ada}, now`],
    ["at the end of a sentence", "It was ada@example.com.", `It was ${ada}.`],
    ["as a key with a campaign", 'x.y["cam_000001/ada@example.com"]', `x.y["cam_000001/${ada}"]`],
    ["after an escaped line break", '"first\\nada@example.com"', `"first\\n${ada}"`],
    ["in a path", "DELETE /campaigns/cam_1/leads/ada%40example.com: 404", `DELETE /campaigns/cam_1/leads/${ada}: 404`],
    ["twice", "ada@example.com ada@example.com", `${ada} ${ada}`],
    ["not at all", "bob@example.com", "bob@example.com"],
  ])("with a known address %s", (_, text, expected) => {
    expect(maskOf("ada@example.com").mask(text)).toBe(expected);
  });

  test("masks the longer of two addresses if one ends with the other", () => {
    expect(maskOf("da@example.com", "ada@example.com").mask("ada@example.com")).toBe(ada);
  });

  test("masks an invalid address only as a whole word", () => {
    const masked = maskOf("adaexample").mask("[adaexample], adaexamples, eve@adaexample.com: adaexample.");
    expect(masked).toMatch(/^\[a\*\*\*#[0-9a-f]{8}\], adaexamples, eve@adaexample\.com: a\*\*\*#[0-9a-f]{8}\.$/);
  });

  test("of an unreadable file masks everything that looks like an address", () => {
    const mask = maskOf("ada@example.com");
    expect(mask.maskLine("emails: [ada@example.com, 'bob@example.com'")).toBe(
      `emails: [${ada}, '${maskEmail(SALT, "bob@example.com")}'`,
    );
  });

  const emailCharacter = fc.constantFrom(..."aA.b'\"\\+&</%`é\u{1f600}\u200bİ[${");
  const email = fc.tuple(
    fc.string({ unit: emailCharacter, minLength: 1, maxLength: 5 }),
    fc.string({ unit: emailCharacter, minLength: 1, maxLength: 5 }),
  );

  test("never shows an address, in JSON, quoted for a shell or encoded in a path", () => {
    fc.assert(
      fc.property(
        fc.array(email, { minLength: 1, maxLength: 5 }),
        fc.string({ unit: emailCharacter, maxLength: 5 }),
        (parts, around) => {
          const emails = parts.map(([name, domain]) => `${name}@${domain}`);
          const mask = maskOf(...emails);
          for (const one of emails) {
            const key = JSON.stringify(one);
            const shell = `'x.y[${key}]'`.replaceAll("'", "'\\''");
            for (const written of [
              one,
              key,
              JSON.stringify({ address: `x.y[${key}]` }),
              shell,
              JSON.stringify(shell),
              encodeURIComponent(one),
            ]) {
              const masked = mask.mask(`${around}${written}${around}`);
              expect(masked).toMatch(/\*\*\*@[^#]*#[0-9a-f]{8}/);
              expect(masked.toLowerCase()).not.toContain(one.toLowerCase());
            }
          }
        },
      ),
    );
  });

  test("stays valid JSON", () => {
    fc.assert(
      fc.property(email, ([name, domain]) => {
        const text = JSON.stringify({ email: `${name}@${domain}`, list: [`x["${name}@${domain}"]`] });
        expect(() => JSON.parse(maskOf(`${name}@${domain}`).mask(text)) as unknown).not.toThrow();
      }),
    );
  });

  test("of several megabytes is masked quickly with 100,000 known addresses", () => {
    const emails = Array.from(
      { length: 100_000 },
      (_, index) => `user${String(index)}.name@example${String(index % 50)}.com`,
    );
    const text = emails
      .slice(0, 50_000)
      .map((one) => `  # x.y["cam_000001/${one}"] will be created and so on, and on, and on\n`)
      .join("");
    const begun = process.cpuUsage();
    const masked = maskOf(...emails).mask(text);
    expect(process.cpuUsage(begun).user / 1000).toBeLessThan(5000);
    expect(masked).not.toContain("user");
  });
});

describe("an address on the command line", () => {
  const mask = maskOf("ada@example.com", "bob@example.com");
  const known = [
    "toy_hook.crm",
    'toy_lead.a["bob@example.com"]',
    'toy_lead.a["ada@example.com"]',
    'toy_lead.b["ada@example.com"]',
  ];

  test("can be the masked form of a known one", () => {
    expect(expandAddress(`toy_lead.b["${maskEmail(SALT, "ada@example.com")}"]`, known, mask)).toBe(
      'toy_lead.b["ada@example.com"]',
    );
  });

  test.each([
    "toy_hook.crm",
    'toy_lead.a["ada@example.com"]',
    'toy_lead.a["eve@example.com"]',
    'toy_lead.a["e***@example.com#00000000"]',
  ])("is otherwise unchanged: %s", (text) => expect(expandAddress(text, known, mask)).toBe(text));
});
