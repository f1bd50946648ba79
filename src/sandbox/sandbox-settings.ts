import { changeChoices, DEFAULT_CHOICES } from "./choices.ts";
import type { SandboxChoices, SandboxChoicesChange } from "./choices.ts";
import { DEFAULT_PROFILE } from "./list-profile.ts";
import type { ListProfile } from "./list-profile.ts";
import { DEFAULT_RATE_LIMIT } from "./rate-limit.ts";
import type { RateLimit } from "./rate-limit.ts";

/** How long every answer waits; evenly spread between the two bounds. */
export type Latency = { readonly minMs: number; readonly maxMs: number };

/** Everything about a sandbox that can change while it runs, apart from its records and faults. */
export type SandboxSettings = {
  readonly choices: SandboxChoices;
  /** The answer of `GET /hooks`. */
  readonly profile: ListProfile;
  /** null: no limit and no headers of one. */
  readonly rateLimit: RateLimit | null;
  readonly latency: Latency;
};

/** A change of some settings; what it does not name stays. */
export type SandboxSettingsChange = {
  readonly choices?: SandboxChoicesChange;
  readonly profile?: Partial<ListProfile>;
  readonly rateLimit?: Partial<RateLimit> | null;
  readonly latency?: Latency;
};

/** The settings of a sandbox that was told nothing else. */
export const DEFAULT_SETTINGS: SandboxSettings = {
  choices: DEFAULT_CHOICES,
  profile: DEFAULT_PROFILE,
  rateLimit: DEFAULT_RATE_LIMIT,
  latency: { minMs: 0, maxMs: 0 },
};

/** `settings` with `change` on top. */
export function changeSettings(settings: SandboxSettings, change: SandboxSettingsChange): SandboxSettings {
  const { rateLimit } = change;
  return {
    choices: change.choices ? changeChoices(settings.choices, change.choices) : settings.choices,
    profile: { ...settings.profile, ...change.profile },
    rateLimit: rateLimit ? { ...(settings.rateLimit ?? DEFAULT_RATE_LIMIT), ...rateLimit } : rateLimit === null ? null : settings.rateLimit,
    latency: change.latency ?? settings.latency,
  };
}
