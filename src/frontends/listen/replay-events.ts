import path from "node:path";
import { NEVER_ABORTED } from "../../core/model/async.ts";
import type { Clock, FileSystem } from "../../core/model/ports.ts";
import type { Web } from "../../core/model/web.ts";
import { isDeeperThan, isRecord } from "../../core/model/shape.ts";
import { MAX_DEPTH } from "../../service/receiver/parse-event.ts";
import { noAnswerText } from "./forward-event.ts";
import { MAX_BODY_BYTES } from "./listener.ts";
import { textOf } from "./received-event.ts";

/** The result of sending one file. */
export interface Replayed {
  readonly file: string;
  /** Empty if the file is not an event. */
  readonly type: string;
  /** The status of the answer; null without one. */
  readonly status: number | null;
  /** Why there is no answer, as a clause; null with one. */
  readonly problem: string | null;
  readonly durationMs: number;
}

export interface ReplayOptions {
  readonly url: URL;
  /** Put into each event; null: the events are sent without one. */
  readonly secret: string | null;
  /** Only events of these types; none: all. */
  readonly types: readonly string[];
  /** How long the receiver may take. */
  readonly timeoutMs: number;
}

interface ReplayPorts {
  readonly files: Pick<FileSystem, "read">;
  readonly send: Web["send"];
  readonly clock: Pick<Clock, "monotonicMs">;
  /** Aborted: the next file is not sent. */
  readonly signal: AbortSignal;
}

/** Sends saved events again, one after the other, and yields the outcome of each; null for an event of another type. */
export async function* replayEvents(
  paths: readonly string[],
  { url, secret, types, timeoutMs }: ReplayOptions,
  { files, send, clock, signal }: ReplayPorts,
): AsyncGenerator<Replayed | null> {
  for (const file of paths) {
    if (signal.aborted) return;
    const startedMs = clock.monotonicMs();
    const ended = (outcome: Pick<Replayed, "type" | "status" | "problem">): Replayed => ({
      file,
      ...outcome,
      durationMs: Math.round(clock.monotonicMs() - startedMs),
    });
    const read = await readEvent(files, file);
    if ("problem" in read) {
      yield ended({ type: "", status: null, problem: read.problem });
      continue;
    }
    const type = textOf(read.event, "type");
    if (types.length > 0 && !types.includes(type)) {
      yield null;
      continue;
    }
    const headers = { "content-type": "application/json", "user-agent": "outreach-listen-replay" };
    try {
      const body = Buffer.from(JSON.stringify({ ...read.event, ...(secret === null ? {} : { secret }) }));
      const { status } = await send({ method: "POST", url, headers, body, timeoutMs }, NEVER_ABORTED);
      yield ended({ type, status, problem: null });
    } catch (error) {
      yield ended({ type, status: null, problem: noAnswerText(url, error) });
    }
  }
}

/** The files themselves, and for a folder all of its JSON files in the order of their names. Links are followed. */
export async function replayedFiles(
  files: Pick<FileSystem, "kind" | "list" | "realPath">,
  given: readonly string[],
): Promise<readonly string[]> {
  const kindOf = async (one: string) => files.kind(await files.realPath(one).catch(() => one));
  const paths: string[] = [];
  for (const one of given) {
    if ((await kindOf(one)) !== "folder") {
      paths.push(one);
      continue;
    }
    for (const name of (await files.list(one)).filter((each) => each.endsWith(".json")).toSorted()) {
      const file = path.join(one, name);
      const kind = await kindOf(file);
      // Reading a pipe that nobody writes to never ends.
      if (kind !== "folder" && kind !== "other") paths.push(file);
    }
  }
  return paths;
}

type ReadEvent = { readonly event: { readonly [field: string]: unknown } } | { readonly problem: string };

async function readEvent(files: Pick<FileSystem, "read">, file: string): Promise<ReadEvent> {
  let bytes: Uint8Array | null;
  try {
    bytes = await files.read(file, { maxBytes: MAX_BODY_BYTES * 2, followLinks: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { problem: code === "EFBIG" ? "the file is larger than an event can be" : message };
  }
  if (bytes === null) return { problem: "the file does not exist" };
  try {
    const value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as unknown;
    if (isDeeperThan(value, MAX_DEPTH)) return { problem: "the file nests deeper than an event can" };
    if (isRecord(value)) return { event: value };
  } catch {
    // The parser's message contains a part of the file.
  }
  return { problem: "the file is not a JSON object" };
}

/**
 * The files of the events that failed, by the lines that `outreach listen --save` and `outreach listen replay` print as JSON. The last line
 * about a file counts.
 */
export function failedFiles(lines: string): readonly string[] {
  const outcomes = new Map<string, boolean>();
  for (const line of lines.split("\n")) {
    const { file, savedAs, status } = fieldsOf(line);
    const saved = file ?? savedAs;
    if (typeof saved === "string") outcomes.set(saved, isAccepted(status));
  }
  return [...outcomes].flatMap(([file, accepted]) => (accepted ? [] : [file]));
}

/** Whether the answer of a receiver accepts an event. */
export function isAccepted(status: unknown): boolean {
  return typeof status === "number" && status >= 200 && status < 300;
}

function fieldsOf(line: string): { readonly [name: string]: unknown } {
  try {
    const fields: unknown = JSON.parse(line);
    return isRecord(fields) ? fields : {};
  } catch {
    // A line of something else.
    return {};
  }
}
