import type { PlannedRun } from "../../core/apply/run/run-ports.ts";
import { type Declaration, describeSource } from "../../core/model/declaration.ts";
import { type Attributes, canonicalJson, isSecretDigest, isUnknown } from "../../core/model/value.ts";
import type { Plan, Step } from "../../core/plan/plan.ts";
import { digest } from "../../core/state/checksum.ts";
import type { OpenRun } from "../open-run.ts";

/** What a plan was made from, as digests by name: enough to tell later what has changed. */
export interface PlanBasis {
  /** By address. */
  readonly declarations: { readonly [address: string]: string };
  /** The digest of `imports`, `moved` and `removed`. */
  readonly statements: string;
  /** By name; of a sensitive variable, its fingerprint under the state's salt. */
  readonly variables: { readonly [name: string]: string };
}

export async function basisOf(
  { loaded, ports }: OpenRun,
  { declarations, statements, document }: PlannedRun,
): Promise<PlanBasis> {
  const variables = [...loaded.variables].map(async ([name, { value, sensitive }]) => {
    const text = canonicalJson(value);
    return [name, sensitive ? await ports.fingerprint(document.salt, text) : digest(text)] as const;
  });
  return {
    declarations: Object.fromEntries(declarations.map((declaration) => [declaration.address, digestOf(declaration)])),
    statements: digest(canonicalJson(statements)),
    variables: Object.fromEntries(await Promise.all(variables)),
  };
}

function digestOf({ locate: _, secrets: __, ...declaration }: Declaration): string {
  return digest(canonicalJson(declaration));
}

interface Made {
  readonly basis: PlanBasis;
  readonly plan: Plan;
}

/** A difference in words. Another plan from the job that planned has the same secret again, so a new plan alone does not help. */
export interface Difference {
  readonly text: string;
  readonly isSecret?: true;
}

/** What of the configuration, its variables, secrets and lookups differs from what the plan was made with, in words. */
export function changedInputs(before: Made, now: Made, declarations: readonly Declaration[]): readonly Difference[] {
  const declared = new Map(declarations.map((declaration) => [declaration.address, declaration]));
  const differing = differingNames(before.basis.declarations, now.basis.declarations);
  const [steps, stepsNow] = [stepsOf(before.plan), stepsOf(now.plan)];
  const changed = differing.flatMap((address) => {
    const declaration = declared.get(address);
    if (!declaration) return [{ text: `${address} is no longer in the configuration` }];
    if (!(address in before.basis.declarations)) return [{ text: `${address} is new in the configuration` }];
    return changedAttributes(declaration, valuesOf(steps.get(address)), valuesOf(stepsNow.get(address)));
  });
  const isOther = before.basis.statements !== now.basis.statements;
  if (changed.length === 0 && !isOther) return [];
  const variables = differingNames(before.basis.variables, now.basis.variables).map((name) => ({
    text: `the variable ${name} has another value`,
  }));
  return [
    ...variables,
    ...changed,
    ...(isOther ? [{ text: "the configuration has other imports, moves or removals" }] : []),
  ];
}

/** The live objects that differ, in words, where both plans are made of the same inputs. */
export function changedObjects(before: Plan, now: Plan): readonly Difference[] {
  const [steps, stepsNow] = [stepsOf(before), stepsOf(now)];
  const drift = new Map(now.drift.map((one) => [one.address, one]));
  const told = new Map(
    now.diagnostics.flatMap(({ severity, address, summary }) =>
      severity === "error" && address !== undefined ? [[address, summary]] : [],
    ),
  );
  const differing = [...new Set([...steps.keys(), ...stepsNow.keys()])].filter(
    (address) => canonicalJson(steps.get(address) ?? null) !== canonicalJson(stepsNow.get(address) ?? null),
  );
  const objects = differing.map((address) => {
    const found = drift.get(address);
    const summary = told.get(address);
    if (summary !== undefined) return `${address}: ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`;
    if (found?.after === null) return `the live webhook of ${address} is gone`;
    if (found) return `the live webhook of ${address} has another ${found.changed.join(", ")}`;
    return `the live webhook of ${address} is not as it was`;
  });
  const values = (plan: Plan): { readonly [name: string]: string } =>
    Object.fromEntries(plan.outputs.map((change) => [change.name, canonicalJson(change)]));
  const outputs = differingNames(values(before), values(now)).map((name) => `the output ${name} has another value`);
  return [...objects, ...outputs].map((text) => ({ text }));
}

function changedAttributes(declaration: Declaration, before: Attributes, now: Attributes): readonly Difference[] {
  const { address, lookups = {}, secrets: sources } = declaration;
  const isKnown = (name: string): boolean => ![before[name], now[name]].some((value) => isUnknown(value ?? null));
  const names = Object.keys(now).filter(
    (name) => isKnown(name) && canonicalJson(before[name] ?? null) !== canonicalJson(now[name] ?? null),
  );
  const secrets = names.filter((name) => isSecretDigest(now[name] ?? null) || isSecretDigest(before[name] ?? null));
  const found = names.filter((name) => lookups[name] !== undefined);
  const written = names.filter((name) => !secrets.includes(name) && !found.includes(name));
  const isSetting = names.length === 0;
  return [
    ...secrets.map((name) => {
      const source = sources[name];
      const from = source ? `, ${describeSource(source)},` : "";
      return {
        text: `the ${name} of ${address}${from} is another one in this job than in the job that planned`,
        isSecret: true,
      } as const;
    }),
    ...found.map((name) => ({ text: `${String(lookups[name])} finds another ${name} for ${address}` })),
    ...(written.length > 0 ? [{ text: `the configuration of ${address} has another ${written.join(", ")}` }] : []),
    ...(isSetting ? [{ text: `the configuration of ${address} is not as it was` }] : []),
  ];
}

function stepsOf({ steps }: Plan): ReadonlyMap<string, Step> {
  return new Map(steps.map((step) => [step.address, step]));
}

function valuesOf(step: Step | undefined): Attributes {
  if (!step) return {};
  return "after" in step ? step.after : step.before;
}

function differingNames(
  before: { readonly [name: string]: string },
  now: { readonly [name: string]: string },
): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((name) => before[name] !== now[name]);
}
