import { expect, test } from "vitest";
import { type EncryptionSettings, readEncryption } from "../../../src/core/state/encryption/encryption-settings.ts";

const env = (name: string) => ({ kind: "env", name }) as const;

test.each<readonly [Parameters<typeof readEncryption>[0], EncryptionSettings]>([
  [
    { passphrase: { env: "P" } },
    { main: { kind: "passphrase", source: env("P"), setting: "state.encryption.passphrase" }, fallback: null },
  ],
  [
    { key: { file: "k" } },
    { main: { kind: "key", source: { kind: "file", path: "k" }, setting: "state.encryption.key" }, fallback: null },
  ],
  [
    { key: { env: "K" }, fallback: { passphrase: { env: "P" } } },
    {
      main: { kind: "key", source: env("K"), setting: "state.encryption.key" },
      fallback: { kind: "passphrase", source: env("P"), setting: "state.encryption.fallback.passphrase" },
    },
  ],
  [
    { fallback: { key: { env: "K" } } },
    { main: null, fallback: { kind: "key", source: env("K"), setting: "state.encryption.fallback.key" } },
  ],
])("state.encryption may be %j", (given, value) => {
  expect(readEncryption(given)).toEqual({ value, diagnostics: [] });
});

const NO_KEY = "It has neither a passphrase nor a key.";
const REFERENCE = "It is a secret, so a configuration only refers to it.";

test.each<readonly [Parameters<typeof readEncryption>[0], readonly (readonly [place: string, why: string])[]]>([
  ["secret", [["", "state.encryption must be a map."]]],
  [null, [["", "state.encryption must be a map."]]],
  [[], [["", "state.encryption must be a map."]]],
  [{}, [["", NO_KEY]]],
  [
    { passphrase: { env: "P" }, key: { env: "K" } },
    [["", "It has a passphrase and a key, but only one of them can encrypt."]],
  ],
  [{ password: { env: "P" } }, [["password", "There is no setting state.encryption.password."]]],
  [{ passphrase: "hunter2" }, [["passphrase", REFERENCE]]],
  [{ key: { env: "a b" } }, [["key", REFERENCE]]],
  [{ key: { env: "K" }, fallback: "hunter2" }, [["fallback", "It is neither plain nor a passphrase or a key."]]],
  [{ fallback: "plain" }, [["", NO_KEY]]],
  [{ key: { env: "K" }, fallback: {} }, [["fallback", NO_KEY]]],
  [
    { key: { env: "K" }, fallback: { pass: 1 } },
    [["fallback.pass", "There is no setting state.encryption.fallback.pass."]],
  ],
  [
    { key: "hunter2", fallback: { passphrase: "hunter2" } },
    [
      ["key", REFERENCE],
      ["fallback.passphrase", REFERENCE],
    ],
  ],
])("state.encryption cannot be %j", (given, problems) => {
  const { value, diagnostics } = readEncryption(given);
  expect(value).toBeNull();
  expect(diagnostics).toEqual(
    problems.map(([place, why]) => {
      const names = place === "" ? [] : place.split(".");
      const detail = `${["state.encryption", ...names].join(".")} is not valid. ${why}`;
      return expect.objectContaining({
        code: "state_setting_invalid",
        severity: "error",
        detail,
        path: ["encryption", ...names],
      }) as unknown;
    }),
  );
  expect(JSON.stringify(diagnostics)).not.toContain("hunter2");
});
