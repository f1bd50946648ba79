import type { SecretSource } from "../../model/declaration.ts";
import { type Diagnostic, type Result, errorOf } from "../../model/diagnostic.ts";
import type { Path } from "../../model/path.ts";
import type { Value } from "../../model/value.ts";
import { secretSource, isMap } from "../settings.ts";

/** Where a key comes from. */
export interface KeySource {
  /** A passphrase becomes a key by scrypt; a key is 32 bytes in base64. */
  readonly kind: "passphrase" | "key";
  readonly source: SecretSource;
  /** The setting, for messages. */
  readonly setting: string;
}

/** Which keys encrypt a state. At least one of them is set. */
export interface EncryptionSettings {
  /** Encrypts what is written, and decrypts. Null: what is written is not encrypted any more. */
  readonly main: KeySource | null;
  /** The key or form that is only read, while the key changes; `plain`: what is in plain text is read, while a state is encrypted for the first time. */
  readonly fallback: KeySource | "plain" | null;
}

const SETTING = "state.encryption";

const PLAIN = "plain";

/** Reads `{ passphrase }` or `{ key }`, with or without `fallback`. Errors `state_setting_invalid`, each with its path below the setting. */
export function readEncryption(given: Value): Result<EncryptionSettings | null> {
  if (!isMap(given)) return invalid([], `${SETTING} must be a map.`);
  const { fallback, ...own } = given;
  const main = readKey(own, []);
  const old = readFallback(fallback);
  const diagnostics = [...main.diagnostics, ...old.diagnostics];
  if (diagnostics.length > 0) return { value: null, diagnostics };
  if (fallback !== undefined && old.value === null) return invalid(["fallback"], NO_KEY);
  if (old.value === PLAIN && main.value === null) return invalid([], NO_KEY);
  return main.value || old.value
    ? { value: { main: main.value, fallback: old.value }, diagnostics: [] }
    : invalid([], NO_KEY);
}

const NO_KEY = "It has neither a passphrase nor a key.";

function readFallback(fallback: Value | undefined): Result<KeySource | typeof PLAIN | null> {
  if (fallback === undefined || fallback === PLAIN) return { value: fallback ?? null, diagnostics: [] };
  return isMap(fallback)
    ? readKey(fallback, ["fallback"])
    : invalid(["fallback"], `It is neither ${PLAIN} nor a passphrase or a key.`);
}

function readKey(given: { readonly [name: string]: Value }, path: Path): Result<KeySource | null> {
  const unknown = Object.keys(given).find((name) => name !== "passphrase" && name !== "key");
  if (unknown !== undefined)
    return invalid([...path, unknown], `There is no setting ${[SETTING, ...path, unknown].join(".")}.`);
  const { passphrase, key } = given;
  if (passphrase !== undefined && key !== undefined)
    return invalid(path, "It has a passphrase and a key, but only one of them can encrypt.");
  const [kind, reference] = passphrase === undefined ? (["key", key] as const) : (["passphrase", passphrase] as const);
  if (reference === undefined) return { value: null, diagnostics: [] };
  const source = secretSource(reference);
  if (source === null) return invalid([...path, kind], "It is a secret, so a configuration only refers to it.");
  return { value: { kind, source, setting: [SETTING, ...path, kind].join(".") }, diagnostics: [] };
}

function invalid(path: Path, why: string): Result<null> {
  const diagnostic: Diagnostic = errorOf("state_setting_invalid", "Invalid state setting", {
    detail: `${[SETTING, ...path].join(".")} is not valid. ${why}`,
    hint: "Write passphrase: REF or key: REF, where REF is { env: NAME }, { file: PATH } or { command: [PROGRAM, ARGUMENT] }.",
    path: ["encryption", ...path],
  });
  return { value: null, diagnostics: [diagnostic] };
}
