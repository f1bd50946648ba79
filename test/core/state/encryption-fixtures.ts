import { randomBytes, randomUUID } from "node:crypto";
import type { EncryptionSettings, KeySource } from "../../../src/core/state/encryption/encryption-settings.ts";
import type { StorePorts } from "../../../src/core/state/state-store.ts";

const SECRETS: { readonly [name: string]: string } = {
  ONE: Buffer.alloc(32, 1).toString("base64"),
  TWO: Buffer.alloc(32, 2).toString("base64"),
  PHRASE: "a passphrase that is long enough",
  OTHER_PHRASE: "another passphrase, long enough, too",
  SHORT: "too short",
};

export function keyOf(name: string, where: "" | "fallback." = ""): KeySource {
  const kind = name.endsWith("PHRASE") || name === "SHORT" ? "passphrase" : "key";
  return { kind, source: { kind: "env", name }, setting: `state.encryption.${where}${kind}` };
}

/** The keys of a configuration, as NAME, or as MAIN|FALLBACK; the fallback may be `plain`. */
export function keys(main: string | null, fallback: string | null = null): EncryptionSettings {
  return {
    main: main === null ? null : keyOf(main),
    fallback: fallback === null || fallback === "plain" ? fallback : keyOf(fallback, "fallback."),
  };
}

export const KEYS = { one: keys("ONE"), oneOrPlain: keys("ONE", "plain"), two: keys("TWO"), phrase: keys("PHRASE") };

/** Real chance, and the secrets above. */
export function keyPorts(): Pick<StorePorts, "random" | "reveal"> & { readonly revealed: string[] } {
  const revealed: string[] = [];
  return {
    random: { uuid: () => randomUUID(), bytes: (count) => randomBytes(count) },
    revealed,
    reveal: (source) => {
      const name = source.kind === "env" ? source.name : "";
      revealed.push(name);
      return Promise.resolve(SECRETS[name] ?? "");
    },
  };
}
