import { afterEach, beforeEach, describe, test } from "vitest";
import { PROFILES } from "../../src/sandbox/profiles.ts";
import { SECTIONS } from "./conformance/sections.ts";
import { startUnderTest } from "./sandbox-under-test.ts";
import type { UnderTest } from "./sandbox-under-test.ts";

// Without the published profile's old webhooks: the specification's sentences are about new ones.
const KINDS = Object.entries(PROFILES).map(([name, { choices, profile }]) => ({ name, choices, profile }));

describe.each(KINDS)("the sandbox conforms to the specification (--profile $name)", ({ choices, profile }) => {
  let service: UnderTest;
  beforeEach(async () => {
    service = await startUnderTest({ choices, profile });
  });
  afterEach(() => service.close());

  for (const [section, rows] of Object.entries(SECTIONS))
    describe(section, () => {
      test.each(rows)("%s", async (_, check) => {
        await check(service);
      });
    });
});
