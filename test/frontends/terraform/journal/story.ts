import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach } from "vitest";
import {
  type Ledger,
  type LedgerCreate,
  NO_RECORDS,
  decodeLedger,
} from "../../../../src/frontends/provider-journal/ledger.ts";
import type { Sandbox } from "../../../../src/sandbox/server.ts";
import { type Kept, ProviderUnderTest, sandboxForTest } from "../provider-under-test.ts";

export const URL_A = "https://a.example.com/hook";

type StartOptions = Partial<Parameters<typeof ProviderUnderTest.start>[0]>;

/** Processes after each other with one journal folder, and the service's own log. Begun and cleared away around each test. */
export interface JournalStory {
  readonly sandbox: Sandbox;
  readonly folder: string;
  /** A process of the next pid. */
  start(options?: StartOptions): Promise<ProviderUnderTest>;
  /** How many creates the service has received. */
  posts(): number;
  live(): readonly string[];
  /** The ledger; empty before anything was written. */
  ledger(): Ledger;
  /** The creates that it holds, in their order. */
  creates(): readonly LedgerCreate[];
  /** Everything that lies in the folder. */
  text(): string;
}

export function journalStory(): JournalStory {
  const story = { sandbox: null as never as Sandbox, folder: "" };
  let processes: ProviderUnderTest[] = [];
  let pid = 1000;
  beforeEach(async () => {
    story.sandbox = await sandboxForTest();
    story.folder = mkdtempSync(path.join(tmpdir(), "journal-"));
    processes = [];
  });
  afterEach(async () => {
    for (const one of processes) await one.kill();
    rmSync(story.folder, { recursive: true, force: true });
    await story.sandbox.close();
  });
  const ledger = (): Ledger => {
    const file = path.join(story.folder, "ledger.json");
    return existsSync(file) ? decodeLedger(readFileSync(file), file) : NO_RECORDS;
  };
  return Object.assign(story, {
    start: async (options: StartOptions = {}) => {
      const { sandbox, folder } = story;
      const started = await ProviderUnderTest.start({
        baseUrl: sandbox.baseUrl,
        apiKey: sandbox.keys.good,
        folder,
        pid: ++pid,
        ...options,
      });
      processes.push(started);
      return started;
    },
    posts: () => story.sandbox.requests().filter(({ method, path: to }) => method === "POST" && to === "/hooks").length,
    live: () => story.sandbox.webhooks().map(({ _id }) => _id),
    ledger,
    creates: () => ledger().scopes.flatMap(({ creates }) => Object.values(creates)),
    text: () =>
      readdirSync(story.folder)
        .map((name) => readFileSync(path.join(story.folder, name), "utf8"))
        .join("\n"),
  });
}

export function idOf(kept: Pick<Kept, "state">): string {
  return String(kept.state?.["id"]);
}

/** A condition of a fault: the process dies as the request arrives, or as it is answered. */
export function dying(provider: ProviderUnderTest): () => boolean {
  return () => {
    void provider.kill();
    return true;
  };
}
