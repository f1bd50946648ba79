import { createHash } from "node:crypto";
import { zipSync } from "fflate";
import { executableName } from "./provider-mirror.ts";

const UNIX = 3;
/** The nearest package.json decides the module type of a script without an extension. */
export const COMMON_JS = new TextEncoder().encode('{"type":"commonjs"}\n');

/** What all our zips have, so that the same files give the same bytes. The earliest time in a zip, which stores local time: without a zone, it is local. */
export const ZIP = { mtime: "1980-01-01T00:00:00", os: UNIX } as const;

/** The position of a file's type and mode in a zip. */
export function unixMode(permissions: number): number {
  return ((0o100000 | permissions) << 16) >>> 0;
}

/** The package whose executable is a script. */
export function scriptArchive(script: Uint8Array, version: string): Uint8Array {
  return zipSync(
    {
      [executableName(version)]: [script, { attrs: unixMode(0o755) }],
      "package.json": [COMMON_JS, { attrs: unixMode(0o644) }],
    },
    { ...ZIP, level: 9 },
  );
}

/** The hexadecimal SHA-256 of a file, as checksum files and mirrors have it. */
export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
