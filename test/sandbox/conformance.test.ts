import { afterEach, beforeEach, describe, test } from "vitest";
import { SECTIONS } from "./conformance/sections.ts";
import { startUnderTest } from "./sandbox-under-test.ts";
import type { UnderTest } from "./sandbox-under-test.ts";

describe("the sandbox conforms to the specification", () => {
  let service: UnderTest;
  beforeEach(async () => {
    service = await startUnderTest();
  });
  afterEach(() => service.close());

  for (const [section, rows] of Object.entries(SECTIONS))
    describe(section, () => {
      test.each(rows)("%s", async (_, check) => {
        await check(service);
      });
    });
});
