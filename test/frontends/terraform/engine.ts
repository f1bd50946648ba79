import { type Engine, engineOf } from "../../engines.ts";

/** The `terraform` on the `PATH`, which `test/engines.ts` chooses. Null without one. */
export const ENGINE = engineOf("terraform");

/** The registry of providers without one in their name. */
export const REGISTRY = ENGINE?.name === "OpenTofu" ? "registry.opentofu.org" : "registry.terraform.io";

/** The first version of each engine that has a feature, as far as tests need to know; null where none has it. */
const FEATURES = {
  functions: { Terraform: "1.8", OpenTofu: "1.7" },
  actions: { Terraform: "1.14", OpenTofu: null },
  "encrypted plans": { Terraform: null, OpenTofu: "1.7" },
  "identities in plans": { Terraform: "1.12", OpenTofu: null },
  /** `removed` without `lifecycle`. */
  "removed destroys by default": { Terraform: "1.7", OpenTofu: null },
  /** `contains(["a", null], null)` is known only after the apply. */
  "contains of null is unknown": { Terraform: "1.16", OpenTofu: null },
  /** `tobool("x") || true` is true. */
  "short-circuit operators": { Terraform: "1.12", OpenTofu: "1.12" },
  "list resources": { Terraform: "1.14", OpenTofu: null },
  "generated configurations": { Terraform: "1.14", OpenTofu: null },
} as const satisfies { readonly [feature: string]: { readonly [name in Engine["name"]]: string | null } };

export type Feature = keyof typeof FEATURES;

/** Why an engine cannot run a test of this feature, to skip it with; null if it can. */
export function lacks(feature: Feature, engine = ENGINE): string | null {
  if (engine === null) return "no terraform on the PATH";
  const since = FEATURES[feature][engine.name];
  if (since !== null && isAtLeast(engine.version, since)) return null;
  const needed = Object.entries(FEATURES[feature]).flatMap(([name, first]) =>
    first === null ? [] : [`${name} ${first}`],
  );
  return `${feature}: ${needed.join(" or ")} and later, here is ${engine.name} ${engine.version}`;
}

/** A release candidate has the features of its release. */
function isAtLeast(version: string, first: string): boolean {
  const [[major = 0, minor = 0], [firstMajor = 0, firstMinor = 0]] = [numbers(version), numbers(first)];
  return major > firstMajor || (major === firstMajor && minor >= firstMinor);
}

const numbers = (version: string): readonly number[] => version.split(".").map(Number.parseFloat);

/** Faults of Terraform that tests come upon, and the versions that have them. */
const FAULTS = {
  "hashicorp/terraform#39068: only the first instance of a resource is imported": /^1\.16\.0/,
  "hashicorp/terraform#39144: an import block without a resource block fails": /^1\.16\.0/,
} as const satisfies { readonly [fault: string]: RegExp };

/** For `skip(...faulty(FAULT))`. */
export function faulty(fault: keyof typeof FAULTS): readonly [isFaulty: boolean, fault: string] {
  return [ENGINE?.name === "Terraform" && FAULTS[fault].test(ENGINE.version), fault];
}
