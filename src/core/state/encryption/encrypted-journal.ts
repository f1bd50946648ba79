import type { Random } from "../../model/ports.ts";
import { decodeLine, encodeLine, journalUnreadable } from "../journal.ts";
import type { StateJournal } from "../state-store.ts";
import { NONCE_BYTES, decrypted, encrypted } from "./cipher.ts";
import { type EnvelopeHeader, isEncrypted } from "./envelope-format.ts";
import type { DataKey, KeyRing } from "./key-ring.ts";

/** The first line: a line of a journal, so that a reader without keys understands it. */
interface FramesHeader extends EnvelopeHeader {
  readonly kind: "journal";
  /** Names this journal: its frames cannot stand in another one. */
  readonly id: string;
}

/** The frames of one journal, in their order. */
interface Frames {
  readonly headerLine: string;
  readonly key: DataKey;
  /** How many there are. */
  count: number;
}

const ID_BYTES = 16;
/**
 * Encrypts a journal. The first line names the key; then each append is a frame, a line of its own, authenticated with the
 * first line and with its number, so that no frame can be changed, moved, repeated or taken out. A frame at the end that
 * was torn is ignored, as a torn line is. A journal that is not encrypted reads as it is.
 */
export function encryptedJournal(inner: StateJournal, { ring, random }: { readonly ring: KeyRing; readonly random: Random }): StateJournal {
  let opening: Promise<Frames | null> | null = null;

  async function begin(): Promise<Frames | null> {
    const key = await ring.current();
    if (key === null) return null;
    const header: FramesHeader = { encryption: 1, kind: "journal", id: base64(random.bytes(ID_BYTES)), key: key.stored };
    return { headerLine: encodeLine(header), key, count: 0 };
  }

  /** No wait between the number of a frame and its append: frames are appended in the order of the calls. */
  function nextFrame(frames: Frames, bytes: Uint8Array): Uint8Array {
    const number = frames.count++;
    const nonce = random.bytes(NONCE_BYTES);
    const sealed = encrypted(bytes, { key: frames.key.secret, nonce, header: numbered(frames, number) });
    return new TextEncoder().encode(`${number === 0 ? frames.headerLine : ""}${base64(Buffer.concat([nonce, sealed]))}\n`);
  }

  return {
    ...inner,
    read: async () => {
      const content = await inner.read();
      return content === null ? null : plainOf(content, inner.name, ring);
    },
    append: async (bytes) => {
      opening ??= begin();
      const frames = await opening;
      await inner.append(frames === null ? bytes : nextFrame(frames, bytes));
    },
    remove: async () => {
      opening = null;
      await inner.remove();
    },
    setAside: async (tag) => {
      opening = null;
      return inner.setAside(tag);
    },
  };
}

async function plainOf(content: Uint8Array, name: string, ring: KeyRing): Promise<Uint8Array> {
  const [first = "", ...lines] = new TextDecoder().decode(content).split("\n");
  const header = lines.length === 0 ? null : decodeLine(first);
  if (!isEncrypted(header)) return content;
  const { encryption, kind, key: stored } = header as FramesHeader;
  if ((encryption as unknown) !== 1 || (kind as unknown) !== "journal") throw journalUnreadable(name, 1);
  const { key } = await ring.find(stored, name);
  const rest = lines.pop() ?? "";
  const plain = lines.map((line, number) => openFrame(line, { headerLine: `${first}\n`, key }, number));
  if (rest === "" && plain.at(-1) === null) plain.pop();
  const damaged = plain.indexOf(null);
  if (damaged >= 0) throw journalUnreadable(name, damaged + 2);
  return Buffer.concat(plain as Buffer[]);
}

function openFrame(line: string, frames: Omit<Frames, "count">, number: number): Buffer | null {
  const bytes = Buffer.from(line, "base64");
  return decrypted(bytes.subarray(NONCE_BYTES), { key: frames.key.secret, nonce: bytes.subarray(0, NONCE_BYTES), header: numbered(frames, number) });
}

function numbered({ headerLine }: Pick<Frames, "headerLine">, number: number): string {
  return `${headerLine}${String(number)}`;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}
