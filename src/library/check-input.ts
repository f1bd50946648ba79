import { GUARD_NAMES } from "../operations/guards.ts";
import { nearest } from "../core/model/diagnostic.ts";
import type { Clock } from "../core/model/ports.ts";
import { type Problem, jsonCopy, kindOf, pathTo, propertiesOf } from "./json-value.ts";
import type {
  ApplyOptions,
  ApplySavedOptions,
  ConfigurationInput,
  DriftOptions,
  Options,
  PlanCallOptions,
  PlanOptions,
  SandboxOptions,
} from "./library-options.ts";

/** Returns the value of an option, or adds what is wrong with it. */
type Check = (value: unknown, path: string, problems: Problem[]) => unknown;

/** The options of an operation. An operation has no others. */
export type Accepts<O> = { readonly [Name in keyof Required<O>]: Check };

function checkOf(isRight: (value: unknown) => boolean, expected: string): Check {
  return (value, path, problems) => {
    if (!isRight(value)) problems.push({ path, text: `is ${describe(value)}: give ${expected}` });
    return value;
  };
}

/** Values may be secret: only an empty one is shown. */
function describe(value: unknown): string {
  if (value === "") return "an empty text";
  return typeof value === "string" && value.includes("\0") ? "a text with a null character" : kindOf(value);
}

const hasFunctions =
  (...names: readonly string[]) =>
  (value: unknown): boolean =>
    typeof value === "object" &&
    value !== null &&
    names.every((name) => typeof (value as { readonly [name: string]: unknown })[name] === "function");

const ALLOWED: readonly unknown[] = Object.values(GUARD_NAMES).map(({ name }) => name);

const isText = (value: unknown): value is string => typeof value === "string" && value !== "" && !value.includes("\0");
const isAborting = (value: unknown): boolean =>
  hasFunctions("addEventListener", "throwIfAborted")(value) && typeof (value as AbortSignal).aborted === "boolean";

const text = checkOf(isText, "a text");
const flag = checkOf((value) => typeof value === "boolean", "true or false");
const duration = checkOf((value) => Number.isFinite(value) && Number(value) >= 0, "milliseconds from 0");
const callback = checkOf((value) => typeof value === "function", "a function");
const signal = checkOf(isAborting, "an AbortSignal");
const isClock = (value: unknown): boolean =>
  hasFunctions("now", "monotonicMs", "sleep")(value) &&
  [(value as Clock).now(), (value as Clock).monotonicMs()].every(Number.isFinite);
const clock = checkOf(isClock, "a clock that counts milliseconds");
const files = checkOf(hasFunctions("read", "writeDurably", "kind", "realPath"), "a file system");

/** The environment of a process is no plain object, and may have variables that are undefined. */
const environment: Check = (value, path, problems) => {
  if (typeof value !== "object" || value === null || Symbol.iterator in value)
    problems.push({ path, text: `is ${kindOf(value)}: give an object with the variables` });
  else
    for (const [name, one] of Object.entries(value))
      if (one !== undefined && typeof one !== "string")
        problems.push({ path: pathTo(path, name), text: `is ${kindOf(one)}: give a text` });
  return value;
};

const variables: Check = (value, path, problems) => {
  const properties = propertiesOf(value, path, problems) ?? [];
  for (const [name, one] of properties)
    if (!["string", "boolean"].includes(typeof one) && !Number.isFinite(one))
      problems.push({
        path: pathTo(path, name),
        text: `is ${kindOf(one)}: give a text, a finite number, true or false`,
      });
  return Object.fromEntries(properties);
};

function listOf(isOne: (value: unknown) => boolean, expected: string): Check {
  return (value, path, problems) => {
    if (!Array.isArray(value)) {
      problems.push({ path, text: `is ${describe(value)}: give a list of ${expected}` });
      return [];
    }
    const list = Array.from(value as readonly unknown[]);
    for (const [index, one] of list.entries())
      if (!isOne(one))
        problems.push({ path: `${path}[${String(index)}]`, text: `is ${describe(one)}: give one of ${expected}` });
    return list;
  };
}

const addresses = listOf(isText, "addresses");

/** An empty filter would select everything. */
const filter: Check = (value, path, problems) => {
  if (Array.isArray(value) && value.length === 0)
    problems.push({
      path,
      text: "is an empty list, which selects nothing: give addresses, or leave the option out for everything",
    });
  return addresses(value, path, problems);
};

const COMMON: Accepts<Options> = {
  folder: text,
  environment,
  variables,
  team: text,
  state: text,
  lock: flag,
  lockTimeoutMs: duration,
  files,
  clock,
  onProgress: callback,
  signal,
};

const PLANNING: Accepts<PlanOptions> = {
  ...COMMON,
  targets: filter,
  excludes: filter,
  replace: addresses,
  refreshOnly: flag,
  destroy: flag,
  adopt: flag,
  allow: listOf((value) => ALLOWED.includes(value), ALLOWED.join(", ")),
};

/** What each operation accepts. */
export const PLAN_ACCEPTS: Accepts<PlanCallOptions> = { ...PLANNING, secrets: flag };
export const APPLY_ACCEPTS: Accepts<ApplyOptions> = { ...PLANNING, decide: callback };
export const APPLY_SAVED_ACCEPTS: Accepts<ApplySavedOptions> = { ...COMMON, runKeyCommand: flag };
export const DRIFT_ACCEPTS: Accepts<DriftOptions> = { ...COMMON, failOnUnmanaged: flag };
export const OPTIONS_ACCEPTS: Accepts<Options> = COMMON;

/** The options of an operation, each read once. An option that is undefined is a mistake: what it should have said is lost. */
export function checkOptions<O>(given: unknown, accepts: Accepts<O>, problems: Problem[]): O {
  const checks = new Map(Object.entries<Check>(accepts));
  const options = (propertiesOf(given, "options", problems) ?? []).map(([name, value]) => {
    const check = checks.get(name);
    const path = pathTo("options", name);
    if (!check) problems.push({ path, text: unknownOption(name, [...checks.keys()]) });
    return [name, check?.(value, path, problems)] as const;
  });
  return Object.fromEntries(options) as O;
}

function unknownOption(name: string, names: readonly string[]): string {
  const meant = nearest(name, names);
  return `is not an option of this operation (${meant === null ? `it has ${names.join(", ")}` : `did you mean ${meant}?`})`;
}

/** The path of a configuration, or a copy of its content. */
export function checkConfiguration(given: unknown, problems: Problem[]): ConfigurationInput {
  if (typeof given === "string") return text(given, "configuration", problems) as string;
  if (typeof given === "object" && given !== null && !Array.isArray(given))
    return jsonCopy(given, "configuration", problems) as ConfigurationInput;
  problems.push({ path: "configuration", text: `is ${kindOf(given)}: give a path, or the content as an object` });
  return {};
}

/** The argument with an address. */
export function checkAddress(given: unknown, problems: Problem[]): void {
  text(given, "address", problems);
}

/** The argument with a saved plan. */
export function checkSaved(given: unknown, problems: Problem[]): void {
  if (!(given instanceof Uint8Array))
    problems.push({ path: "saved", text: `is ${kindOf(given)}: give the bytes of a saved plan` });
}

export const SANDBOX_ACCEPTS: Accepts<SandboxOptions> = {
  port: checkOf(
    (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535,
    "a port from 1 to 65535",
  ),
  seed: jsonCopy,
  profile: text,
  deliver: checkOf((value) => ["any", "loopback", "none"].includes(value as string), "any, loopback or none"),
};
