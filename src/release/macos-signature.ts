import { createHash } from "node:crypto";

/** Load commands of a Mach-O file. */
const SEGMENT_64 = 0x19;
const CODE_SIGNATURE = 0x1d;
const MAGIC_64 = 0xfeed_facf;
const HEADER_SIZE = 32;
const COMMAND_SIZE = 16;

/** Apple's names are in its header cs_blobs.h. */
const SUPER_BLOB = 0xfade_0cc0;
const CODE_DIRECTORY = 0xfade_0c02;
const SUPER_BLOB_SIZE = 20;
/** Of a code directory that says which segment is executable. */
const VERSION = 0x2_04_00;
const DIRECTORY_SIZE = 88;
const AD_HOC = 0x2;
const SHA256 = { type: 2, size: 32 };
const MAIN_BINARY = 1n;
/** Of the hashes, whatever the system's pages are. */
const PAGE_BITS = 12;
const PAGE = 1 << PAGE_BITS;
const SEGMENT_ALIGNMENT = 0x4000n;
const ALIGNMENT = 16;

interface Segment {
  readonly at: number;
  readonly offset: bigint;
  readonly size: bigint;
}

/**
 * Signs an executable for macOS without an identity ("ad hoc"): Apple silicon starts nothing unsigned. The executable must have no signature, and end
 * with its segment __LINKEDIT. The same executable gives the same bytes. It says nothing about who made it: that is what the checksums are for.
 */
export function signedAdHoc(executable: Uint8Array, identifier: string): Uint8Array {
  const { text, linkEdit, commandsEnd } = readCommands(executable);
  if (linkEdit.offset + linkEdit.size !== BigInt(executable.length))
    throw new Error("the executable does not end with its segment __LINKEDIT");
  const codeLimit = Math.ceil(executable.length / ALIGNMENT) * ALIGNMENT;
  const name = Buffer.from(`${identifier}\0`);
  const slots = Math.ceil(codeLimit / PAGE);
  const length = SUPER_BLOB_SIZE + DIRECTORY_SIZE + name.length + slots * SHA256.size;
  const signed = Buffer.alloc(codeLimit + length);
  signed.set(executable);

  signed.writeUInt32LE(signed.readUInt32LE(16) + 1, 16);
  signed.writeUInt32LE(signed.readUInt32LE(20) + COMMAND_SIZE, 20);
  [CODE_SIGNATURE, COMMAND_SIZE, codeLimit, length].forEach((value, index) =>
    signed.writeUInt32LE(value, commandsEnd + 4 * index),
  );
  const size = BigInt(signed.length) - linkEdit.offset;
  signed.writeBigUInt64LE(((size + SEGMENT_ALIGNMENT - 1n) / SEGMENT_ALIGNMENT) * SEGMENT_ALIGNMENT, linkEdit.at + 32);
  signed.writeBigUInt64LE(size, linkEdit.at + 48);

  writeAll(signed, codeLimit, [SUPER_BLOB, length, 1, 0, SUPER_BLOB_SIZE]);
  const directory = codeLimit + SUPER_BLOB_SIZE;
  const hashes = DIRECTORY_SIZE + name.length;
  writeAll(signed, directory, [
    CODE_DIRECTORY,
    length - SUPER_BLOB_SIZE,
    VERSION,
    AD_HOC,
    hashes,
    DIRECTORY_SIZE,
    0,
    slots,
    codeLimit,
  ]);
  signed.set([SHA256.size, SHA256.type, 0, PAGE_BITS], directory + 36);
  [text.offset, text.size, MAIN_BINARY].forEach((value, index) =>
    signed.writeBigUInt64BE(value, directory + 64 + 8 * index),
  );
  signed.set(name, directory + DIRECTORY_SIZE);
  for (let slot = 0; slot < slots; slot++) {
    const page = signed.subarray(slot * PAGE, Math.min((slot + 1) * PAGE, codeLimit));
    signed.set(createHash("sha256").update(page).digest(), directory + hashes + slot * SHA256.size);
  }
  return signed;
}

/** Numbers of a signature are big-endian; those of the file are not. */
function writeAll(buffer: Buffer, at: number, values: readonly number[]): void {
  for (const [index, value] of values.entries()) buffer.writeUInt32BE(value, at + 4 * index);
}

function readCommands(executable: Uint8Array): {
  readonly text: Segment;
  readonly linkEdit: Segment;
  readonly commandsEnd: number;
} {
  const file = Buffer.from(executable.buffer, executable.byteOffset, executable.length);
  if (file.readUInt32LE(0) !== MAGIC_64)
    throw new Error("this is no executable for macOS of one processor with 64 bits");
  const segments = new Map<string, Segment>();
  let at = HEADER_SIZE;
  for (let left = file.readUInt32LE(16); left > 0; left--) {
    const kind = file.readUInt32LE(at);
    if (kind === CODE_SIGNATURE) throw new Error("the executable has a signature already");
    if (kind === SEGMENT_64)
      segments.set(file.toString("latin1", at + 8, at + 24).replace(/\0+$/, ""), {
        at,
        offset: file.readBigUInt64LE(at + 40),
        size: file.readBigUInt64LE(at + 48),
      });
    at += file.readUInt32LE(at + 4);
  }
  const [text, linkEdit] = [segments.get("__TEXT"), segments.get("__LINKEDIT")];
  if (!text || !linkEdit) throw new Error("the executable has no segment __TEXT or none __LINKEDIT");
  if (file.subarray(at, at + COMMAND_SIZE).some((byte) => byte !== 0))
    throw new Error("the executable has no room for one more load command");
  return { text, linkEdit, commandsEnd: at };
}
