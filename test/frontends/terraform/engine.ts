import { type Engine, engineOf } from "../../engines.ts";

/** The `terraform` on the `PATH`, which `test/engines.ts` chooses. Null without one. */
export const ENGINE = engineOf("terraform");

/** The first version of each engine that has a feature; null where none has it. */
const FEATURES = {
  functions: { Terraform: "1.8", OpenTofu: "1.7" },
  actions: { Terraform: "1.14", OpenTofu: null },
  "list resources": { Terraform: "1.14", OpenTofu: null },
  "generated configurations": { Terraform: "1.14", OpenTofu: null },
} as const satisfies { readonly [feature: string]: { readonly [name in Engine["name"]]: string | null } };

export type Feature = keyof typeof FEATURES;

/** Why this engine cannot run a test of this feature, to skip it with; null if it can. */
export function lacks(feature: Feature): string | null {
  if (ENGINE === null) return "no terraform on the PATH";
  const since = FEATURES[feature][ENGINE.name];
  if (since !== null && isAtLeast(ENGINE.version, since)) return null;
  const needed = Object.entries(FEATURES[feature]).flatMap(([name, first]) => (first === null ? [] : [`${name} ${first}`]));
  return `${feature}: need ${needed.join(" or ")}, here is ${ENGINE.name} ${ENGINE.version}`;
}

/** A release candidate has the features of its release. */
function isAtLeast(version: string, first: string): boolean {
  const [[major = 0, minor = 0], [firstMajor = 0, firstMinor = 0]] = [numbers(version), numbers(first)];
  return major > firstMajor || (major === firstMajor && minor >= firstMinor);
}

const numbers = (version: string): readonly number[] => version.split(".").map(Number.parseFloat);
