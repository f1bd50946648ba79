const SECRET = { $ref: "#/$defs/secret" };

/** Editors would offer no key where one is about to be typed, if only one were allowed. */
const NOT_BOTH = { not: { required: ["passphrase", "key"] } };

/** `state.encryption`: for every backend. */
export const ENCRYPTION = {
  type: "object",
  additionalProperties: false,
  minProperties: 1,
  ...NOT_BOTH,
  description: "Encrypts the state, its journal and backup, and saved plans, with AES-256-GCM. With only a fallback, the next apply stores them in plain text.",
  properties: {
    passphrase: { ...SECRET, description: "Source of a passphrase of at least 16 characters. The key is derived from it by scrypt." },
    key: { ...SECRET, description: "Source of a key: 32 random bytes in base64, as openssl rand -base64 32 prints them." },
    fallback: {
      description: "The previous passphrase or key, while it changes: it only decrypts. Or plain, while a state in plain text is encrypted for the first time.",
      oneOf: [
        { const: "plain", description: "Reads a state in plain text. The next apply encrypts it." },
        {
          type: "object",
          additionalProperties: false,
          minProperties: 1,
          ...NOT_BOTH,
          properties: {
            passphrase: { ...SECRET, description: "Source of the previous passphrase." },
            key: { ...SECRET, description: "Source of the previous key." },
          },
        },
      ],
    },
  },
  examples: [{ passphrase: { env: "STATE_PASSPHRASE" } }],
};
