import { DiagnosticsError } from "../../model/diagnostic.ts";
import type { Random } from "../../model/ports.ts";
import { decodeLine, encodeLine, journalUnreadable, unreadableJournal } from "../journal.ts";
import type { StateJournal } from "../state-store.ts";
import { NONCE_BYTES, decrypted, encrypted, sealOf } from "./cipher.ts";
import { notEncrypted } from "./encryption-errors.ts";
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
const COUNT_DIGITS = 10;

/**
 * Encrypts a journal. The first line names the key. The second one holds the number of frames, with a seal. Then each append
 * is a frame, a line of its own, authenticated with the first line and with its number, so that no frame can be changed,
 * moved, repeated or taken out. The number follows each append without a flush of its own, in the same place: it may lag by
 * the append of a crash, but is never ahead. So a frame that it counts was durable, and one behind it that was torn is ignored.
 */
export function encryptedJournal(
  inner: StateJournal,
  { ring, random }: { readonly ring: KeyRing; readonly random: Random },
): StateJournal {
  let opening: Promise<Frames | null> | null = null;

  async function begin(): Promise<Frames | null> {
    const key = await ring.current();
    if (key === null) return null;
    const header: FramesHeader = {
      encryption: 1,
      kind: "journal",
      id: base64(random.bytes(ID_BYTES)),
      key: key.stored,
    };
    return { headerLine: encodeLine(header), key, count: 0 };
  }

  /** No wait between the number of a frame and its append: frames are appended in the order of the calls. */
  async function appendFrame(frames: Frames, bytes: Uint8Array): Promise<void> {
    const number = frames.count++;
    const nonce = random.bytes(NONCE_BYTES);
    const sealed = encrypted(bytes, { key: frames.key.secret, nonce, header: numbered(frames, number) });
    const start = number === 0 ? `${frames.headerLine}${countLine(frames, 0)}` : "";
    await inner.append(utf8(`${start}${base64(Buffer.concat([nonce, sealed]))}\n`));
    await inner.overwrite(utf8(countLine(frames, number + 1)), frames.headerLine.length);
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
      await (frames === null ? inner.append(bytes) : appendFrame(frames, bytes));
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
  if (!isEncrypted(header)) {
    if (header !== null && !ring.readsPlain)
      throw new DiagnosticsError([notEncrypted("journal", name)], { undecided: true });
    return content;
  }
  const { encryption, kind, key: stored } = header as FramesHeader;
  if ((encryption as unknown) !== 1 || (kind as unknown) !== "journal") throw journalUnreadable(name, 1);
  const { key } = await ring.find(stored, name);
  const sealed = { headerLine: `${first}\n`, key };
  const rest = lines.pop() ?? "";
  const [counted, ...frames] = lines;
  // The crash came before the first frame.
  if (counted === undefined) return new Uint8Array();
  const count = Number(counted.slice(0, COUNT_DIGITS));
  if (`${counted}\n` !== countLine(sealed, count)) throw journalUnreadable(name, 2);
  const plain = frames.map((line, number) => openFrame(line, sealed, number));
  if (rest === "" && plain.length > count && plain.at(-1) === null) plain.pop();
  if (plain.length < count) throw cut(name, { count, left: plain.length });
  const damaged = plain.indexOf(null);
  if (damaged >= 0) throw journalUnreadable(name, damaged + 3);
  return Buffer.concat(plain as Buffer[]);
}

function cut(name: string, { count, left }: { readonly count: number; readonly left: number }): DiagnosticsError {
  return unreadableJournal({
    summary: "The journal was cut",
    why: `${name} has ${String(left)} of the ${String(count)} entries that a run has written.`,
  });
}

function openFrame(line: string, frames: Omit<Frames, "count">, number: number): Buffer | null {
  const bytes = Buffer.from(line, "base64");
  return decrypted(bytes.subarray(NONCE_BYTES), {
    key: frames.key.secret,
    nonce: bytes.subarray(0, NONCE_BYTES),
    header: numbered(frames, number),
  });
}

/** Always of the same length. */
function countLine({ headerLine, key }: Omit<Frames, "count">, count: number): string {
  const digits = String(count).padStart(COUNT_DIGITS, "0");
  return `${digits} ${sealOf(`${headerLine}${digits} frames`, key.secret)}\n`;
}

function numbered({ headerLine }: Pick<Frames, "headerLine">, number: number): string {
  return `${headerLine}${String(number)}`;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
