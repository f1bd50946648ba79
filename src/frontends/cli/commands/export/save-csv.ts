import type { Web, BodySink } from "../../../../core/model/web.ts";
import { DiagnosticsError } from "../../../../core/model/diagnostic.ts";
import type { FileSystem } from "../../../../core/model/ports.ts";
import type { CallerOptions } from "../../../../service/api/caller.ts";
import { type FailedDownload, downloadExport, isOther } from "./download-export.ts";
import type { Ports } from "../../../../operations/context.ts";
import { namedPath, resolvePath } from "../../../../operations/configuration/named-file.ts";

const ATTEMPTS = 4;
const FIRST_BACKOFF_MS = 500;
/** Each write is flushed to the disk. */
const WRITE_BYTES = 1024 * 1024;

/** The file that `--out` names. */
export interface CsvFile {
  readonly path: string;
  /** Downloads a file in its place, and returns its size. An existing file is replaced only by a whole one. */
  save(download: CsvDownload): Promise<number>;
}

export interface CsvDownload {
  readonly caller: CallerOptions;
  readonly web: Pick<Web, "send">;
  readonly url: URL;
  /** In bytes, as the service has announced it; null where it has not. */
  readonly size: number | null;
  readonly signal: AbortSignal;
  /** Called with the bytes so far. */
  readonly report: (bytes: number) => void;
}

/** Throws `DiagnosticsError`, or Node's error, if there can be no file at the path. `inUse`: what no export replaces. */
export async function openCsvFile(context: Ports, path: string, inUse: ReadonlySet<string>): Promise<CsvFile> {
  const { files, folder } = context;
  const full = resolvePath(folder, path);
  const target = (await namedPath(context, path)) ?? full;
  const kind = await files.kind(target);
  if (kind === "folder") throw unwritable(`${path} is a folder.`);
  if (kind !== null && kind !== "file") throw unwritable(`${path} is not a regular file.`);
  if ((await files.kind(folderOf(target))) === null) throw unwritable(`The folder of ${path} does not exist.`);
  if (inUse.has(target)) throw unwritable(`${path} is a file of the configuration, so it is not replaced.`);
  // States, journals and saved plans, wherever they are.
  if (kind === "file" && isOther((await files.read(target)) ?? new Uint8Array()))
    throw unwritable(`${path} is not a CSV file, so it is not replaced.`);
  // Checks write access before the export starts, so that nobody waits for a file that cannot be saved.
  const part = partOf(context, target);
  await files.createExclusively(part, new Uint8Array());
  await files.remove(part);
  return { path, save: (download) => save(download, (fill) => replace(context, target, fill)) };
}

/** Writes a new file with `append`. */
type Fill = (append: BodySink) => Promise<FailedDownload | null>;

async function save(
  { caller, web, url, size, signal, report }: CsvDownload,
  attempt: (fill: Fill) => Promise<FailedDownload | null>,
): Promise<number> {
  for (let count = 1; ; count++) {
    let bytes = 0;
    const failed = await attempt((append) =>
      downloadExport(caller, {
        url,
        web,
        size,
        signal,
        into: (part) => {
          bytes += part.length;
          report(bytes);
          return append(part);
        },
      }),
    );
    if (failed === null) return bytes;
    if (count === ATTEMPTS || !failed.mayPass) throw notDownloaded(failed);
    await caller.clock.sleep(FIRST_BACKOFF_MS * 2 ** (count - 1), signal);
  }
}

/** Puts a new file in place of `target` once it is whole; otherwise nothing is left of it. Throws Node's error if the disk fails. */
async function replace(context: Ports, target: string, fill: Fill): Promise<FailedDownload | null> {
  const { files } = context;
  const part = partOf(context, target);
  let isInPlace = false;
  try {
    const failed = await write(files, part, fill);
    if (failed !== null) return failed;
    await files.rename(part, target);
    isInPlace = true;
    await files.syncFolder(folderOf(target));
    return null;
  } finally {
    if (!isInPlace) await files.remove(part);
  }
}

async function write(files: FileSystem, path: string, fill: Fill): Promise<FailedDownload | null> {
  const file = await files.openAppend(path, { exclusive: true });
  const faults: Error[] = [];
  const held: Uint8Array[] = [];
  let heldBytes = 0;
  const flush = async (): Promise<void> => {
    heldBytes = 0;
    await file.append(Buffer.concat(held.splice(0)));
  };
  try {
    const failed = await fill(async (part) => {
      held.push(part);
      heldBytes += part.length;
      if (heldBytes < WRITE_BYTES) return;
      try {
        await flush();
      } catch (error) {
        faults.push(error as Error);
        throw error;
      }
    });
    // To the download, a fault of the disk looks like one of the network.
    if (faults[0]) throw faults[0];
    if (failed === null) await flush();
    return failed;
  } finally {
    await file.close();
  }
}

/** The path of a file until it is whole. */
function partOf({ random }: Ports, target: string): string {
  return `${target}.${random.uuid()}.part`;
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

function unwritable(detail: string): DiagnosticsError {
  const hint = "Pass another path to --out, as in --out export.csv. No export was started.";
  return DiagnosticsError.of("export_file_unwritable", "Cannot save the CSV", { detail, hint });
}

function notDownloaded({ cause }: FailedDownload): DiagnosticsError {
  const hint =
    "The export is done. Download its CSV in the application, or run the command again to start another export.";
  return DiagnosticsError.of("export_not_downloaded", "The CSV could not be downloaded", {
    detail: `${cause}. Nothing was saved.`,
    hint,
  });
}
