import { posix } from "node:path";
import type { Web } from "../../../../core/model/web.ts";
import { printable } from "../../../../core/model/words.ts";
import { DiagnosticsError } from "../../../../core/model/diagnostic.ts";
import { shellWord } from "../../../../core/model/shell-word.ts";
import { escapedJson } from "../../../../output/json/escaped-json.ts";
import type { CallerOptions } from "../../../../service/api/caller.ts";
import { type WireExport, startExport } from "../../../../service/api/campaign-exports.ts";
import { exportFile } from "./download-export.ts";
import { ServiceError } from "../../../../service/api/service-errors.ts";
import { isCampaignId } from "../../../../service/api/service-path.ts";
import { readNumber } from "../../../../service/api/answer-values.ts";
import type { CommandContext, ExitCode } from "../../command-context.ts";
import { type AwaitedExport, GOES_ON, awaitExport } from "./await-export.ts";
import { type CsvFile, openCsvFile } from "./save-csv.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import { type CommandOptions, withJson } from "../../program/command-options.ts";
import { withService } from "../../../../operations/service/connection.ts";
import { logged, openLog } from "../../../../operations/service/log.ts";
import { lazyWeb } from "../../../../operations/service/lazy-web.ts";
import { showProgress } from "../../screen/progress-line.ts";

interface ExportOptions extends CommandOptions {
  readonly wait: boolean;
  readonly out?: string;
}

/** Starts a statistics export of one campaign, and waits for its end or its file if asked to. */
export const definition: CommandDefinition<ExportOptions, readonly [campaignId: string]> = {
  description: "starts a statistics export of a campaign, and can wait for its CSV",
  example: { lines: ["outreach export cam_000001 --out q3.csv"] },
  declare: (command) =>
    withJson(command)
      .argument("<campaign-id>")
      .option("--wait", "wait until the export has ended, at most an hour", false)
      .option("--out <file>", "wait, then save the CSV to this file; replaces an existing file only with a whole one"),
  run: async (context, { options, operands: [campaignId] }) => {
    if (!isCampaignId(campaignId))
      throw DiagnosticsError.of("campaign_id_invalid", "Invalid campaign id", {
        detail: `${JSON.stringify(campaignId)} is not the id of a campaign.`,
        hint: "Ids start with cam_. List them: outreach get campaigns",
      });
    const { files, read } = notedReads(context);
    return withService({ ...context, files }, options, async (caller): Promise<ExitCode> => {
      const file = options.out === undefined ? null : await openCsvFile(context, options.out, read);
      const started = await start(caller, campaignId, context.stop);
      const ports = { context, caller, campaignId, options, file };
      if (options.wait || file) await follow(ports, started);
      else {
        print(ports, started);
        context.err("Open it in the application. With --wait or --out FILE, outreach waits for its end.\n");
      }
      return 0;
    });
  },
};

/** The files that a configuration consists of, once it is loaded: also lists of people, which look like exports, and the API key's. */
function notedReads({ files, folder }: CommandContext): {
  readonly files: CommandContext["files"];
  readonly read: ReadonlySet<string>;
} {
  const read = new Set<string>();
  const note: typeof files.read = (path, options) => {
    read.add(posix.resolve(folder, path));
    return files.read(path, options);
  };
  return { files: { ...files, read: note }, read };
}

interface ExportPorts {
  readonly context: CommandContext;
  readonly caller: CallerOptions;
  readonly campaignId: string;
  readonly options: ExportOptions;
  readonly file: CsvFile | null;
}

/** Prints the export with what is last known of it, however waiting ends: as text when it starts and ends, as JSON once. */
async function follow(ports: ExportPorts, started: WireExport): Promise<void> {
  const { context, options, file } = ports;
  let latest = started;
  if (!options.json) print(ports, started);
  try {
    await awaitAndSave(ports, started, (now) => (latest = now));
  } catch (error) {
    if (options.json) print(ports, latest);
    throw context.stop.aborted ? interrupted(ports, latest) : error;
  }
  if (options.json || !file) print(ports, latest);
}

async function awaitAndSave(ports: ExportPorts, started: WireExport, report: (now: WireExport) => void): Promise<void> {
  const { context, caller, campaignId, file } = ports;
  const { stop: signal } = context;
  const awaited: AwaitedExport = {
    campaignId,
    exportId: started._id,
    title: titleOf(started, campaignId),
    another: startAnother(ports),
  };
  const progress = showExportProgress(context);
  let saved: number | null = null;
  try {
    const { status, fields } = await awaitExport(caller, awaited, {
      signal,
      report: (now) => {
        report({ ...started, ...now.fields, _id: started._id, status: now.status });
        progress.report({
          phase: "exporting",
          done: countOf(now.fields["progress"]),
          total: countOf(now.fields["total"]),
        });
      },
    });
    if (status !== "done") throw failed(ports, awaited, status);
    if (!file) return;
    const found = exportFile(fields);
    if ("problem" in found) throw noFile(awaited, found.problem);
    const total = countOf(fields["fileSize"]);
    saved = await file.save({
      caller,
      web: await loggedWeb(context),
      url: found.url,
      size: total,
      signal,
      report: (done) => progress.report({ phase: "downloading", done, total }),
    });
  } finally {
    await progress.end();
  }
  context.err(`${awaited.title} is done. Its CSV (${String(saved)} bytes) is in ${file.path}.\n`);
}

/** The query of a download's address may give access to the file, so the log has none. */
async function loggedWeb(context: CommandContext): Promise<Pick<Web, "send">> {
  const log = openLog(context);
  const web = await lazyWeb(context)();
  return {
    send: (request, signal, into) =>
      logged(`${request.method} ${request.url.origin}${request.url.pathname}`, { log, clock: context.clock }, () =>
        web.send(request, signal, into),
      ),
  };
}

/** A number, or a number as text; null for anything else. */
function countOf(value: unknown): number | null {
  const count = readNumber(value) ?? null;
  return count !== null && count >= 0 ? count : null;
}

/** Prints an export: a result, except that the text about one whose file is saved is a message. */
function print({ context, campaignId, options, file }: ExportPorts, wire: WireExport): void {
  if (options.json) context.out(`${escapedJson(JSON.stringify(wire, null, 2))}\n`);
  else (file ? context.err : context.out)(`${exportText(wire, campaignId)}\n`);
}

function exportText(wire: WireExport, campaignId: string): string {
  const title = titleOf(wire, campaignId);
  const status = printable(wire.status);
  if (status !== "done") return `${title} started (${status}).`;
  const found = exportFile(wire);
  const size = countOf(wire["fileSize"]);
  return "problem" in found
    ? `${title} is done. ${found.problem}`
    : `${title} is done. CSV${size === null ? "" : ` (${String(size)} bytes)`}:\n${found.url.href}`;
}

/** `Export axp_1 of "Q3 launch"`. */
function titleOf({ _id: id, campaignName: name }: WireExport, campaignId: string): string {
  return `Export ${printable(id)} of ${typeof name === "string" ? JSON.stringify(printable(name)) : campaignId}`;
}

async function start(caller: CallerOptions, campaignId: string, signal: AbortSignal): Promise<WireExport> {
  const slot = await caller.pacer.reserve(1, signal);
  try {
    const outcome = await startExport(caller, campaignId, { slot, signal, retry: { stop: signal } });
    if (outcome.kind === "answered") return outcome.json as WireExport;
    throw outcome.kind === "refused" ? new ServiceError(outcome.message, outcome.known) : maybeStarted(outcome.cause);
  } finally {
    slot.release();
  }
}

/** A second export does no harm, but the user should know that it starts. */
function maybeStarted(cause: string): DiagnosticsError {
  return DiagnosticsError.of("export_unknown", "The export may have started", {
    detail: `${cause}.`,
    hint: "Check in the application. Running the command again starts another export.",
  });
}

function startAnother({ context, campaignId, options }: ExportPorts): string {
  const rest = options.out === undefined ? "--wait" : `--out ${shellWord(options.out)}`;
  return `Start another one: outreach export ${context.given}${campaignId} ${rest}`;
}

function interrupted(ports: ExportPorts, latest: WireExport): DiagnosticsError {
  const title = titleOf(latest, ports.campaignId);
  const isPending = latest.status === "pending";
  const state = isPending ? "is still pending: only waiting for it has stopped" : "has ended";
  const detail = `${title} ${state}.${ports.file ? " No file was written." : ""}`;
  const hint = isPending ? `${GOES_ON}\n${startAnother(ports)}` : "Open it in the application.";
  return DiagnosticsError.of("interrupted", "Interrupted", { detail, hint });
}

function failed(ports: ExportPorts, { title }: AwaitedExport, status: string): DiagnosticsError {
  const detail = `${title} ended with the status ${JSON.stringify(printable(status))}.`;
  return DiagnosticsError.of("export_failed", "The export failed", { detail, hint: startAnother(ports) });
}

function noFile({ title }: AwaitedExport, problem: string): DiagnosticsError {
  return DiagnosticsError.of("export_without_file", "The export has no usable file", {
    detail: `${title} is done. ${problem}`,
    hint: "Open it in the application.",
  });
}

const BAR_WIDTH = 20;

/** How far an export or its download is. */
interface ExportProgress {
  readonly phase: "exporting" | "downloading";
  /** Null or 0 where the service does not say. */
  readonly total: number | null;
  readonly done: number | null;
}

/** Shows progress as a bar on a terminal, elsewhere as lines. */
function showExportProgress(context: Parameters<typeof showProgress>[0]): {
  report(progress: ExportProgress): void;
  end(): Promise<void>;
} {
  let latest: ExportProgress = { phase: "exporting", done: null, total: null };
  const { end } = showProgress(context, (isLive, elapsed) =>
    isLive ? barLine(latest, elapsed) : logLine(latest, elapsed),
  );
  return { report: (progress) => void (latest = progress), end };
}

/** `Exporting [#####---------------] 13/52 · 12s`. */
function barLine({ phase, done, total }: ExportProgress, elapsed: string): string {
  const verb = phase === "exporting" ? "Exporting" : "Downloading";
  if (done === null || !total) return `${verb} · ${elapsed}`;
  const filled = Math.floor(BAR_WIDTH * Math.min(1, done / total));
  const counts =
    phase === "exporting" ? `${String(done)}/${String(total)}` : `${megabytes(done)}/${megabytes(total)} MB`;
  return `${verb} [${"#".repeat(filled)}${"-".repeat(BAR_WIDTH - filled)}] ${counts} · ${elapsed}`;
}

/** `Still exporting: 13 of 52, 12s elapsed`. */
function logLine({ phase, done, total }: ExportProgress, elapsed: string): string {
  const counts =
    phase === "exporting"
      ? `${String(done)} of ${String(total)}`
      : `${megabytes(done ?? 0)} of ${megabytes(total ?? 0)} MB`;
  return done === null || !total
    ? `Still ${phase}: ${elapsed} elapsed`
    : `Still ${phase}: ${counts}, ${elapsed} elapsed`;
}

function megabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}
