import { pathToFileURL } from "node:url";
import { inject } from "vitest";
import type { FleetUnavailable, runInProcess, teamWorkInProcess } from "./run-in-process.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The command's sources as one module, to be run within tests. */
    readonly bundledCommand: string;
    /** The file that Node runs as a process, as users do. */
    readonly commandFile: string;
  }
}

export interface BundledCommand {
  readonly runInProcess: typeof runInProcess;
  readonly FleetUnavailable: typeof FleetUnavailable;
  readonly teamWorkInProcess: typeof teamWorkInProcess;
}

/** Node's own loader takes it at once; vitest's would ask for each module of it, in each test file. */
export async function bundledCommand(): Promise<BundledCommand> {
  return (await import(/* @vite-ignore */ pathToFileURL(inject("bundledCommand")).href)) as BundledCommand;
}
