import { CHOICES_SCHEMA } from "./choices.ts";
import { DELIVERY_SCHEMA } from "./delivery/delivery-settings.ts";
import { PROFILE_SCHEMA } from "./list-profile.ts";
import { RATE_LIMIT_SCHEMA } from "./rate-limit.ts";
import { type Change, type ValueOf, defaultsOf, object, orNull, setting, time } from "./schema.ts";

/** Everything that can change while a sandbox runs, except its records and faults: for a seed file's `settings`, and for the control API. */
export const SETTINGS_SCHEMA = object("the sandbox's behaviour where the specification says nothing", {
  choices: CHOICES_SCHEMA,
  /** How `GET /hooks` answers, and the form of other answers. */
  profile: PROFILE_SCHEMA,
  /** null: no limit and no rate-limit headers. */
  rateLimit: orNull(RATE_LIMIT_SCHEMA),
  /** Evenly distributed between the two bounds. */
  latency: object(
    "the delay of every answer",
    {
      minMs: setting(0, time("the shortest delay, in milliseconds")),
      maxMs: setting(0, time("the longest delay, in milliseconds")),
    },
    ["minMs", "maxMs"],
  ),
  delivery: DELIVERY_SCHEMA,
});

export type SandboxSettings = ValueOf<typeof SETTINGS_SCHEMA>;

/** A change to some settings; the others keep their values. */
export type SandboxSettingsChange = Change<SandboxSettings>;

export const DEFAULT_SETTINGS = defaultsOf(SETTINGS_SCHEMA);
