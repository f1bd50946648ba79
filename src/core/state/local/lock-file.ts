import { basename, dirname, join } from "node:path";
import type { FileSystem } from "../../model/ports.ts";
import { anyNumber, anyText, fields, orNull, parseJson } from "../../model/shape.ts";
import type { LockHolder } from "../state-store.ts";

/** The content of a lock, and of a claim. */
export interface Lock extends LockHolder {
  readonly id: string;
}

/** `last` is who may change the lock, after `claims` claims on it. */
interface Held {
  readonly kind: "held";
  readonly lockId: string;
  readonly claims: number;
  readonly last: Lock;
}

/** What a process finds. */
export type LockContent = Held | { readonly kind: "free" } | { readonly kind: "unreadable"; readonly file: string };

interface Change {
  readonly claim: (path: string) => Promise<boolean>;
  readonly act: () => Promise<void>;
}

/** A `Lock`. */
const lockShape = fields({
  id: anyText,
  host: anyText,
  pid: anyNumber,
  operation: anyText,
  who: anyText,
  since: anyText,
  bootId: anyText,
  pidNamespace: orNull(anyText),
  startedAt: anyText,
});
const NO_HARD_LINKS: readonly unknown[] = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];
const MAX_LOCK_BYTES = 65_536;

/**
 * The files of one process that wants, holds or removes a lock. Any number of processes may do so at once, on any machine,
 * and each may be killed at any point.
 *
 * - `LOCK` names the holder. It is created, or replaced as a whole, and never gets an earlier content again: each lock has
 *   an id of its own.
 * - `LOCK.ID.claim-N` gives its creator the right to change `LOCK` while that has this id. The holder itself needs one to
 *   release the lock. Anyone else needs one too: number 1 once the holder has ended, number N+1 once the creator of number
 *   N has ended. A file can be created once, so one living process has the right.
 * - A claim counts only if `LOCK` still has this id after the claim was created. Claims are removed only when `LOCK` has
 *   another id, or by their own living creator as its last step, so that nobody can create one for the second time.
 * - `LOCK.ID.new` is a whole lock that is linked or renamed to its place. If it disappears, its creator writes it again.
 */
export class LockFiles {
  readonly #lockPath: string;
  readonly #own: Lock;
  readonly #files: FileSystem;

  constructor(lockPath: string, own: Lock, files: FileSystem) {
    this.#lockPath = lockPath;
    this.#own = own;
    this.#files = files;
  }

  async look(): Promise<LockContent> {
    const held = await this.#read(this.#lockPath);
    if (held === null) return { kind: "free" };
    if (held === "unreadable") return { kind: "unreadable", file: this.#lockPath };
    let last = held;
    for (let claims = 0; ; claims++) {
      const file = this.#claimPath(held.id, claims + 1);
      const next = await this.#read(file);
      if (next === null) return { kind: "held", lockId: held.id, claims, last };
      if (next === "unreadable") return { kind: "unreadable", file };
      last = next;
    }
  }

  /** Takes a free lock. False if another process was faster. */
  create(): Promise<boolean> {
    return this.#place(this.#lockPath);
  }

  /** Puts the own lock in the place of one whose last claimant has ended. False if another process was faster. */
  replace({ lockId, claims }: Held): Promise<boolean> {
    return this.#change(lockId, claims, {
      claim: (path) => this.#place(path),
      act: () => this.#fromWritten((written) => this.#files.rename(written, this.#lockPath)),
    });
  }

  /** Removes a lock whose last claimant has ended. False if another process was faster. */
  remove({ lockId, claims }: Held): Promise<boolean> {
    return this.#change(lockId, claims, {
      claim: (path) => this.#place(path),
      act: () => this.#files.remove(this.#lockPath),
    });
  }

  /** Removes the own lock. Does nothing if it is lost, or is just being taken away. */
  async release(): Promise<void> {
    if (!(await this.isOwn())) return;
    const claim = async (path: string): Promise<boolean> => {
      try {
        return await this.#linkTo(path, this.#lockPath);
      } catch (error) {
        if (has(error, "ENOENT")) return false;
        throw error;
      }
    };
    await this.#change(this.#own.id, 0, { claim, act: () => this.#files.remove(this.#lockPath) });
  }

  async isOwn(): Promise<boolean> {
    return (await this.#idOf(this.#lockPath)) === this.#own.id;
  }

  /** Removes the file that this process wrote its lock to. */
  async tidy(): Promise<void> {
    await this.#files.remove(this.#writtenPath);
  }

  /** Removes what killed processes left behind. `mayWait`: whether a process may still want the lock. */
  async sweep(mayWait: (lock: Lock) => Promise<boolean>): Promise<void> {
    const [folder, prefix] = [dirname(this.#lockPath), basename(this.#lockPath)];
    const left = (await this.#files.list(folder)).flatMap((name) => {
      const [, id, kind] = LEFT_BEHIND.exec(name.startsWith(prefix) ? name.slice(prefix.length) : "") ?? [];
      return id === undefined || kind === undefined ? [] : [{ path: join(folder, name), id, kind }];
    });
    if (left.length === 0) return;
    // Read after the list: a claim on any other lock than this one has no meaning any more.
    const held = await this.#read(this.#lockPath);
    for (const { path, id, kind } of left) {
      if (kind === "new") {
        const lock = await this.#read(path);
        if (lock === "unreadable" || (lock !== null && !(await mayWait(lock)))) await this.#files.remove(path);
      } else if (held === null || (held !== "unreadable" && held.id !== id)) await this.#files.remove(path);
    }
  }

  get #writtenPath(): string {
    return `${this.#lockPath}.${this.#own.id}.new`;
  }

  #claimPath(lockId: string, number: number): string {
    return `${this.#lockPath}.${lockId}.claim-${String(number)}`;
  }

  async #change(lockId: string, claims: number, { claim, act }: Change): Promise<boolean> {
    const path = this.#claimPath(lockId, claims + 1);
    if (!(await claim(path))) return false;
    try {
      if ((await this.#idOf(this.#lockPath)) !== lockId) return false;
      await act();
      for (let number = 1; number <= claims; number++) await this.#files.remove(this.#claimPath(lockId, number));
      return true;
    } finally {
      await this.#files.remove(path);
    }
  }

  #place(path: string): Promise<boolean> {
    return this.#fromWritten((written) => this.#linkTo(path, written));
  }

  /** Creates a file with the own lock, whole or not at all. False if there is one. */
  async #linkTo(path: string, from: string): Promise<boolean> {
    try {
      await this.#files.link(from, path).catch((error: unknown) => {
        if (!NO_HARD_LINKS.includes((error as NodeJS.ErrnoException).code)) throw error;
        return this.#files.createExclusively(path, this.#bytes);
      });
      return true;
    } catch (error) {
      if (!has(error, "EEXIST")) throw error;
      // A file server may have done it, and lost the answer.
      return (await this.#idOf(path)) === this.#own.id;
    }
  }

  async #fromWritten<T>(act: (written: string) => Promise<T>): Promise<T> {
    for (;;) {
      await this.#files.createExclusively(this.#writtenPath, this.#bytes).catch((error: unknown) => {
        if (!has(error, "EEXIST")) throw error;
      });
      try {
        return await act(this.#writtenPath);
      } catch (error) {
        if (!has(error, "ENOENT")) throw error;
      }
    }
  }

  get #bytes(): Uint8Array {
    return new TextEncoder().encode(`${JSON.stringify(this.#own)}\n`);
  }

  async #idOf(path: string): Promise<string | null> {
    const lock = await this.#read(path);
    return lock === null || lock === "unreadable" ? null : lock.id;
  }

  async #read(path: string): Promise<Lock | "unreadable" | null> {
    const bytes = await this.#files.read(path, { maxBytes: MAX_LOCK_BYTES });
    if (bytes === null) return null;
    const lock = parseJson(bytes);
    return lockShape(lock) ? (lock as Lock) : "unreadable";
  }
}

const LEFT_BEHIND = /^\.(.+)\.(new|claim-\d+)$/;

function has(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code;
}
