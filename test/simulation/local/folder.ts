import path from "node:path";

interface Inode {
  readonly bytes: Uint8Array;
  /** What is on the disk itself: null before the first flush. */
  readonly flushed: Uint8Array | null;
}

const NO_BYTES = new Uint8Array();
type Survival = (inode: Inode) => Uint8Array;

const SURVIVALS: readonly Survival[] = [
  ({ flushed }) => flushed ?? NO_BYTES,
  ({ bytes }) => bytes,
  ({ bytes, flushed }) => bytes.subarray(0, Math.ceil(((flushed?.length ?? 0) + bytes.length) / 2)),
];

/** A folder in memory that knows what of it is on the disk itself: bytes that were flushed, and names that were synced. */
export class Folder {
  readonly path: string;
  #inodes = new Map<number, Inode>();
  #names = new Map<string, number>();
  #synced = new Map<string, number>();
  #next = 1;

  constructor(folderPath: string) {
    this.path = folderPath;
  }

  copy(): Folder {
    const copy = new Folder(this.path);
    copy.#inodes = new Map(this.#reachable());
    copy.#names = new Map(this.#names);
    copy.#synced = new Map(this.#synced);
    copy.#next = this.#next;
    return copy;
  }

  /** Those that have a name: of the others nothing is left once no process has them open. */
  #reachable(): readonly (readonly [number, Inode])[] {
    const named = new Set([...this.#names.values(), ...this.#synced.values()]);
    return [...this.#inodes].filter(([number]) => named.has(number));
  }

  at(file: string): number | undefined {
    return this.#names.get(file);
  }

  bytes(inode: number): Uint8Array {
    return this.#inodes.get(inode)?.bytes ?? NO_BYTES;
  }

  names(): string[] {
    return [...this.#names.keys()].map((file) => path.basename(file));
  }

  /** The files, those with unflushed bytes or unsynced names with what is on the disk itself. */
  entries(): readonly { readonly file: string; readonly bytes: Uint8Array; readonly lost: string }[] {
    return [...this.#names].map(([file, number]) => {
      const { bytes, flushed } = this.#inodes.get(number) ?? { bytes: NO_BYTES, flushed: null };
      const unsynced = this.#synced.get(file) === number ? "" : " unsynced";
      return { file, bytes, lost: `${flushed === bytes ? "" : ` flushed ${String(flushed?.length)}`}${unsynced}` };
    });
  }

  /** Synced names that are gone or stand for another file now. */
  ghosts(): readonly string[] {
    return [...this.#synced].flatMap(([file, number]) => (this.#names.get(file) === number ? [] : [file]));
  }

  create(file: string): number {
    const inode = this.#next++;
    this.#inodes.set(inode, { bytes: NO_BYTES, flushed: null });
    this.#names.set(file, inode);
    return inode;
  }

  truncate(inode: number): void {
    this.#inodes.set(inode, { bytes: NO_BYTES, flushed: this.#inodes.get(inode)?.flushed ?? null });
  }

  append(inode: number, added: Uint8Array): void {
    const { bytes, flushed } = this.#inodes.get(inode) ?? { bytes: NO_BYTES, flushed: null };
    this.#inodes.set(inode, { bytes: Buffer.concat([bytes, added]), flushed });
  }

  flush(inode: number): void {
    const bytes = this.bytes(inode);
    this.#inodes.set(inode, { bytes, flushed: bytes });
  }

  /** Replaces a file durably, as a user does by hand. */
  put(file: string, bytes: Uint8Array): void {
    const inode = this.create(file);
    this.append(inode, bytes);
    this.flush(inode);
    this.#synced.set(file, inode);
  }

  rename(from: string, to: string): void {
    const inode = this.#names.get(from);
    if (inode === undefined) return;
    this.#names.set(to, inode);
    this.#names.delete(from);
  }

  link(from: string, to: string): void {
    const inode = this.#names.get(from);
    if (inode !== undefined) this.#names.set(to, inode);
  }

  remove(file: string): void {
    this.#names.delete(file);
  }

  sync(): void {
    this.#synced = new Map(this.#names);
  }

  /** What a reader finds after the power has failed: names as they are or as they were synced; unflushed bytes lost, kept or torn. */
  afterPowerFailure(): readonly Folder[] {
    const survivals = this.#reachable().every(([, { bytes, flushed }]) => bytes === flushed)
      ? SURVIVALS.slice(0, 1)
      : SURVIVALS;
    const isSynced =
      this.#names.size === this.#synced.size &&
      [...this.#names].every(([file, inode]) => this.#synced.get(file) === inode);
    if (isSynced && survivals.length === 1) return [this.copy()];
    const survivors = [this.#names, this.#synced].flatMap((names) =>
      survivals.map((survives) => this.#restarted(names, survives)),
    );
    return [this.copy(), ...survivors];
  }

  #restarted(names: ReadonlyMap<string, number>, survives: Survival): Folder {
    const folder = new Folder(this.path);
    folder.#next = this.#next;
    for (const [file, number] of names) {
      const inode = this.#inodes.get(number);
      if (!inode) continue;
      const bytes = survives(inode);
      folder.#inodes.set(number, { bytes, flushed: bytes });
      folder.#names.set(file, number);
      folder.#synced.set(file, number);
    }
    return folder;
  }
}
