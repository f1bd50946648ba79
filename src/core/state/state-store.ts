import type { ProcessFate } from "../model/process-fate.ts";
import type { SecretSource } from "../model/declaration.ts";
import type { PgConnections } from "./pg/pg-connections.ts";
import type { MachinePorts, ProcessMark } from "../model/ports.ts";
import type { Web } from "../model/web.ts";

/**
 * Moves the bytes of one state. What they mean (format, checksum, upgrades) is `document.ts`, once for every store. A
 * store is one process's handle: what it knows of its lock is its own. `test/core/state/store-contract.ts` runs every
 * store against this interface.
 *
 * Errors that a user can fix are thrown as `DiagnosticsError`, with the codes of `store-errors.ts`. A method that takes a
 * signal rejects with the signal's reason: at once and without effect where it is aborted already, else as soon as it
 * can. A write that was under way then may have been carried out.
 */
export interface StateStore {
  /** What messages call it: a path or a URL, without credentials. */
  readonly name: string;
  /** Whether the state is lost with this machine's disk. */
  readonly isOnThisMachine: boolean;
  /** Whether a write compares and replaces in one step. Otherwise only the lock keeps two writers apart. */
  readonly isAtomic: boolean;
  /** A lock ends with its holder, on whatever machine. Absent: it may stay. */
  readonly endsLocks?: true;
  /** Throws where a user has to correct something before this store can be used. Changes nothing. */
  assertReady(signal: AbortSignal): Promise<void>;
  /** The whole state as it was last written, in bytes that the caller may change; null when there is no state yet. `version` names exactly these bytes. */
  read(signal: AbortSignal): Promise<StoredState | null>;
  /**
   * Replaces the state as a whole or not at all, durably, and returns the new version. `expected` is the version read or
   * written before, null for none: when another version is stored, it throws `state_changed`. When this store holds the
   * lock, the write depends on that too: it throws `lock_lost` once the lock is gone or another run's, and aborts `lost`.
   * A remote store compares and writes in one step; files do it in two, so that only the lock keeps two writers apart.
   * A store whose answers can get lost looks before it throws: its own bytes under a new version are its own success.
   */
  write(bytes: Uint8Array, expected: string | null, signal: AbortSignal): Promise<string>;
  /**
   * Locks the state for one run. While another run holds the lock it waits, up to `timeoutMs`, and then throws
   * `state_locked`, which names the holder and the lock's id. The lock is taken whole or not at all. A store whose answers
   * can get lost looks before it throws: a lock with its own id is its own. When it begins to wait, it calls `waitsFor`
   * once, with the holder in words.
   */
  lock(
    holder: LockHolder,
    timeoutMs: number,
    signal: AbortSignal,
    waitsFor?: (holder: string) => void,
  ): Promise<StateLock>;
  /** Removes the lock with this id, whichever run holds it. Throws `lock_absent` when there is no lock, and `lock_other`, changing nothing, when it has another id. */
  forceUnlock(id: string, signal: AbortSignal): Promise<void>;
  /** Whether `heldLock` takes the lock for a moment, as nothing else tells whether it is free. */
  readonly locksToLook?: true;
  /** Who holds the lock; null if nobody does. */
  heldLock(signal: AbortSignal): Promise<HeldLockInfo | null>;
  /** The state as it was before its last write; null where the store keeps no such copy. */
  readonly backup: StateBackup | null;
  /** A journal next to the state; null where intents are stored inside the state itself, by windows (`windowed-journal.ts`). */
  readonly journal: StateJournal | null;
  /** Encrypts what this state's data is written to elsewhere. Absent: nothing is encrypted. */
  readonly encryption?: Encryption;
  /** Closes connections. The last call; a lock that is still held ends or stays as if the process had ended. */
  close(): Promise<void>;
}

/** A lock of any run. */
export interface HeldLockInfo {
  /** The id that `forceUnlock` takes. */
  readonly id: string;
  readonly who: string;
  readonly operation: string;
  /** ISO 8601, UTC; null where the store does not tell. */
  readonly since: string | null;
  /** The holder in words, as in messages. */
  readonly holder: string;
  /** Whether the process that took it still runs. */
  readonly fate: ProcessFate;
}

export interface StoredState {
  readonly bytes: Uint8Array;
  readonly version: string;
  /** What the next write changes, even if it writes the same document. */
  readonly keyChange?: KeyChange;
}

/** How bytes are encrypted, compared with what the configuration says. */
export type KeyChange = "encrypt" | "decrypt" | "change-key";

/** Encrypts documents, and decrypts them, with the keys of a configuration. */
export interface Encryption {
  /** Whether plain text is read although new data is encrypted: while a state is encrypted for the first time. */
  readonly acceptsPlain: boolean;
  /** `readable` stays in plain text, and is authenticated. Bytes that are not to be encrypted any more stay as they are. */
  seal(bytes: Uint8Array, readable: Readable): Promise<Uint8Array>;
  /**
   * What was sealed. Throws `encryption_key_wrong`, `state_unreadable` for bytes that were changed, and `state_not_encrypted`
   * for plain text, unless the configuration accepts that; `name` is what messages call them.
   */
  open(
    bytes: Uint8Array,
    kind: Readable["kind"],
    name: string,
  ): Promise<{ readonly bytes: Uint8Array; readonly keyChange: KeyChange | null }>;
}

/** What an encrypted document shows to everyone. */
export type Readable =
  /** `movedTo`: the place of a state that has moved, for those who only have an earlier key. */
  | { readonly kind: "state"; readonly lineage?: string; readonly serial?: number; readonly movedTo?: string }
  | { readonly kind: "plan" };

/** Who holds a lock: for messages, and for a store that can tell whether that process is gone. */
export interface LockHolder extends ProcessMark {
  readonly operation: string;
  readonly who: string;
  /** ISO 8601, UTC. */
  readonly since: string;
}

export interface StateLock {
  /** The id that `forceUnlock` takes, and that messages name. */
  readonly id: string;
  /**
   * Aborted, with the error `lock_lost` as its reason, once the store knows that the lock is not this run's any more: at
   * the latest when it refuses a write for that. The run then sends nothing more.
   */
  readonly lost: AbortSignal;
  /** Removes the lock if it is still this run's, and does nothing otherwise. May be called again. */
  release(): Promise<void>;
}

export interface StateBackup {
  /** What messages call it: something that a user can name to get it back. */
  readonly name: string;
  /** The bytes before the last write; null before there were two writes. */
  read(signal: AbortSignal): Promise<Uint8Array | null>;
}

/** The bytes of a journal: appended durably, read whole, removed when they are folded into the state. */
export interface JournalBytes {
  /** What messages call it. */
  readonly name: string;
  /** Everything that was appended; null when there is nothing. */
  read(): Promise<Uint8Array | null>;
  /** Adds bytes at the end, in the order of the calls, and resolves when they are durable. After a failure the end may be torn. */
  append(bytes: Uint8Array): Promise<void>;
  /** Puts bytes in the place of others that were appended: durable with the next append, and whole or not at all within the first 512 bytes. */
  overwrite(bytes: Uint8Array, position: number): Promise<void>;
  /** Removes the journal durably; an append after that begins a new one. */
  remove(): Promise<void>;
  /** Gives the journal another name, made with `tag`, and returns that name. */
  setAside(tag: string): Promise<string>;
}

/** The journal of a state that a run may have locked. */
export interface StateJournal extends JournalBytes {
  /** Called before each intent, and again before each request. Throws `lock_lost`, and aborts `lost`, once the lock of this store is gone or another run's. */
  assertLocked(): Promise<void>;
}

/** Loads the backend and opens a store of the chosen state, without asking it for anything. */
export type OpenStore = (ports: StorePorts) => Promise<StateStore>;

/** What stores need of the world outside. */
export interface StorePorts extends MachinePorts {
  readonly environment: { readonly [name: string]: string | undefined };
  /** Opened when it is used. */
  readonly web: () => Promise<Web>;
  /** Reads a secret, once a run, and keeps it out of all output. `again`: the value before has expired. Throws `DiagnosticsError` if it has no value. */
  readonly reveal: (source: SecretSource, options?: { readonly again?: boolean }) => Promise<string>;
  /** Keeps a text out of all output: a password that is part of a URL, or that a secret contains. */
  readonly hide: (secret: string) => void;
  /** Where a process keeps connections from one store to the next. */
  readonly pgConnections?: PgConnections;
  /** How long one request to a server may take. */
  readonly timeoutMs: number;
}
