import type { SandboxChoicesChange } from "./choices.ts";
import { DEFAULT_SEED } from "./default-seed.ts";
import { DEFAULT_PROFILE, parseListProfile, PROFILE_SCHEMA, PROFILE_WORDS } from "./list-profile.ts";
import type { ListProfile } from "./list-profile.ts";
import { changed } from "./schema.ts";
import { PUBLISHED_SEED } from "./published-seed.ts";
import type { SandboxSeed } from "./seed.ts";

/** A kind of service that the sandbox copies; its members are options of a sandbox. */
export type SandboxProfile = {
  readonly choices: SandboxChoicesChange;
  readonly profile: ListProfile;
  readonly seed: SandboxSeed;
};

/**
 * The kinds of service, by name. `documented` is the specification with the simplest choices for what it does not show. `published` follows a
 * published description of the same API and reports of its users where the specification is silent.
 */
export const PROFILES = {
  documented: { choices: {}, profile: DEFAULT_PROFILE, seed: DEFAULT_SEED },
  published: {
    choices: {
      uniqueTargetUrl: true,
      resetFormat: "js-date",
      exportStatus: "shown",
      stepIds: "shown",
      statuses: { noUser: 404 },
    },
    profile: changed(
      DEFAULT_PROFILE,
      { offset: false, fields: { isFirst: "where-set", automationId: "where-set" } },
      PROFILE_SCHEMA,
    ),
    seed: PUBLISHED_SEED,
  },
} as const satisfies { readonly [name: string]: SandboxProfile };

/** The names in `PROFILES` and their meanings. */
export const PROFILE_NAMES: { readonly [Name in keyof typeof PROFILES]: string } = {
  documented: "the service as its specification describes it (the default)",
  published:
    "the service as a published description and its users describe it where the specification is silent: one webhook per target URL, lists without parameters that show `isFirst` and `automationId`, the status of an export, events with a `stepId`, and old webhooks of automation tools",
};

/**
 * Reads the text of `--profile`: words separated by commas, such as `published,cap=25`. A name of `PROFILES` chooses the kind of service,
 * `documented` by default; the other words change its list. `errors` names each unknown word, and two names.
 */
export function parseProfile(text: string): { profile: SandboxProfile; errors: readonly string[] } {
  const words = text.split(",").map((word) => word.trim());
  const names = Object.keys(PROFILES) as (keyof typeof PROFILES)[];
  const chosen = names.filter((name) => words.includes(name));
  const base: SandboxProfile = PROFILES[chosen[0] ?? "documented"];
  const others = words.filter((word) => !Object.hasOwn(PROFILES, word));
  const { profile, unknown } = parseListProfile(others.join(","), base.profile);
  const known = [...names, ...PROFILE_WORDS.map(({ word }) => word)].join(", ");
  const errors = [
    ...(chosen.length > 1 ? [`choose one of ${chosen.join(" and ")}`] : []),
    ...unknown.map((word) => `unknown profile word "${word}"; known words: ${known}`),
  ];
  return { profile: { ...base, profile }, errors };
}
