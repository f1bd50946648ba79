import type { StateSection } from "../../core/config/block.ts";
import { type Diagnostic, DiagnosticsError, type Result, errorOf, warningOf } from "../../core/model/diagnostic.ts";
import { hasUnknown } from "../../core/model/value.ts";
import { type EncryptionSettings, readEncryption } from "../../core/state/encryption/encryption-settings.ts";
import type { OpenState } from "../../core/state/open-state.ts";
import type { KeyChange, StateStore } from "../../core/state/state-store.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import { settingValue } from "../configuration/setting-text.ts";

/** The keys that a configuration names; null if it names none. Throws for mistakes in them, and before those for variables without a value. */
export function soundEncryption(loaded: LoadedConfiguration): EncryptionSettings | null {
  const { value, diagnostics } = configuredEncryption(loaded);
  if (diagnostics.length > 0) throw new DiagnosticsError(loaded.missing.length > 0 ? loaded.missing : diagnostics);
  return value;
}

/** The keys that a configuration names, with the mistakes in them as values. */
export function configuredEncryption(loaded: LoadedConfiguration): Result<EncryptionSettings | null> {
  const { settings, locate } = loaded.configuration.state;
  const { encryption } = settings;
  if (encryption === undefined) return { value: null, diagnostics: [] };
  const { value: given, diagnostics: wrong } = settingValue(encryption, loaded, (written) =>
    locate?.(["encryption"], written),
  );
  if (wrong.length > 0) return { value: null, diagnostics: wrong };
  const { value, diagnostics } = given === null || hasUnknown(given) ? keyUnknown() : readEncryption(given);
  return { value, diagnostics: diagnostics.map((one) => withPlace(one, locate)) };
}

/** The diagnostic with its place in the section of the state. */
export function withPlace(diagnostic: Diagnostic, locate: StateSection["locate"]): Diagnostic {
  const place = locate?.(diagnostic.path ?? []);
  return place ? { ...diagnostic, place } : diagnostic;
}

function keyUnknown(): Result<null> {
  const diagnostic: Diagnostic = errorOf("state_setting_invalid", "Invalid state setting", {
    detail: "state.encryption refers to a variable that has no value.",
    ways: [{ kind: "set-variable", name: null, sensitive: false }],
    path: ["encryption"],
  });
  return { value: null, diagnostics: [diagnostic] };
}

/** Notes how the next write changes the encryption: nothing else shows it. Warns where plain text is accepted for longer than that. */
export function keyChangeNote({ name, encryption }: StateStore, { keyChange }: OpenState): readonly Diagnostic[] {
  if (keyChange) return [{ code: "state_key_change", severity: "note", ...KEY_CHANGES[keyChange](name) }];
  return encryption?.acceptsPlain ? [plainAccepted(name)] : [];
}

const KEY_CHANGES: { readonly [K in KeyChange]: (name: string) => Pick<Diagnostic, "summary" | "detail"> } = {
  encrypt: (name) => ({
    summary: "The state is not encrypted yet",
    detail: `The next apply encrypts ${name}, even if it changes nothing else. Afterwards, state.encryption.fallback can go.`,
  }),
  "change-key": (name) => ({
    summary: "The state is encrypted with the fallback key",
    detail: `The next apply encrypts ${name} with the new key, even if it changes nothing else. Afterwards, state.encryption.fallback can go.`,
  }),
  decrypt: (name) => ({
    summary: "The state will not be encrypted any more",
    detail: `state.encryption has only a fallback. The next apply stores ${name} in plain text, even if it changes nothing else. Afterwards, state.encryption can go.`,
  }),
};

function plainAccepted(name: string): Diagnostic {
  return warningOf("state_plain_accepted", "Plain text is still accepted", {
    detail: `${name} needs no migration, but state.encryption.fallback is plain: who can write there could replace it by a state in plain text.`,
    hint: "Remove state.encryption.fallback.",
  });
}
