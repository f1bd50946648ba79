import { capitalised } from "../../model/words.ts";
import { type Diagnostic, errorOf } from "../../model/diagnostic.ts";
import { describeSource } from "../../model/declaration.ts";
import type { Readable } from "../state-store.ts";
import type { KeySource } from "./encryption-settings.ts";

/** Whether this may be the id of a key: a file may have anything in its place. */
export function isKeyId(id: unknown): id is string {
  return typeof id === "string" && /^[0-9a-f]{1,64}$/.test(id);
}

/** The error of a reader without keys. */
export function encryptedWithoutKey(name: string, keyId: unknown): Diagnostic {
  return errorOf("state_encrypted", "The state is encrypted", {
    detail: `${name} is encrypted${isKeyId(keyId) ? ` with the key ${keyId}` : ""}, and there is no key to decrypt it. Nothing was changed.`,
    hint: "Set state.encryption in the configuration to the passphrase or key that it was encrypted with.",
    ways: [{ kind: "name-configuration" }],
  });
}

/** `tried`: each key, and why it is not the right one. */
export function keyWrong(name: string, keyId: string, tried: readonly string[]): Diagnostic {
  return errorOf("encryption_key_wrong", "Encrypted with another key", {
    detail: `${name} is encrypted with the key ${keyId}. Tried: ${tried.join("; ")}. Nothing was changed.`,
    hint: "Set the key that it was encrypted with. To change the key, set the new one in state.encryption, and the old one in state.encryption.fallback.",
  });
}

const STATE_HINT =
  "If it was never encrypted, set state.encryption.fallback to plain: the next apply encrypts it. Then remove the fallback.\nOtherwise somebody has replaced it: restore it from a copy of your own.";
const PLAN_HINT =
  "Make a new plan, review it, and apply it. Plans in plain text are accepted only where state.encryption.fallback is plain, while the state is encrypted for the first time.";

/** Plain text where the configuration encrypts: who can write there has no key. */
export function notEncrypted(kind: Readable["kind"] | "journal", name: string): Diagnostic {
  return errorOf(kind === "plan" ? "plan_not_encrypted" : "state_not_encrypted", `The ${kind} is not encrypted`, {
    detail: `state.encryption is set, but ${name} is in plain text, so anybody who can write there can have made it. Nothing of it was read or changed.`,
    hint: kind === "plan" ? PLAN_HINT : STATE_HINT,
  });
}

export function keyMalformed({ source, setting }: KeySource): Diagnostic {
  return errorOf("encryption_key_invalid", "Invalid encryption key", {
    detail: `${capitalised(describeSource(source))}, which ${setting} names, is not a key: a key is 32 random bytes in base64, 44 characters.`,
    hint: "Make one with: openssl rand -base64 32\nFor a text of your own, use passphrase.",
  });
}

export function passphraseShort({ source, setting }: KeySource, min: number): Diagnostic {
  return errorOf("encryption_key_invalid", "Invalid encryption key", {
    detail: `${capitalised(describeSource(source))}, which ${setting} names, is shorter than ${String(min)} characters. A short passphrase can be guessed.`,
    hint: "Make one with: openssl rand -base64 24",
  });
}
