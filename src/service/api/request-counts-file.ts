import { RESERVED_MS } from "./pace.ts";
import { O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_TRUNC, O_WRONLY, type PacingFiles, close, discard, hasCode } from "./pacing-files.ts";
import { type Part, currentParts, partsOf, partsToWrite } from "./shared-parts.ts";
import { FULL_MARGIN_MS } from "./travel.ts";

const FORMAT = "outreach pacing 1";
const MAX_BYTES = 256 * 1024;

/** The parts that still count. A damaged file counts as empty: the next writer replaces it. */
export function readParts(files: PacingFiles, path: string, nowMs: number): readonly Part[] {
  let file: number;
  try {
    file = files.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
  try {
    const { size } = files.fstatSync(file);
    return size > MAX_BYTES ? [] : parseParts(files.readFileSync(file, "utf8"), nowMs);
  } finally {
    close(files, file);
  }
}

function parseParts(text: string, nowMs: number): readonly Part[] {
  try {
    const { format, parts } = JSON.parse(text) as { readonly format?: unknown; readonly parts?: unknown };
    if (format !== FORMAT) return [];
    const ours = partsOf(parts).filter((part) => !isAhead(part, nowMs));
    return currentParts(ours, nowMs);
  } catch {
    return [];
  }
}

/**
 * Whether a part is from before the system started, or from a machine with another clock. If its requests counted as now, a
 * process that cannot replace the file would wait for ever, and one beside a busy machine until that one is done.
 */
function isAhead({ countedMs, held, heldUntilMs }: Part, nowMs: number): boolean {
  // Times are rounded up.
  return countedMs.some((at) => at > nowMs + FULL_MARGIN_MS + 1) || (held > 0 && heldUntilMs > nowMs + RESERVED_MS + 1);
}

export function writeParts(files: PacingFiles, path: string, parts: readonly Part[]): void {
  const draft = `${path}.new`;
  const file = files.openSync(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    files.writeFileSync(file, JSON.stringify({ format: FORMAT, parts: partsToWrite(parts) }));
  } catch (error) {
    discard(files, draft);
    throw error;
  } finally {
    close(files, file);
  }
  files.renameSync(draft, path);
}
