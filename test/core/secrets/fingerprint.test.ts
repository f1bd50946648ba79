import { scryptSync } from "node:crypto";
import { expect, test } from "vitest";
import { fingerprinter } from "../../../src/core/secrets/fingerprint.ts";

const [SALT, OTHER_SALT] = ["00112233445566778899aabbccddeeff", "ffeeddccbbaa99887766554433221100"];

test("a fingerprint is the same for the same secret and salt, and differs with either", async () => {
  const [one, again, other] = [fingerprinter(SALT), fingerprinter(SALT), fingerprinter(OTHER_SALT)];
  const print = await one("secret");
  expect(print).toMatch(/^[0-9a-f]{32}$/);
  expect(await again("secret")).toBe(print);
  expect(await other("secret")).not.toBe(print);
  expect(await one("secret ")).not.toBe(print);
});

test("a fingerprint is computed once per secret, even for concurrent calls", () => {
  const fingerprint = fingerprinter(SALT);
  expect(fingerprint("secret")).toBe(fingerprint("secret"));
  expect(fingerprint("other")).not.toBe(fingerprint("secret"));
});

test("a fingerprint costs what makes guessing slow, and a stored one stays valid", async () => {
  const expected = scryptSync("secret", Buffer.from(SALT, "hex"), 16, { N: 16_384, r: 8, p: 1 }).toString("hex");
  expect(await fingerprinter(SALT)("secret")).toBe(expected);
});
