import type { Clock, ProcessIdentity, Random } from "../../src/core/model/ports.ts";
import type { StateStore } from "../../src/core/state/state-store.ts";
import type { Decisions, StorePart, World } from "./world.ts";

/** What a process is made with. */
export interface ProcessPorts {
  /** Its time passes only while everything sleeps. */
  readonly clock: Clock;
  readonly random: Random;
  readonly decisions: Decisions;
  readonly mark: ProcessIdentity;
  readonly life: Life;
}

/** When it is over, the process gets no answer any more, and does nothing more. */
export interface Life {
  readonly isOver: boolean;
}

/** A kind of place for a state. */
export interface StoreKind {
  readonly name: "local" | "tidied" | "http" | "s3" | "pg";
  newPart(): StorePart;
  /** What somebody has to do after a run that failed or died, before the next: a lock may have to be removed by force. */
  tidy(store: StorePart): void;
  /** The store as a process has it. */
  open(world: World, ports: ProcessPorts): Promise<StateStore> | StateStore;
}

export const never = (): Promise<never> => new Promise(() => undefined);
