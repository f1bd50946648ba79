import type { Before } from "../../../core/apply/recovery/decide-creates.ts";
import type { AnyResource } from "../../../core/model/definition.ts";
import type { Diagnostic } from "../../../core/model/diagnostic.ts";
import type { ProcessMark } from "../../../core/model/ports.ts";
import type { Hidden } from "../../../core/model/process-fate.ts";
import type { Attributes } from "../../../core/model/value.ts";
import type { LostCreate } from "../../../core/state/document.ts";
import type { JournalScope } from "../../../core/state/journal.ts";
import type { Intent, Journal, JournalFact } from "../../../core/state/journal-event.ts";
import type { JournaledCreate } from "./journaled-create.ts";

/** Journals that block a create, or may block it. */
export interface Obstacles {
  /** Of another workspace, service or key: they prove nothing here. */
  readonly foreign: readonly { readonly path: string; readonly scope: JournalScope | null; readonly creates: readonly JournaledCreate[] }[];
  /** Journals that cannot be read. */
  readonly damaged: readonly Diagnostic[];
  /** Open creates of this workspace, service and key, whose processes may still run where this one cannot see them. */
  readonly hidden: readonly HiddenCreate[];
}

/** An open create of a process that may still run where this one cannot see it. */
export interface HiddenCreate {
  readonly create: JournaledCreate;
  readonly path: string;
  /** As `outreach force-unlock` takes it. */
  readonly id: string;
  readonly owner: ProcessMark;
  readonly why: Hidden;
}

/**
 * The journals of this process and of earlier ones, in one folder, one file per process. Terraform's state cannot hold
 * intents, and a provider does not learn addresses. So each process leaves its file behind until nothing in it must be
 * remembered. A process that writes takes over the files of ended processes. One that only reads leaves them alone.
 */
export interface Journals extends Journal {
  readonly folder: string;
  /** Part of every fingerprint. The same for all journals of a workspace, service and key, so that fingerprints can be compared. */
  salt(): Promise<string>;
  /** The workspace, service and key that this process writes to. */
  scope(): Promise<JournalScope>;
  /** Read once. Throws if the folder cannot be read. */
  obstacles(): Promise<Obstacles>;
  /** The creates of earlier processes of this workspace, service and key. Without open ones of processes that may still run. */
  leftBehind(): Promise<readonly JournaledCreate[]>;
  /** Takes over the journals of ended processes. Throws if it cannot: then nothing may be created. */
  takeOver(): Promise<void>;
  /**
   * Takes over the journals of processes that ended since then. `isMore`: whether there were any. `living`: the current creates
   * of processes that still run, and the open ones of those that may (`hidden`).
   */
  catchUp(): Promise<{ readonly isMore: boolean; readonly living: readonly JournaledCreate[]; readonly hidden: readonly HiddenCreate[] }>;
  /** Every known create: `own` of this process and of ended ones, `ofLiving` of running ones. */
  creates(): Promise<{ readonly own: readonly JournaledCreate[]; readonly ofLiving: readonly JournaledCreate[] }>;
  /** The ids of all objects that known creates made, deleted ones included. */
  madeIds(): Promise<ReadonlySet<string>>;
  lostCreates(): Promise<readonly LostCreate[]>;
  /** The creates that this process began. */
  begun(): readonly JournaledCreate[];
  /** Marks the object of an earlier create as returned to Terraform. */
  handOver(create: string): void;
  /** Stores the outcome of a create whose object was looked for. Throws if it cannot. Ignores a create that is in no journal. */
  recordCreate(create: string, fact: FoundFact): Promise<void>;
  /** Stores a lost create that is in no journal. */
  rememberLost(intent: Pick<Intent, "type" | "provider" | "key" | "planned" | "serverDate" | "sentAtMs">, before: Before | undefined): Promise<void>;
  /** Stores the id of an object that is removed from the state as missing: it may return. Throws if it cannot. */
  rememberMissing(definition: AnyResource, missing: { readonly id: string; readonly attributes: Attributes }): Promise<void>;
  /** Warnings about failed writes to the journal, each once. */
  warnings(): readonly Diagnostic[];
  /** Call it before the first create. */
  begins(): void;
  /** Removes the files that nobody needs, and stores in the others what this process saw. Call `release` after it. */
  close(options: { readonly wasOrderly: boolean; readonly isOver: (create: JournaledCreate) => boolean }): Promise<void>;
  /** Marks the journals of this process as those of an ended one, for processes that cannot see it end. It never fails. */
  release(): Promise<void>;
}

export type FoundFact = Pick<Extract<JournalFact, { kind: "done" }>, "kind" | "record" | "lookalikes"> | { readonly kind: "given_up" };
