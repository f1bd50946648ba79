import path from "node:path";
import type { FileSystem } from "../core/model/ports.ts";
import { nodeFiles } from "./node-files.ts";

/** The file system as a process finds it whose working folder this is. */
export function filesInFolder(folder: string, files: FileSystem = nodeFiles()): FileSystem {
  const at = (file: string): string => path.resolve(folder, file);
  return {
    read: (file, options) => files.read(at(file), options),
    writeDurably: (file, bytes) => files.writeDurably(at(file), bytes),
    createExclusively: (file, bytes, options) => files.createExclusively(at(file), bytes, options),
    openAppend: (file, options) => files.openAppend(at(file), options),
    rename: (from, to) => files.rename(at(from), at(to)),
    link: (from, to) => files.link(at(from), at(to)),
    remove: (file) => files.remove(at(file)),
    syncFolder: (file) => files.syncFolder(at(file)),
    makeFolder: (file) => files.makeFolder(at(file)),
    list: (file) => files.list(at(file)),
    kind: (file) => files.kind(at(file)),
    realPath: (file) => files.realPath(at(file)),
  };
}
