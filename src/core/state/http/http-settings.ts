import type { SecretSource } from "../../model/declaration.ts";
import type { Diagnostic, Result } from "../../model/diagnostic.ts";
import { HTTP_BACKEND } from "../../model/state-backends/http.ts";
import { gitlabLock, isGitLab } from "./gitlab.ts";
import { type ReadSettings, invalidSetting } from "../settings.ts";
import { parseUrl } from "../../model/url.ts";

/** Sound settings of the http backend. */
export interface HttpSettings {
  readonly address: URL;
  readonly updateMethod: string;
  /** Null where runs do not lock the state. */
  readonly lock: { readonly address: URL; readonly method: string; readonly unlockAddress: URL; readonly unlockMethod: string } | null;
  readonly username: string | null;
  readonly password: SecretSource | null;
  /** Names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string | SecretSource])[];
  readonly retry: { readonly max: number; readonly waitMinMs: number; readonly waitMaxMs: number };
}

/** Errors `state_setting_invalid` and `state_setting_missing`. No message contains a part of a URL that may be secret. */
export function httpSettings(settings: ReadSettings): Result<HttpSettings | null> {
  const diagnostics = [...URLS, ...METHODS, ...RETRIES, ...HEADERS].flatMap((check) => check(settings)).concat(lockProblems(settings), userProblems(settings));
  return { value: diagnostics.length > 0 ? null : soundSettings(settings), diagnostics };
}

function soundSettings(settings: ReadSettings): HttpSettings {
  const text = (name: string): string => settings.text(name) ?? "";
  const address = new URL(text("address"));
  return {
    address,
    updateMethod: text("update_method"),
    lock: settings.flag("lock") === false ? null : locksAsGitLab(settings) ? gitlabLock(address) : namedLock(settings),
    username: settings.text("username"),
    password: settings.secret("password"),
    headers: settings.texts("headers").map(([name, value]) => [name.toLowerCase(), value]),
    retry: {
      max: countOf(settings, "retry_max"),
      waitMinMs: countOf(settings, "retry_wait_min") * 1000,
      waitMaxMs: countOf(settings, "retry_wait_max") * 1000,
    },
  };
}

/**
 * Whether the state's lock is the one that GitLab has for it. The variables of a job may name the lock of another state, which Terraform
 * holds: only a configuration can name another lock.
 */
function locksAsGitLab(settings: ReadSettings): boolean {
  const address = parseUrl(settings.text("address") ?? "");
  if (!address || !isGitLab(address)) return false;
  const named = settings.text("lock_address");
  return named === null || settings.origin("lock_address").path.length === 0 || named === gitlabLock(address).address.href;
}

function namedLock(settings: ReadSettings): HttpSettings["lock"] {
  const address = settings.text("lock_address") ?? "";
  return {
    address: new URL(address),
    method: settings.text("lock_method") ?? "",
    unlockAddress: new URL(settings.text("unlock_address") ?? address),
    unlockMethod: settings.text("unlock_method") ?? "",
  };
}

/** Each of them has a default. */
function countOf(settings: ReadSettings, name: string): number {
  return settings.count(name) ?? 0;
}

type Check = (settings: ReadSettings) => readonly Diagnostic[];

const URLS = ["address", "lock_address", "unlock_address"].map((name): Check => (settings) => {
  const text = settings.text(name);
  const problem = text === null ? null : urlProblem(text);
  return problem === null ? [] : [invalidSetting(settings.origin(name), problem.why, problem.hint)];
});

function urlProblem(text: string): { readonly why: string; readonly hint: string } | null {
  const url = parseUrl(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return { why: "It is not a URL.", hint: "Write https://HOST/PATH." };
  if (url.username !== "" || url.password !== "")
    return {
      why: "A URL must not contain a user name or a password.",
      hint: `Set username and password, or ${variablesOf("username")} and ${variablesOf("password")}.`,
    };
  const isSecure = url.protocol === "https:" || /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
  return isSecure ? null : { why: "The state would cross the network unencrypted: http only reaches this machine.", hint: "Write https://." };
}

const METHODS = ["update_method", "lock_method", "unlock_method"].map((name): Check => (settings) => {
  return /^[A-Z]{1,20}$/.test(settings.text(name) ?? "")
    ? []
    : [invalidSetting(settings.origin(name), "It is not an HTTP method.", "Write a method in capitals, such as PUT.")];
});

const RETRIES: readonly Check[] = [
  (settings) => {
    const isSound = countOf(settings, "retry_wait_min") <= countOf(settings, "retry_wait_max");
    return isSound ? [] : [invalidSetting(settings.origin("retry_wait_max"), "It must not be less than retry_wait_min.")];
  },
];

const HEADERS: readonly Check[] = [
  (settings) =>
    settings.texts("headers").flatMap(([name, value]) => {
      if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return [invalidSetting(settings.origin("headers"), `${JSON.stringify(name)} is not the name of a header.`)];
      return typeof value === "string" && !isHeaderValue(value)
        ? [invalidSetting(settings.origin("headers"), `The value of ${name} contains characters that a header cannot have.`)]
        : [];
    }),
];

/** Whether HTTP can carry it. */
export function isHeaderValue(text: string): boolean {
  return /^[\t\x20-\x7E\x80-\xFF]*$/.test(text);
}

function lockProblems(settings: ReadSettings): readonly Diagnostic[] {
  if (settings.flag("lock") === false || settings.text("lock_address") !== null || locksAsGitLab(settings)) return [];
  return [
    {
      code: "state_setting_missing",
      severity: "error",
      summary: "Missing state setting",
      detail: "The state backend http needs lock_address: without a lock, two runs at once can create duplicates.",
      hint: settings.isUrl
        ? `Set ${variablesOf("lock_address")}.`
        : `Set lock_address, or ${variablesOf("lock_address")}. If nothing else ever changes this state, set lock: false.`,
      path: ["backend"],
    },
  ];
}

/** Without a user name, the password would silently not be sent. */
function userProblems(settings: ReadSettings): readonly Diagnostic[] {
  if (settings.secret("password") === null || settings.text("username") !== null) return [];
  return [invalidSetting(settings.origin("username"), "It is not set, but password is.", `Set username, or ${variablesOf("username")}.`)];
}

function variablesOf(name: string): string {
  return HTTP_BACKEND.settings.find((setting) => setting.name === name)?.environment?.join(" or ") ?? "";
}
