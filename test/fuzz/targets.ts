import { ADDRESS_LISTS, LISTS_OF_TEAMS, PRINTED_LISTS } from "./address-lists.ts";
import { CONFIGURATIONS, STACKS } from "./configurations.ts";
import { EVENTS } from "./events.ts";
import { EXPRESSIONS, PATTERNS } from "./expressions.ts";
import { ENVELOPES, JOURNALS, LOCKS, PLAN_FILES, STATES } from "./records.ts";
import { SERVICE_ANSWERS } from "./service-answers.ts";
import { DATABASES, STORES } from "./stores.ts";
import type { Target } from "./target.ts";
import { TERRAFORM_STATES } from "./terraform-states.ts";

export const TARGETS: readonly Target[] = [
  EXPRESSIONS,
  PATTERNS,
  SERVICE_ANSWERS,
  EVENTS,
  ADDRESS_LISTS,
  PRINTED_LISTS,
  LISTS_OF_TEAMS,
  CONFIGURATIONS,
  STACKS,
  TERRAFORM_STATES,
  STATES,
  JOURNALS,
  LOCKS,
  PLAN_FILES,
  ENVELOPES,
  STORES,
  DATABASES,
];
