/**
 * Moves the bytes of one state. What they mean (format, checksum, upgrades) is `document.ts`, once for every store.
 * Errors are thrown as `DiagnosticsError` when the user can mend them.
 */
export interface StateStore {
  /** What messages call it: a path, a URL. */
  readonly name: string;
  /** Null when there is no state yet. `version` names exactly these bytes. */
  read(signal: AbortSignal): Promise<{ readonly bytes: Uint8Array; readonly version: string } | null>;
  /** Replaces the state as a whole or not at all. `expected` is the version read before, null for none: a mismatch throws `state_changed`. Returns the new version. */
  write(bytes: Uint8Array, expected: string | null, signal: AbortSignal): Promise<string>;
  /** Throws `state_locked`, naming the holder, when somebody else has it for longer than `timeoutMs`. */
  lock(holder: LockHolder, timeoutMs: number, signal: AbortSignal): Promise<StateLock>;
  /** Takes the lock with this id away from whoever holds it. Throws `lock_absent` when there is none, `lock_other` when it has another id. */
  forceUnlock(id: string, signal: AbortSignal): Promise<void>;
  /** A journal file beside the state; null where intents are stored inside the state itself. */
  readonly journal: JournalBytes | null;
}

export interface LockHolder {
  readonly operation: string;
  readonly who: string;
  readonly host: string;
  readonly bootId: string;
  readonly pid: number;
  readonly startedAt: string;
  /** ISO 8601, UTC. */
  readonly since: string;
}

export interface StateLock {
  readonly id: string;
  release(): Promise<void>;
}

/** The bytes of a journal: appended durably, read whole, removed when they are folded into the state. */
export interface JournalBytes {
  readonly name: string;
  read(): Promise<Uint8Array | null>;
  /** Resolves when the bytes are on the disk. */
  append(bytes: Uint8Array): Promise<void>;
  remove(): Promise<void>;
  /** Gives what is there another name, made with `tag`, and returns that name. */
  setAside(tag: string): Promise<string>;
}
