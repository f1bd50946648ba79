import path from "node:path";
import type { FileSystem } from "../../../../core/model/ports.ts";
import { isDeeperThan, isRecord } from "../../../../core/model/shape.ts";
import { MAX_DEPTH } from "../../../../service/receiver/parse-event.ts";
import { FORWARD_TIMEOUT_MS } from "./forward-event.ts";
import { MAX_BODY_BYTES } from "./listener.ts";
import { type ReceivePorts, receiveEvents } from "./receive-events.ts";
import type { ReceivedEvent } from "./received-event.ts";

/** A saved event, and what happened to it. `savedAs` is its file. */
export type Replayed = ReceivedEvent & { readonly savedAs: string };

export interface ReplayOptions {
  readonly url: URL;
  /** Put into each event; null: the events are sent without one. */
  readonly secret: string | null;
}

interface ReplayPorts extends ReceivePorts {
  readonly files: Pick<FileSystem, "read">;
  /** Aborted: the next file is not sent. */
  readonly signal: AbortSignal;
}

const HEADERS = { "content-type": "application/json", "user-agent": "outreach-listen-replay" };
const UNREADABLE = { event: null, verification: "none", isDuplicate: false, forwards: [], status: 400 } as const;

/** Gives saved events to the handler of `outreach listen`, one after the other, and yields the outcome of each. */
export async function* replayEvents(
  paths: readonly string[],
  { url, secret }: ReplayOptions,
  { files, signal, ...ports }: ReplayPorts,
): AsyncGenerator<Replayed> {
  let received: ReceivedEvent | null = null;
  const receive = receiveEvents(
    {
      secrets: [],
      forward: [{ type: null, url }],
      timeoutMs: FORWARD_TIMEOUT_MS,
      save: null,
      report: (one) => (received = one),
    },
    ports,
  );
  for (const file of paths) {
    if (signal.aborted) return;
    const read = await readEvent(files, file);
    if ("problem" in read) {
      yield { ...UNREADABLE, receivedAtMs: ports.clock.now(), problem: read.problem, savedAs: file };
      continue;
    }
    const body = Buffer.from(JSON.stringify({ ...read.event, ...(secret === null ? {} : { secret }) }));
    await receive({ body, headers: HEADERS });
    if (received !== null) yield { ...(received as ReceivedEvent), savedAs: file };
  }
}

/** The files themselves, and for a folder all of its JSON files in the order of their names. Links are followed. */
export async function replayedFiles(files: FileSystem, given: readonly string[]): Promise<readonly string[]> {
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

/** Whether the answer of a receiver accepts an event. */
export function isAccepted(status: unknown): boolean {
  return typeof status === "number" && status >= 200 && status < 300;
}
