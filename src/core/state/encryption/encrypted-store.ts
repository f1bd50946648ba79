import { isRecord, parseJson } from "../../model/shape.ts";
import { UnreadableState } from "../document.ts";
import type { Encryption, Readable, StateStore, StorePorts } from "../state-store.ts";
import { encryptedJournal } from "./encrypted-journal.ts";
import type { EncryptionSettings } from "./encryption-settings.ts";
import { envelopes } from "./envelope.ts";
import { openKeyRing } from "./key-ring.ts";

/** What this handle knows of the stored state. */
interface ReadState {
  readonly version: string;
  /** The decrypted state, if the next write changes its encryption. */
  readonly outdated: Uint8Array | null;
}

/**
 * Encrypts everything that a store keeps: state, backup and journal. What is not encrypted yet, or with the fallback key, is
 * read, and written with the current key. With another key nothing is read, and so nothing is written.
 */
export function encryptedStore(
  store: StateStore,
  settings: EncryptionSettings,
  ports: Pick<StorePorts, "random" | "reveal">,
): StateStore {
  const { random } = ports;
  const ring = openKeyRing(settings, ports);
  const encryption = envelopes(ring, random);
  const { journal, backup } = store;
  let seen: ReadState | null = null;

  async function read(signal: AbortSignal): ReturnType<StateStore["read"]> {
    const stored = await store.read(signal);
    if (stored === null) {
      await ring.check();
      return null;
    }
    const { version } = stored;
    const { bytes, keyChange } = await encryption.open(stored.bytes, "state", store.name).catch((error: unknown) => {
      if (error instanceof UnreadableState) {
        // A forced write may replace what nobody can read.
        error.version = version;
        seen = { version, outdated: null };
      }
      throw error;
    });
    seen = { version, outdated: keyChange && bytes.slice() };
    return { bytes, version, ...(keyChange ? { keyChange } : {}) };
  }

  return {
    ...store,
    encryption,
    read,
    write: async (bytes, expected, signal) => {
      signal.throwIfAborted();
      // A run that cannot read the state must not replace it.
      if (expected !== null && seen?.version !== expected) await read(signal);
      const outdated = seen?.version === expected ? seen.outdated : null;
      // The store keeps what was there before as the backup: under this key, too.
      const current =
        outdated && backup ? await store.write(await sealed(outdated, encryption), expected, signal) : expected;
      const version = await store.write(await sealed(bytes, encryption), current, signal);
      seen = { version, outdated: null };
      return version;
    },
    backup: backup && {
      ...backup,
      read: async (signal) => {
        const bytes = await backup.read(signal);
        return bytes && (await encryption.open(bytes, "state", backup.name)).bytes;
      },
    },
    journal: journal && encryptedJournal(journal, { ring, random }),
  };
}

function sealed(bytes: Uint8Array, encryption: Encryption): Promise<Uint8Array> {
  return encryption.seal(bytes, readableOf(bytes));
}

/** Some stores demand the serial of each state at the top level of its JSON. */
function readableOf(bytes: Uint8Array): Readable {
  const document = parseJson(bytes);
  const { lineage, serial, movedTo } = isRecord(document) ? document : {};
  return {
    kind: "state",
    ...(typeof lineage === "string" ? { lineage } : {}),
    ...(typeof serial === "number" ? { serial } : {}),
    ...(typeof movedTo === "string" ? { movedTo } : {}),
  };
}
