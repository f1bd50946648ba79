import { type Diagnostic, type Result, errorOf } from "../../model/diagnostic.ts";
import { parseUrl } from "../../model/parse-url.ts";
import { type BackendSettings, type SettingsOf, type SettingsSource, defineBackend } from "../backend.ts";
import { invalidSetting } from "../store-errors.ts";
import { gitlabLock, isGitLab } from "./gitlab.ts";
import { type HttpSettings, isHeaderValue } from "./http-settings.ts";

const SETTINGS = {
  address: {
    kind: "text",
    description: "URL of the state: https, or http on this machine.",
    isRequired: true,
    environment: ["TF_HTTP_ADDRESS"],
    examples: ["https://gitlab.example.com/api/v4/projects/7/terraform/state/production"],
  },
  lock_address: {
    kind: "text",
    description:
      "URL that locks the state. Required, unless lock is false. On GitLab, it defaults to the lock of the state.",
    environment: ["TF_HTTP_LOCK_ADDRESS"],
    examples: ["https://gitlab.example.com/api/v4/projects/7/terraform/state/production/lock"],
  },
  unlock_address: {
    kind: "text",
    description: "URL that unlocks the state. Default: lock_address.",
    environment: ["TF_HTTP_UNLOCK_ADDRESS"],
  },
  lock: {
    kind: "flag",
    description: "Whether runs lock the state. Without a lock, two runs at once can create duplicates.",
    default: true,
  },
  update_method: {
    kind: "text",
    description: "HTTP method that writes the state.",
    default: "POST",
    environment: ["TF_HTTP_UPDATE_METHOD"],
  },
  lock_method: {
    kind: "text",
    description: "HTTP method that locks. The lock of a state on GitLab always uses POST.",
    default: "LOCK",
    environment: ["TF_HTTP_LOCK_METHOD"],
  },
  unlock_method: {
    kind: "text",
    description: "HTTP method that unlocks. The lock of a state on GitLab always uses DELETE.",
    default: "UNLOCK",
    environment: ["TF_HTTP_UNLOCK_METHOD"],
  },
  username: { kind: "text", description: "User name for basic authentication.", environment: ["TF_HTTP_USERNAME"] },
  password: {
    kind: "secret",
    description: "Password, or access token, for basic authentication.",
    environment: ["TF_HTTP_PASSWORD"],
  },
  headers: { kind: "texts", description: "Headers to send with each request, as text or as a secret." },
  retry_max: {
    kind: "count",
    description: "How often to repeat a request that got no answer, 429, or 5xx other than 501.",
    default: 2,
    environment: ["TF_HTTP_RETRY_MAX"],
  },
  retry_wait_min: {
    kind: "count",
    description: "Seconds before the first repetition. The wait doubles each time.",
    default: 1,
    environment: ["TF_HTTP_RETRY_WAIT_MIN"],
  },
  retry_wait_max: {
    kind: "count",
    description: "Longest wait between repetitions, in seconds.",
    default: 30,
    environment: ["TF_HTTP_RETRY_WAIT_MAX"],
  },
} as const satisfies BackendSettings;

export const httpBackend = defineBackend({
  name: "http",
  description: "A server that speaks the protocol of Terraform's http backend, such as GitLab.",
  schemes: ["https", "http"],
  settings: SETTINGS,
  fromUrl: (address) => ({ value: { address }, diagnostics: [] }),
  open: (settings, source) => {
    const { value: read, diagnostics } = httpSettings(settings, source);
    return { value: read && (async (ports) => (await import("./http-store.ts")).httpStore(read, ports)), diagnostics };
  },
});

type Values = SettingsOf<typeof SETTINGS>;

/** Errors `state_setting_invalid` and `state_setting_missing`. No message contains a part of a URL that may be secret. */
export function httpSettings(values: Values, source: SettingsSource): Result<HttpSettings | null> {
  const diagnostics = [
    ...singleProblems(values, source),
    ...lockProblems(values, source),
    ...userProblems(values, source),
  ];
  return { value: diagnostics.length > 0 ? null : soundSettings(values, source), diagnostics };
}

function soundSettings(values: Values, source: SettingsSource): HttpSettings {
  const address = new URL(values.address);
  return {
    address,
    updateMethod: values.update_method,
    lock: values.lock ? (locksAsGitLab(values, source) ? gitlabLock(address) : namedLock(values)) : null,
    username: values.username,
    password: values.password,
    headers: values.headers.map(([name, value]) => [name.toLowerCase(), value]),
    retry: { max: values.retry_max, waitMinMs: values.retry_wait_min * 1000, waitMaxMs: values.retry_wait_max * 1000 },
  };
}

/**
 * Whether the state's lock is the one that GitLab has for it. The variables of a job may name the lock of another state, which Terraform
 * holds: only a configuration can name another lock.
 */
function locksAsGitLab({ address: text, lock_address: named }: Values, { origin }: SettingsSource): boolean {
  const address = parseUrl(text);
  if (!address || !isGitLab(address)) return false;
  return named === null || origin("lock_address").path.length === 0 || named === gitlabLock(address).address.href;
}

function namedLock({
  lock_address: address,
  lock_method: method,
  unlock_address: unlockAddress,
  unlock_method: unlockMethod,
}: Values): HttpSettings["lock"] {
  return {
    address: new URL(address ?? ""),
    method,
    unlockAddress: new URL(unlockAddress ?? address ?? ""),
    unlockMethod,
  };
}

const URLS = ["address", "lock_address", "unlock_address"] as const;
const METHODS = ["update_method", "lock_method", "unlock_method"] as const;

/** The problems of settings that can be judged alone. */
function singleProblems(values: Values, { origin }: SettingsSource): readonly Diagnostic[] {
  const invalid = (name: keyof Values, why: string, hint?: string): readonly Diagnostic[] => [
    invalidSetting(origin(name), why, hint),
  ];
  return [
    ...URLS.flatMap((name) => {
      const text = values[name];
      const problem = text === null ? null : urlProblem(text);
      return problem === null ? [] : invalid(name, problem.why, problem.hint);
    }),
    ...METHODS.flatMap((name) =>
      /^[A-Z]{1,20}$/.test(values[name])
        ? []
        : invalid(name, "It is not an HTTP method.", "Write a method in capitals, such as PUT."),
    ),
    ...(values.retry_wait_min <= values.retry_wait_max
      ? []
      : invalid("retry_wait_max", "It must not be less than retry_wait_min.")),
    ...values.headers.flatMap(([name, value]) => {
      if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name))
        return invalid("headers", `${JSON.stringify(name)} is not the name of a header.`);
      return typeof value === "string" && !isHeaderValue(value)
        ? invalid("headers", `The value of ${name} contains characters that a header cannot have.`)
        : [];
    }),
  ];
}

function urlProblem(text: string): { readonly why: string; readonly hint: string } | null {
  const url = parseUrl(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    return { why: "It is not a URL.", hint: "Write https://HOST/PATH." };
  if (url.username !== "" || url.password !== "")
    return {
      why: "A URL must not contain a user name or a password.",
      hint: `Set username and password, or ${variablesOf("username")} and ${variablesOf("password")}.`,
    };
  const isSecure = url.protocol === "https:" || /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
  return isSecure
    ? null
    : {
        why: "The state would cross the network unencrypted: http only reaches this machine.",
        hint: "Write https://.",
      };
}

function lockProblems(values: Values, source: SettingsSource): readonly Diagnostic[] {
  if (!values.lock || values.lock_address !== null || locksAsGitLab(values, source)) return [];
  return [
    errorOf("state_setting_missing", "Missing state setting", {
      detail: "The state backend http needs lock_address: without a lock, two runs at once can create duplicates.",
      hint: source.isUrl
        ? `Set ${variablesOf("lock_address")}.`
        : `Set lock_address, or ${variablesOf("lock_address")}. If nothing else ever changes this state, set lock: false.`,
      path: ["backend"],
    }),
  ];
}

/** A password without a user name would silently not be sent. */
function userProblems({ username, password }: Values, { origin }: SettingsSource): readonly Diagnostic[] {
  if (password === null || username !== null) return [];
  return [
    invalidSetting(
      origin("username"),
      "It is not set, but password is.",
      `Set username, or ${variablesOf("username")}.`,
    ),
  ];
}

function variablesOf(name: "username" | "password" | "lock_address"): string {
  return SETTINGS[name].environment.join(" or ");
}
