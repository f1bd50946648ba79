import { getOrMake } from "../../model/maps.ts";
import { createHash, scrypt, type ScryptOptions } from "node:crypto";
import { promisify } from "node:util";
import { describeSource } from "../../model/declaration.ts";
import { DiagnosticsError } from "../../model/diagnostic.ts";
import type { Random } from "../../model/ports.ts";
import { stateUnreadable } from "../document.ts";
import type { StorePorts } from "../state-store.ts";
import { isKeyId, keyMalformed, keyWrong, passphraseShort } from "./encryption-errors.ts";
import type { EncryptionSettings, KeySource } from "./encryption-settings.ts";
import type { StoredKey, StoredScrypt } from "./envelope-format.ts";

/** A key that encrypts data. */
export interface DataKey {
  readonly secret: Buffer;
  /** The name in files. */
  readonly stored: StoredKey;
}

/** The keys of a configuration. Each secret is read once, when it is needed. */
export interface KeyRing {
  /** Whether new data is encrypted. */
  readonly encrypts: boolean;
  /** Whether what is in plain text is taken for this state's. */
  readonly readsPlain: boolean;
  /** Throws if there is no key for new data: in time, before a run sends anything. */
  check(): Promise<void>;
  /** The key for new data; null if it is not encrypted. The salt of a passphrase is the one that `find` saw last: it stays for the life of a state. */
  current(): Promise<DataKey | null>;
  /** The key of existing data called `name`. Throws `encryption_key_wrong` if there is no such key, naming those that were tried. */
  find(stored: StoredKey, name: string): Promise<{ readonly key: DataKey; readonly isCurrent: boolean }>;
}

/** 128 MB and about 0.4 s for a guess: the cost that OWASP recommends. */
const COST = { N: 131_072, r: 8, p: 1 } as const;
/** What a file may demand of a reader: 256 MB, and about 3 s. */
const MOST = { memory: 256 * 1024 * 1024, p: 4 } as const;
const LEAST_N = 16_384;
const SALT_BYTES = 16;
const KEY_BYTES = 32;
const MIN_PASSPHRASE = 16;
const ID_DIGITS = 12;

export function openKeyRing(
  { main, fallback }: EncryptionSettings,
  { reveal, random }: Pick<StorePorts, "reveal"> & { readonly random: Random },
): KeyRing {
  const texts = new Map<KeySource, Promise<string>>();
  let seen: StoredScrypt | null = null;
  const textOf = (source: KeySource): Promise<string> =>
    getOrMake(texts, source, () => reveal(source.source).then((value) => checked(source, value)));
  const keyOf = async (source: KeySource, stored: StoredScrypt | undefined): Promise<DataKey> => {
    const text = await textOf(source);
    return stored ? named(await derived(text, stored), stored) : named(Buffer.from(text, "base64"));
  };
  const newScrypt = (): StoredScrypt => ({ salt: Buffer.from(random.bytes(SALT_BYTES)).toString("base64"), ...COST });
  return {
    encrypts: main !== null,
    readsPlain: main === null || fallback === "plain",
    check: async () => void (main && (await textOf(main))),
    current: async () => {
      if (main === null) return null;
      if (main.kind === "key") return keyOf(main, undefined);
      // A later version may demand more of a guess.
      if (seen === null || seen.N !== COST.N || seen.r !== COST.r || seen.p !== COST.p) seen = newScrypt();
      return keyOf(main, seen);
    },
    find: async (stored, name) => {
      assertBounded(stored, name);
      const tried: string[] = [];
      for (const source of [main, fallback]) {
        if (source === null || source === "plain") continue;
        const from = `${source.setting} (${describeSource(source.source)})`;
        if ((source.kind === "passphrase") !== (stored.scrypt !== undefined)) {
          tried.push(
            source.kind === "key"
              ? `${from} is a key, but it needs a passphrase`
              : `${from} is a passphrase, but it needs a key`,
          );
          continue;
        }
        const key = await keyOf(source, stored.scrypt);
        if (key.stored.id !== stored.id) {
          tried.push(`${from} is the key ${key.stored.id}`);
          continue;
        }
        seen = stored.scrypt ?? seen;
        return { key, isCurrent: source === main };
      }
      throw new DiagnosticsError([keyWrong(name, stored.id, tried)]);
    },
  };
}

/** A file that somebody has made to stop its reader must not get much memory or time. */
function assertBounded(stored: Unchecked | null | undefined, name: string): void {
  if (!isKeyId(stored?.id)) throw stateUnreadable(name, "It does not name its key.");
  if (stored.scrypt === undefined) return;
  const { salt, ...numbers } = stored.scrypt ?? {};
  const [N = 0, r = 0, p = 0] = [numbers.N, numbers.r, numbers.p].map((value) =>
    Number.isInteger(value) ? Number(value) : 0,
  );
  const isPowerOfTwo = Number.isInteger(Math.log2(N));
  const isBounded = N >= LEAST_N && isPowerOfTwo && r > 0 && 128 * N * r <= MOST.memory && p > 0 && p <= MOST.p;
  if (!isBounded || typeof salt !== "string" || !/^[A-Za-z0-9+/=]{16,128}$/.test(salt))
    throw stateUnreadable(name, "Its passphrase has parameters that this version does not accept.");
}

/** What a file may have in the place of a `StoredKey`. */
interface Unchecked {
  readonly id?: unknown;
  readonly scrypt?: { readonly [name in keyof StoredScrypt]?: unknown } | null;
}

function checked(source: KeySource, value: string): string {
  if (source.kind === "passphrase") {
    if (value.length < MIN_PASSPHRASE) throw new DiagnosticsError([passphraseShort(source, MIN_PASSPHRASE)]);
  } else if (!/^[A-Za-z0-9+/]{43}=$/.test(value)) throw new DiagnosticsError([keyMalformed(source)]);
  return value;
}

function named(secret: Buffer, stored?: StoredScrypt): DataKey {
  const id = createHash("sha256").update("key id\n").update(secret).digest("hex").slice(0, ID_DIGITS);
  return { secret, stored: { id, ...(stored ? { scrypt: stored } : {}) } };
}

const known = new Map<string, Promise<Buffer>>();

/** Computed once in this process for the same passphrase and parameters: a saved plan and its state share them. */
function derived(passphrase: string, { salt, N, r, p }: StoredScrypt): Promise<Buffer> {
  const input = createHash("sha256")
    .update(JSON.stringify([passphrase, salt, N, r, p]))
    .digest("hex");
  const compute = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);
  return getOrMake(known, input, () =>
    compute(passphrase, Buffer.from(salt, "base64"), KEY_BYTES, { N, r, p, maxmem: 2 * MOST.memory }),
  );
}
