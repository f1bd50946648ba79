import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type MovedState, encodeMovedState, encodeState } from "../../../src/core/state/document.ts";
import { encryptedStore } from "../../../src/core/state/encryption/encrypted-store.ts";
import type { EncryptionSettings } from "../../../src/core/state/encryption/encryption-settings.ts";
import { type Envelope, parseEnvelope } from "../../../src/core/state/encryption/envelope-format.ts";
import { type MemoryPlace, memoryPlace, memoryStore } from "./memory-store.ts";
import { encodeForFile, readState, writeState } from "../../../src/core/state/open-state.ts";
import type { StateStore } from "../../../src/core/state/state-store.ts";
import { virtualClock } from "../virtual-clock.ts";
import { KEYS, keyPorts, keys } from "./encryption-fixtures.ts";
import { NEVER, countingRandom, document } from "./state-fixtures.ts";

const clock = virtualClock();
const failure = (code: string, detail: string | RegExp = "") => ({
  diagnostics: [{ code, severity: "error", detail: expect.stringMatching(detail) as string }],
});
const text = (bytes: Uint8Array | null | undefined): string => new TextDecoder().decode(bytes ?? new Uint8Array());
const bytes = (written: string): Uint8Array => new TextEncoder().encode(written);
const PLAIN = encodeState(document());
const MOVED: MovedState = { format: 1, lineage: "line", serial: 4, movedTo: "elsewhere" };

function open(place: MemoryPlace, settings: EncryptionSettings): StateStore {
  return encryptedStore(memoryStore(clock, place), settings, keyPorts());
}

/** A place with the state of the fixtures, under these keys; null for plain text. */
async function placeWith(settings: EncryptionSettings | null): Promise<MemoryPlace> {
  const place = memoryPlace();
  await (settings ? open(place, settings) : memoryStore(clock, place)).write(PLAIN, null, NEVER);
  return place;
}

function envelopeIn({ stored }: MemoryPlace): Envelope {
  return parseEnvelope(stored?.bytes ?? new Uint8Array()) ?? expect.fail("not encrypted");
}

function put(place: MemoryPlace, content: string): void {
  place.stored = { bytes: bytes(content), version: "changed" };
}

describe("an encrypted state", () => {
  test("shows its lineage and its serial at the top level of its JSON, and nothing else of the state", async () => {
    const place = await placeWith(KEYS.one);
    const { data, nonce, key, ...readable } = envelopeIn(place);
    expect(readable).toEqual({ encryption: 1, kind: "state", lineage: "line", serial: 3 });
    expect(key).toEqual({ id: expect.stringMatching(/^[0-9a-f]{12}$/) as string });
    expect(Buffer.from(nonce, "base64")).toHaveLength(12);
    expect(Buffer.from(data, "base64")).toHaveLength(PLAIN.length + 16);
    for (const word of ["toy_thing", "toys.example", "ball", "0707"])
      expect(text(place.stored?.bytes)).not.toContain(word);
  });

  test("is read back by another run, and encrypted with another nonce by each write", async () => {
    const place = await placeWith(KEYS.one);
    const { nonce } = envelopeIn(place);
    const store = open(place, KEYS.one);
    const read = await readState(store, countingRandom(), NEVER);
    expect(read.document).toEqual(document());
    expect(read.keyChange).toBeUndefined();
    await writeState(store, read, NEVER);
    expect(envelopeIn(place)).toMatchObject({ serial: 4 });
    expect(envelopeIn(place).nonce).not.toBe(nonce);
  });

  test("cannot be read without a key, which the error says", async () => {
    const place = await placeWith(KEYS.one);
    const { id } = envelopeIn(place).key;
    await expect(readState(memoryStore(clock, place), countingRandom(), NEVER)).rejects.toMatchObject(
      failure("state_encrypted", id),
    );
  });

  test("is neither read nor written with another key; the error names both keys, and no secret", async () => {
    const place = await placeWith(KEYS.one);
    const before = place.stored;
    const { id } = envelopeIn(place).key;
    const wrong = new RegExp(
      `key ${id}.*state\\.encryption\\.key \\(the environment variable TWO\\) is the key [0-9a-f]{12}`,
    );
    const store = open(place, KEYS.two);
    await expect(store.read(NEVER)).rejects.toMatchObject(failure("encryption_key_wrong", wrong));
    await expect(store.write(PLAIN, before?.version ?? null, NEVER)).rejects.toMatchObject(
      failure("encryption_key_wrong", wrong),
    );
    await expect(open(place, keys("TWO", "PHRASE")).read(NEVER)).rejects.toMatchObject(
      failure(
        "encryption_key_wrong",
        /TWO\) is the key .*fallback\.passphrase \(the environment variable PHRASE\) is a passphrase, but it needs a key/,
      ),
    );
    expect(place.stored).toBe(before);
  });

  test.each([
    ["serial", (envelope: Envelope) => ({ ...envelope, serial: 99 })],
    ["lineage", (envelope: Envelope) => ({ ...envelope, lineage: "other" })],
    ["kind", (envelope: Envelope) => ({ ...envelope, kind: "plan" })],
    ["nonce", (envelope: Envelope) => ({ ...envelope, nonce: Buffer.alloc(12).toString("base64") })],
    ["nonce, which is too short", (envelope: Envelope) => ({ ...envelope, nonce: "AAAA" })],
    ["nonce, which is gone", ({ nonce: _, ...envelope }: Envelope) => envelope],
    ["data, which is gone", ({ data: _, ...envelope }: Envelope) => envelope],
    ["data, which is empty", (envelope: Envelope) => ({ ...envelope, data: "" })],
    ["data, which is cut off", (envelope: Envelope) => ({ ...envelope, data: envelope.data.slice(0, 400) })],
    ["key, which is gone", ({ key: _, ...envelope }: Envelope) => envelope],
    ["further field", (envelope: Envelope) => ({ ...envelope, more: 1 })],
    ["format", (envelope: Envelope) => ({ ...envelope, encryption: 2 })],
  ])("with a changed %s is refused", async (_, change) => {
    const place = await placeWith(KEYS.one);
    put(place, JSON.stringify(change(envelopeIn(place))));
    await expect(open(place, KEYS.one).read(NEVER)).rejects.toMatchObject(failure("state_unreadable"));
  });

  test("with any one changed byte of its content is refused", async () => {
    const place = await placeWith(KEYS.one);
    const envelope = envelopeIn(place);
    const data = Buffer.from(envelope.data, "base64");
    await fc.assert(
      fc.asyncProperty(fc.nat(data.length - 1), fc.integer({ min: 1, max: 255 }), async (at, difference) => {
        const changed = Buffer.from(data);
        changed[at] = (changed[at] ?? 0) ^ difference;
        put(place, JSON.stringify({ ...envelope, data: changed.toString("base64") }));
        await expect(open(place, KEYS.one).read(NEVER)).rejects.toMatchObject(failure("state_unreadable"));
      }),
      { numRuns: 300 },
    );
  });

  test("that is cut off anywhere is never taken for a state", async () => {
    const place = await placeWith(KEYS.one);
    const whole = text(place.stored?.bytes);
    // Without the final newline it is whole.
    for (let length = 0; length < whole.length - 1; length += 13) {
      put(place, whole.slice(0, length));
      await expect(readState(open(place, KEYS.one), countingRandom(), NEVER)).rejects.toMatchObject(
        failure("state_unreadable"),
      );
    }
  });

  test("that was damaged may be replaced by the run that knows its version, as by a forced push", async () => {
    const place = await placeWith(KEYS.one);
    put(place, JSON.stringify({ ...envelopeIn(place), serial: 99 }));
    const store = open(place, KEYS.one);
    await expect(store.read(NEVER)).rejects.toMatchObject({ version: "changed" });
    await store.write(PLAIN, "changed", NEVER);
    expect(text((await open(place, KEYS.one).read(NEVER))?.bytes)).toBe(text(PLAIN));
  });

  test.each([
    [
      "the state",
      (place: MemoryPlace) => put(place, text(PLAIN)),
      (store: StateStore) => readState(store, countingRandom(), NEVER),
    ],
    [
      "the state that has moved",
      (place: MemoryPlace) => put(place, text(encodeMovedState(MOVED))),
      (store: StateStore) => readState(store, countingRandom(), NEVER),
    ],
    [
      "its backup",
      (place: MemoryPlace) => void (place.before = PLAIN),
      async (store: StateStore) => store.backup?.read(NEVER),
    ],
    [
      "a file outside its store",
      () => undefined,
      async (store: StateStore) => store.encryption?.open(PLAIN, "state", "copy"),
    ],
  ])("is never read from %s in plain text, unless the fallback is plain", async (_, replace, read) => {
    const place = await placeWith(KEYS.one);
    replace(place);
    await expect(read(open(place, KEYS.one))).rejects.toMatchObject({
      diagnostics: [{ code: "state_not_encrypted", hint: expect.stringContaining("fallback to plain") as string }],
    });
    await expect(read(open(place, keys("ONE", "TWO")))).rejects.toMatchObject(failure("state_not_encrypted"));
    const accepted = await read(open(place, KEYS.oneOrPlain)).catch((error: unknown) => error);
    expect(accepted).not.toMatchObject(failure("state_not_encrypted"));
  });

  test("that somebody has replaced by plain text is not written over, but by the run that knows its version", async () => {
    const place = await placeWith(KEYS.one);
    put(place, text(PLAIN));
    await expect(open(place, KEYS.one).write(PLAIN, "changed", NEVER)).rejects.toMatchObject(
      failure("state_not_encrypted"),
    );
    const store = open(place, KEYS.one);
    await expect(store.read(NEVER)).rejects.toMatchObject({ version: "changed" });
    await store.write(PLAIN, "changed", NEVER);
    expect(envelopeIn(place)).toMatchObject({ serial: 3 });
  });

  test("is encrypted in a file outside its store, too", async () => {
    const place = memoryPlace();
    const [kept, plain] = await Promise.all(
      [open(place, KEYS.one), memoryStore(clock, place)].map((store) => encodeForFile(store, document())),
    );
    expect(parseEnvelope(kept ?? new Uint8Array())).toMatchObject({ kind: "state", lineage: "line", serial: 3 });
    expect(text(plain)).toBe(text(PLAIN));
  });

  test("that a server has stored with its keys in another order is the same", async () => {
    const place = await placeWith(KEYS.one);
    put(place, JSON.stringify(Object.fromEntries(Object.entries(envelopeIn(place)).toReversed())));
    expect(text((await open(place, KEYS.one).read(NEVER))?.bytes)).toBe(text(PLAIN));
  });
});

describe("a change of the key", () => {
  const CHANGES = [
    ["encrypts a state in plain text", null, KEYS.oneOrPlain, "encrypt"],
    ["replaces the fallback key", KEYS.one, keys("TWO", "ONE"), "change-key"],
    ["replaces a key by a passphrase", KEYS.one, keys("PHRASE", "ONE"), "change-key"],
    ["replaces a passphrase", KEYS.phrase, keys("OTHER_PHRASE", "PHRASE"), "change-key"],
    ["decrypts a state", KEYS.one, keys(null, "ONE"), "decrypt"],
  ] as const;

  test.each(CHANGES)("%s, with its backup, at the next write", async (_, before, after, keyChange) => {
    const place = await placeWith(before);
    const store = open(place, after);
    const read = await readState(store, countingRandom(), NEVER);
    expect(read).toMatchObject({ document: document(), keyChange });
    expect((await writeState(store, read, NEVER)).keyChange).toBeUndefined();
    const alone = after.main ? open(place, { ...after, fallback: null }) : memoryStore(clock, place);
    expect((await readState(alone, countingRandom(), NEVER)).document).toEqual(document({ serial: 4 }));
    expect(text(await alone.backup?.read(NEVER))).toBe(text(PLAIN));
    if (after.main) expect(`${text(place.before)}${text(place.stored?.bytes)}`).not.toContain("toy_thing");
  });

  test("is none for a state in plain text that stays in plain text", async () => {
    const place = await placeWith(null);
    expect((await readState(open(place, keys(null, "ONE")), countingRandom(), NEVER)).keyChange).toBeUndefined();
  });

  test("writes nothing while it is only read", async () => {
    const place = await placeWith(KEYS.one);
    await readState(open(place, keys("TWO", "ONE")), countingRandom(), NEVER);
    expect(place.counts.writes).toBe(1);
  });

  test("writes once when the key is the same", async () => {
    const place = await placeWith(KEYS.one);
    const store = open(place, KEYS.one);
    await writeState(store, await readState(store, countingRandom(), NEVER), NEVER);
    expect(place.counts.writes).toBe(2);
  });

  test("is read once, however often a run writes it", async () => {
    const place = await placeWith(KEYS.one);
    const plain = memoryStore(clock, place);
    let reads = 0;
    const store = encryptedStore({ ...plain, read: (signal) => (reads++, plain.read(signal)) }, KEYS.one, keyPorts());
    let { version } = await readState(store, countingRandom(), NEVER);
    for (const serial of [4, 5, 6]) version = await store.write(encodeState(document({ serial })), version, NEVER);
    expect(reads).toBe(1);
    expect(envelopeIn(place)).toMatchObject({ serial: 6 });
  });
});

describe("a passphrase", () => {
  test("keeps its salt for the life of the state, and its secret is read once a run", async () => {
    const place = await placeWith(KEYS.phrase);
    const { key } = envelopeIn(place);
    expect(key.scrypt).toMatchObject({ N: 131_072, r: 8, p: 1 });
    const ports = keyPorts();
    const store = encryptedStore(memoryStore(clock, place), KEYS.phrase, ports);
    await writeState(store, await writeState(store, await readState(store, countingRandom(), NEVER), NEVER), NEVER);
    expect(envelopeIn(place).key).toEqual(key);
    expect(ports.revealed).toEqual(["PHRASE"]);
  });

  test("gives two states two keys", async () => {
    const [one, two] = [await placeWith(KEYS.phrase), await placeWith(KEYS.phrase)];
    expect(envelopeIn(one).key.id).not.toBe(envelopeIn(two).key.id);
  });

  test.each([
    ["memory", { N: 2 ** 30, r: 8, p: 1 }],
    ["blocks", { N: 131_072, r: 2 ** 20, p: 1 }],
    ["time", { N: 131_072, r: 8, p: 1_000_000 }],
    ["too little", { N: 2, r: 8, p: 1 }],
    ["no power of two", { N: 100_000, r: 8, p: 1 }],
    ["no number", { N: "131072", r: 8, p: 1 }],
    ["nothing", { r: 8, p: 1 }],
    ["a fraction", { N: 131_072, r: 8.5, p: 1 }],
    ["a long salt", { N: 131_072, r: 8, p: 1, salt: "A".repeat(1000) }],
    ["null", null],
  ])("of a file that demands %s is refused before it is derived", async (_, demanded) => {
    const place = await placeWith(KEYS.one);
    const envelope = envelopeIn(place);
    const scrypt = demanded && { salt: "AAAAAAAAAAAAAAAAAAAAAA==", ...demanded };
    put(place, JSON.stringify({ ...envelope, key: { ...envelope.key, scrypt } }));
    const ports = keyPorts();
    await expect(encryptedStore(memoryStore(clock, place), KEYS.phrase, ports).read(NEVER)).rejects.toMatchObject(
      failure("state_unreadable", "parameters"),
    );
    expect(ports.revealed).toEqual([]);
  });

  test.each<readonly [{ readonly id?: string; readonly [name: string]: unknown }, boolean]>([
    [{ id: "" }, false],
    [{ id: "0A" }, false],
    [{ id: "a".repeat(64) }, true],
    [{ id: "a".repeat(65) }, false],
    [{ N: 16_384 }, true],
    [{ N: 8192 }, false],
    [{ N: 131_072, r: 16 }, true],
    [{ N: 131_072, r: 17 }, false],
    [{ N: 262_144, r: 9 }, false],
    [{ r: 1, p: 4 }, true],
    [{ p: 5 }, false],
    [{ p: 0 }, false],
    [{ r: 0 }, false],
    [{ salt: "A".repeat(16) }, true],
    [{ salt: "A".repeat(15) }, false],
    [{ salt: "A".repeat(128) }, true],
    [{ salt: "A".repeat(129) }, false],
    [{ salt: 5 }, false],
  ])("with the parameters %j is looked for: %s", async ({ id = "abc123", ...parameters }, isAccepted) => {
    const place = await placeWith(KEYS.one);
    const scrypt = { salt: "AAAAAAAAAAAAAAAAAAAAAA==", N: 131_072, r: 8, p: 1, ...parameters };
    put(place, JSON.stringify({ ...envelopeIn(place), key: { id, scrypt } }));
    // A key is compared with it without deriving anything.
    await expect(open(place, KEYS.one).read(NEVER)).rejects.toMatchObject(
      failure(isAccepted ? "encryption_key_wrong" : "state_unreadable"),
    );
  });

  test.each([
    ["a short passphrase", keys("SHORT"), /SHORT.*16 characters/],
    [
      "a key that is not 32 bytes in base64",
      { main: { ...keys("ONE").main, source: { kind: "env", name: "PHRASE" } }, fallback: null },
      /PHRASE.*44 characters/,
    ],
  ])("of %s is refused, and nothing is written", async (_, settings, detail) => {
    const place = memoryPlace();
    await expect(open(place, settings as EncryptionSettings).write(PLAIN, null, NEVER)).rejects.toMatchObject(
      failure("encryption_key_invalid", detail),
    );
    expect(place.stored).toBeNull();
  });
});
