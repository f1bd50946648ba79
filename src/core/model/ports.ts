/** What the mains pass in, so that every other file can be run without a clock, a disk or chance. */
export interface MachinePorts {
  /** The time, and waiting. */
  readonly clock: Clock;
  /** Ids and bytes that nobody can guess. */
  readonly random: Random;
  readonly files: FileSystem;
  /** Who runs this process, and where: for locks. */
  readonly process: ProcessIdentity;
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds that only grow, the same for all processes of a machine. */
  monotonicMs(): number;
  /** Rejects with the signal's reason when it is aborted. */
  sleep(durationMs: number, signal: AbortSignal): Promise<void>;
}

export interface Random {
  /** A random identifier in the form of a UUID. */
  uuid(): string;
  bytes(count: number): Uint8Array;
}

/** Hexadecimal digits that tell texts apart, and reveal nothing about them without the key. */
export type KeyedDigest = (key: string, text: string) => string;

/** How a new file is made. */
export interface CreationOptions {
  /** Whether others may read it, as the user's umask says. Otherwise only the user can. */
  readonly isPublic?: boolean;
}

/** The few file operations that crash safety is made of, each a fault point. Errors are Node's, with their `code`. */
export interface FileSystem {
  /** Refuses symbolic links (`ELOOP`) unless `followLinks`; throws `EFBIG` over `maxBytes`; null when there is no such file. */
  read(
    path: string,
    options?: { readonly maxBytes?: number; readonly followLinks?: boolean },
  ): Promise<Uint8Array | null>;
  /** Creates or truncates (mode 0600), writes all bytes and fsyncs. Refuses symbolic links (`ELOOP`). */
  writeDurably(path: string, bytes: Uint8Array): Promise<void>;
  /** Creates exclusively (mode 0600), writes all bytes and fsyncs; throws `EEXIST`. */
  createExclusively(path: string, bytes: Uint8Array, options?: CreationOptions): Promise<void>;
  /** Opens for appending (mode 0600), only a new file if `exclusive` (`EEXIST`); each append is flushed to the disk before it resolves. */
  openAppend(path: string, options?: CreationOptions & { readonly exclusive?: boolean }): Promise<AppendFile>;
  rename(from: string, to: string): Promise<void>;
  link(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  syncFolder(path: string): Promise<void>;
  makeFolder(path: string): Promise<void>;
  list(path: string): Promise<readonly string[]>;
  kind(path: string): Promise<"file" | "folder" | "link" | "other" | null>;
  /** The path with every symbolic link resolved. */
  realPath(path: string): Promise<string>;
}

export interface PlacedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Whether the system may run it. */
  readonly executable: boolean;
}

/**
 * Puts files into a folder, for everybody to read as far as the umask lets them. A folder that is new appears with all of them at once; in one that
 * is there each file is replaced as a whole, in the given order. False when they were there already.
 */
export type PlaceFiles = (folder: string, files: readonly PlacedFile[]) => Promise<boolean>;

export interface AppendFile {
  append(bytes: Uint8Array): Promise<void>;
  /**
   * Puts bytes in the place of others that were appended before, at this position, without a flush: a later append flushes
   * them too. The system writes what lies within the first 512 bytes, one sector, whole or not at all.
   */
  overwrite(bytes: Uint8Array, position: number): Promise<void>;
  close(): Promise<void>;
}

/** A process, as its lock or journal names it to others. */
export interface ProcessMark {
  readonly host: string;
  /** Names this run of the kernel, and so the machine. Empty where the system does not tell. */
  readonly bootId: string;
  /** Names the group of processes that see each other's pids, as in a container. Empty where it cannot be read, null on a system without such groups. */
  readonly pidNamespace: string | null;
  readonly pid: number;
  /** The kernel's start time of the process, empty where the system does not tell. */
  readonly startedAt: string;
}

/** Names the running process, so that a lock shows whether its holder still runs: see `process-fate.ts`. */
export interface ProcessIdentity extends ProcessMark {
  readonly who: string;
  /** Whether the process with this pid and start time still runs in this PID namespace. */
  isAlive(pid: number, startedAt: string): Promise<boolean>;
  /**
   * Ends a program at the head of a group of its own, with all that it has started. Null or absent: programs stay in our group, as on Windows, and on a
   * terminal, where they can ask the user, and Ctrl-C reaches them.
   */
  readonly endGroup?: ((leader: number) => void) | null;
}
