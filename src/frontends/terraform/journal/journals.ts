import type { Diagnostic } from "../../../core/model/diagnostic.ts";
import type { ProcessMark } from "../../../core/model/ports.ts";
import type { Hidden } from "../../../core/model/process-fate.ts";
import type { LostCreate } from "../../../core/state/document.ts";
import type { JournalScope } from "../../provider-journal/ledger.ts";
import type { Journal, JournalFact } from "../../../core/state/journal-event.ts";
import type { RecordedInstance } from "../../../core/model/instance.ts";
import type { JournaledCreate } from "./journaled-create.ts";

/** What blocks a create, or may block it. */
export interface Obstacles {
  /** The open creates of another workspace, service or key: they prove nothing here. */
  readonly foreign: readonly { readonly scope: JournalScope; readonly creates: readonly JournaledCreate[] }[];
  /** As in `Look`. */
  readonly hidden: readonly HiddenCreate[];
}

/** An open create of a process that may still run where this one cannot see it. */
export interface HiddenCreate {
  readonly create: JournaledCreate;
  /** As `outreach force-unlock` takes it. */
  readonly id: string;
  readonly owner: ProcessMark;
  readonly why: Hidden;
  /** From then on it is certainly over, whatever became of its process. Null if that is not known. */
  readonly overAtMs: number | null;
}

/** The creates of other processes that may still be under way. */
export interface Look {
  /** Of processes that run, current ones, and the open ones of those that may run (`hidden`). `process` tells them apart. */
  readonly living: readonly { readonly create: JournaledCreate; readonly process: string }[];
  readonly hidden: readonly HiddenCreate[];
}

/**
 * The journal of the provider: one ledger in a store, for all processes. Terraform's state cannot hold intents, and a
 * provider does not learn addresses. So a create stays in it until nothing of it must be remembered.
 */
export interface Journals extends Journal {
  /** In messages. */
  readonly name: string;
  /** Part of every fingerprint. The same for a workspace, service and key, so that fingerprints can be compared. */
  salt(): Promise<string>;
  /** The workspace, service and key that this process writes to. */
  scope(): Promise<JournalScope>;
  /** As first read. Throws if the ledger cannot be read. */
  obstacles(): Promise<Obstacles>;
  /** Stores what an earlier write could not. Throws if it cannot, or if the ledger cannot be read: then nothing may be created. */
  prepare(): Promise<void>;
  /** Reads the ledger again. */
  look(): Promise<Look>;
  /** The creates of processes that are over, and those whose outcome an ended process may have left to others. */
  leftBehind(): Promise<readonly JournaledCreate[]>;
  /** Those of them, and of the own ones that are still open, whose object Terraform may not have. */
  earlier(): Promise<readonly JournaledCreate[]>;
  /** Every known create: `own` of this process and of ended ones, `ofLiving` of others. */
  creates(): Promise<{ readonly own: readonly JournaledCreate[]; readonly ofLiving: readonly JournaledCreate[] }>;
  /** The ids of all objects that known creates made, deleted ones included; without those that were found for objects without an id, if `isForOthers`. */
  madeIds(options?: { readonly isForOthers: true }): Promise<ReadonlySet<string>>;
  lostCreates(): Promise<readonly LostCreate[]>;
  /** The creates that this process began. */
  begun(): readonly JournaledCreate[];
  /** Notes what was found for an object that Terraform recorded without an id. Stored with the next write. */
  noteWithoutId(create: string, found: { readonly record: RecordedInstance; readonly lookalikes: readonly string[] }): void;
  /** Marks the object of an earlier create as returned to Terraform. */
  handOver(create: string): void;
  /** Stores the outcome of an open create whose object was looked for. Throws if it cannot, also because another process was faster. */
  recordCreate(create: string, fact: FoundFact): Promise<void>;
  /** Stores what may appear late, once under a name. Throws if it cannot. */
  remember(name: string, lost: LostCreate): Promise<void>;
  /** Warnings about failed writes to the journal, each once. */
  warnings(): readonly Diagnostic[];
  /** Call it before the first create. */
  begins(): void;
  /** Releases the creates of this process, stores what it saw, and forgets what nobody needs. */
  close(options: { readonly wasOrderly: boolean; readonly isOver: (create: JournaledCreate) => boolean }): Promise<void>;
}

export type FoundFact = Pick<Extract<JournalFact, { kind: "done" }>, "kind" | "record" | "lookalikes"> | { readonly kind: "given_up" };
