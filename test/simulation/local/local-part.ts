import { localStore } from "../../../src/core/state/local/local-store.ts";
import { nodeFiles } from "../../../src/platform/node-files.ts";
import { mortalDisk } from "./mortal-disk.ts";
import type { StoreKind } from "../ports.ts";
import type { StorePart } from "../world.ts";
import { isTemporary, maskedName, simulatedDisk } from "./disk.ts";
import { Folder } from "./folder.ts";
import { ofBytes } from "../of-bytes.ts";

const STATE = "/work/outreach.state.json";
const JOURNAL = `${STATE}.journal`;

/** A state in a file, with its journal. */
export class LocalPart implements StorePart {
  readonly folder: Folder;

  constructor(folder = new Folder("/work")) {
    this.folder = folder;
  }

  copy(): this {
    return new LocalPart(this.folder.copy()) as this;
  }

  key(): readonly string[] {
    const files = this.folder.entries().map(({ file, bytes, lost }) => {
      const name = maskedName(file);
      // Nobody reads them: the disk makes sure of it.
      if (isTemporary(name)) return { name, texts: [name] };
      if (name.includes(".lock")) return { name, texts: [file, lockText(bytes)] };
      if (name.endsWith(".backup")) return { name, texts: [file, textOf(bytes).endsWith("}\n") ? "whole" : "torn"] };
      return { name, texts: [`${file}${lost}`, textOf(bytes)] };
    });
    const ghosts = this.folder
      .ghosts()
      .flatMap((file) => (file === STATE || file === JOURNAL ? [`synced ${file}`] : []));
    return [...files.toSorted((a, b) => compare(a.name, b.name)).flatMap(({ texts: ofFile }) => ofFile), ...ghosts];
  }

  afterDeath(): readonly this[] {
    return this.folder.afterPowerFailure().map((folder) => new LocalPart(folder) as this);
  }

  stored(): { readonly state: Uint8Array | null; readonly journal: Uint8Array | null } {
    return { state: this.#read(STATE), journal: this.#read(JOURNAL) };
  }

  texts(): readonly string[] {
    return this.folder.entries().map(({ bytes }) => textOf(bytes));
  }

  unlock(): void {
    this.folder.remove(`${STATE}.lock`);
  }

  /** Leaves the state and its journal, and both are on the disk. */
  tidy(): void {
    for (const { file, bytes } of this.folder.entries()) {
      if (file === STATE || file === JOURNAL) this.folder.put(file, bytes);
      else this.folder.remove(file);
    }
    this.folder.sync();
  }

  putBack(state: Uint8Array): void {
    this.folder.put(STATE, state);
  }

  #read(file: string): Uint8Array | null {
    const inode = this.folder.at(file);
    return inode === undefined ? null : this.folder.bytes(inode);
  }
}

export const local: StoreKind = {
  name: "local",
  // The next process takes a lock over.
  tidy: () => undefined,
  newPart: () => new LocalPart(),
  open: ({ store }, { clock, random, decisions, mark, life }) => {
    const disk = mortalDisk(simulatedDisk((store as LocalPart).folder, decisions), life);
    // The folder is there.
    return localStore(STATE, {
      files: { ...nodeFiles(disk, "linux"), makeFolder: async () => undefined },
      clock,
      random,
      process: mark,
    });
  },
};

/** The same, where a run that fails or dies leaves nothing beside the state and its journal, and power is not lost later than that. */
export const tidied: StoreKind = { ...local, name: "tidied", tidy: (store) => (store as LocalPart).tidy() };

const decoder = new TextDecoder();
/** Decoded once: copies of a world share the bytes of their files. */
const textOf = ofBytes((bytes) => decoder.decode(bytes));

/** When it was taken is only said. */
function lockText(bytes: Uint8Array): string {
  return textOf(bytes).replace(/"since":"[^"]*"/, "");
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
