import { ADD_WEBHOOK, OTHER_HOOKS } from "./hooks.ts";
import { AUTHENTICATION } from "./authentication.ts";
import { CAMPAIGNS, CAMPAIGN_PARTS } from "./campaigns.ts";
import { CALLBACKS } from "./events.ts";
import { ERRORS, EVENTS, LIMITS, VERSIONING } from "./limits.ts";
import { RESOURCES, WHAT_IT_DOES } from "./resources.ts";
import { STATES } from "./states.ts";
import type { Row } from "./row.ts";

/** The sentences of the specification that the sandbox is tested against, by section. */
export const SECTIONS: Readonly<Record<string, readonly Row[]>> = {
  "What the service does": WHAT_IT_DOES,
  "Resources and their fields": RESOURCES,
  "States and transitions": STATES,
  "Endpoints: add webhook": ADD_WEBHOOK,
  "Endpoints: delete and list webhooks": OTHER_HOOKS,
  "Endpoints: list campaigns": CAMPAIGNS,
  "Endpoints: export, schedules, warm-up, unsubscribe": CAMPAIGN_PARTS,
  Authentication: AUTHENTICATION,
  Events: [...EVENTS, ...CALLBACKS],
  Errors: ERRORS,
  Limits: LIMITS,
  Versioning: VERSIONING,
};
