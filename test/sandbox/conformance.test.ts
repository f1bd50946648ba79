import { afterEach, beforeEach, describe, test } from "vitest";
import { ADD_WEBHOOK, OTHER_HOOKS } from "./conformance/hooks.ts";
import { AUTHENTICATION } from "./conformance/authentication.ts";
import { CAMPAIGNS, CAMPAIGN_PARTS } from "./conformance/campaigns.ts";
import { ERRORS, EVENTS, LIMITS, VERSIONING } from "./conformance/limits.ts";
import { RESOURCES, WHAT_IT_DOES } from "./conformance/resources.ts";
import { STATES } from "./conformance/states.ts";
import type { Row } from "./conformance/row.ts";
import { startUnderTest } from "./sandbox-under-test.ts";
import type { UnderTest } from "./sandbox-under-test.ts";

/** The sentences of the specification that the sandbox is tested against, by section. Event payloads and delivery are not included. */
const SECTIONS: Readonly<Record<string, readonly Row[]>> = {
  "What the service does": WHAT_IT_DOES,
  "Resources and their fields": RESOURCES,
  "States and transitions": STATES,
  "Endpoints: add webhook": ADD_WEBHOOK,
  "Endpoints: delete and list webhooks": OTHER_HOOKS,
  "Endpoints: list campaigns": CAMPAIGNS,
  "Endpoints: export, schedules, warm-up, unsubscribe": CAMPAIGN_PARTS,
  Authentication: AUTHENTICATION,
  Events: EVENTS,
  Errors: ERRORS,
  Limits: LIMITS,
  Versioning: VERSIONING,
};

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
