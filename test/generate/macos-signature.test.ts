import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { signedAdHoc } from "../../src/release/macos-signature.ts";

const TEXT = 0x8000;
const LINK_EDIT = 0x1234;

/** The smallest executable for macOS with the two segments that a signature needs; `command` comes before its segments. */
function executable(command = Buffer.alloc(0)): Buffer {
  const segments = [
    segment("__TEXT", { offset: 0, size: TEXT }),
    segment("__LINKEDIT", { offset: TEXT, size: LINK_EDIT }),
  ];
  const commands = Buffer.concat([command, ...segments]);
  const file = Buffer.alloc(TEXT + LINK_EDIT, 0);
  [0xfeed_facf, 0x0100_000c, 0, 2, segments.length + (command.length > 0 ? 1 : 0), commands.length, 0, 0].forEach(
    (value, index) => file.writeUInt32LE(value, 4 * index),
  );
  file.set(commands, 32);
  file.fill("code", 0x4000);
  return file;
}

function segment(name: string, { offset, size }: { readonly offset: number; readonly size: number }): Buffer {
  const command = Buffer.alloc(72);
  command.writeUInt32LE(0x19, 0);
  command.writeUInt32LE(command.length, 4);
  command.write(name, 8);
  [offset, size, offset, size].forEach((value, index) => command.writeBigUInt64LE(BigInt(value), 24 + 8 * index));
  return command;
}

test("the signature covers every page of the file before it, with its new load command", () => {
  const unsigned = executable();
  const signed = Buffer.from(signedAdHoc(unsigned, "outreach"));

  const command = 32 + 2 * 72;
  expect([signed.readUInt32LE(16), signed.readUInt32LE(20)]).toEqual([3, 2 * 72 + 16]);
  expect([signed.readUInt32LE(command), signed.readUInt32LE(command + 4)]).toEqual([0x1d, 16]);
  const [from, length] = [signed.readUInt32LE(command + 8), signed.readUInt32LE(command + 12)];
  expect([from % 16, from + length]).toEqual([0, signed.length]);
  const linkEdit = 32 + 72;
  expect([signed.readBigUInt64LE(linkEdit + 48), signed.readBigUInt64LE(linkEdit + 32)]).toEqual([
    BigInt(signed.length - TEXT),
    0x4000n,
  ]);

  const directory = from + signed.readUInt32BE(from + 16);
  const [hashes, identifier, , slots, limit] = [16, 20, 24, 28, 32].map((at) =>
    signed.readUInt32BE(directory + at),
  ) as [number, number, number, number, number];
  expect([signed.readUInt32BE(directory + 12), limit]).toEqual([2, from]);
  expect(signed.toString("latin1", directory + identifier, directory + hashes)).toBe("outreach\0");
  expect([64, 72, 80].map((at) => signed.readBigUInt64BE(directory + at))).toEqual([0n, BigInt(TEXT), 1n]);
  const kept = Array.from({ length: slots }, (_, slot) =>
    signed.toString("hex", directory + hashes + 32 * slot, directory + hashes + 32 * (slot + 1)),
  );
  const pages = Array.from({ length: Math.ceil(limit / 4096) }, (_, page) =>
    signed.subarray(4096 * page, Math.min(4096 * (page + 1), limit)),
  );
  expect(kept).toEqual(pages.map((page) => createHash("sha256").update(page).digest("hex")));
  expect(signed.subarray(command + 16, unsigned.length)).toEqual(unsigned.subarray(command + 16));
});

test("what cannot be signed is refused", () => {
  expect(() => signedAdHoc(Buffer.from("\u007FELF, for Linux"), "outreach")).toThrow("no executable for macOS");
  const signature = Buffer.alloc(16);
  signature.writeUInt32LE(0x1d, 0);
  signature.writeUInt32LE(16, 4);
  expect(() => signedAdHoc(executable(signature), "outreach")).toThrow("has a signature already");
  const full = executable();
  full.fill("code", 32 + 2 * 72);
  expect(() => signedAdHoc(full, "outreach")).toThrow("no room for one more load command");
  expect(() => signedAdHoc(Buffer.concat([executable(), Buffer.alloc(1)]), "outreach")).toThrow(
    "does not end with its segment __LINKEDIT",
  );
});
