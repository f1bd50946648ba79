import { parseJson } from "../../model/shape.ts";
import type { Random } from "../../model/ports.ts";
import { canonicalJson } from "../../model/value.ts";
import { DiagnosticsError } from "../../model/diagnostic.ts";
import { UnreadableState, isPlaceName, stateMoved, stateUnreadable } from "../document.ts";
import type { Encryption, StorePorts } from "../state-store.ts";
import { NONCE_BYTES, decrypted, encrypted } from "./cipher.ts";
import { notEncrypted } from "./encryption-errors.ts";
import type { EncryptionSettings } from "./encryption-settings.ts";
import { type Envelope, parseEnvelope } from "./envelope-format.ts";
import { type KeyRing, openKeyRing } from "./key-ring.ts";

/** The encryption of a configuration. */
export function openEnvelopes(settings: EncryptionSettings, ports: Pick<StorePorts, "random" | "reveal">): Encryption {
  return envelopes(openKeyRing(settings, ports), ports.random);
}

/** Encrypts documents into envelopes, and opens them. */
export function envelopes(ring: KeyRing, random: Random): Encryption {
  return {
    acceptsPlain: ring.encrypts && ring.readsPlain,
    seal: async (bytes, readable) => {
      const key = await ring.current();
      if (key === null) return bytes;
      const nonce = random.bytes(NONCE_BYTES);
      const header: Omit<Envelope, "data"> = {
        encryption: 1,
        ...readable,
        key: key.stored,
        nonce: Buffer.from(nonce).toString("base64"),
      };
      const data = encrypted(bytes, { key: key.secret, nonce, header: canonicalJson(header) }).toString("base64");
      return new TextEncoder().encode(`${JSON.stringify({ ...header, data }, null, 2)}\n`);
    },
    open: async (bytes, kind, name) => {
      const envelope = parseEnvelope(bytes);
      if (envelope === null) {
        await ring.check();
        if (!ring.readsPlain)
          throw parseJson(bytes) === undefined
            ? stateUnreadable(name, "It is not JSON.")
            : new UnreadableState([notEncrypted(kind, name)]);
        return { bytes, keyChange: ring.encrypts ? "encrypt" : null };
      }
      if (envelope.encryption !== 1)
        throw stateUnreadable(
          name,
          `It is encrypted in format ${JSON.stringify(envelope.encryption)}. A newer version wrote it.`,
        );
      const { data, ...header } = envelope;
      if (header.kind !== kind || typeof header.nonce !== "string" || typeof data !== "string")
        throw stateUnreadable(name, `It is not an encrypted ${kind}.`);
      const { key, isCurrent } = await ring.find(header.key, name).catch((error: unknown) => {
        // Only a message follows from what nobody has authenticated.
        throw isPlaceName(header.movedTo)
          ? new DiagnosticsError([stateMoved(name, header.movedTo)], { cause: error })
          : error;
      });
      const content = { key: key.secret, nonce: Buffer.from(header.nonce, "base64"), header: canonicalJson(header) };
      const plain = decrypted(Buffer.from(data, "base64"), content);
      if (plain === null)
        throw stateUnreadable(
          name,
          "The key is right, but the content does not match its seal: the file was changed or damaged.",
        );
      return { bytes: plain, keyChange: isCurrent ? null : ring.encrypts ? "change-key" : "decrypt" };
    },
  };
}
