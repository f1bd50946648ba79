import type { ListingDelayMs } from "../../core/apply/recovery/decide-creates.ts";
import type { WriteAccess } from "../../core/apply/write/write.ts";
import type { Catalog } from "../../core/model/definition.ts";
import type { Clock } from "../../core/model/ports.ts";
import type { JournalFolder } from "./journal/folder.ts";
import type { ListLengths } from "./list-lengths.ts";
import type { PlanNotes } from "./plan-notes.ts";

/** Everything that the provider is given by its main, so that tests run it in their own process. */
export interface Services {
  readonly catalog: Catalog;
  /** Values that stand in for absent ones of the provider block; an empty text is absent. */
  readonly environment: {
    readonly baseUrl: string | undefined;
    readonly apiKey: string | undefined;
    /** Anybody on the way could read what is sent. */
    readonly certificatesUnverified?: boolean;
  };
  /** What is wrong with a base URL, in a sentence. */
  readonly baseUrlProblem: (text: string) => string | undefined;
  readonly connect: (settings: { readonly baseUrl: string; readonly apiKey: string }) => Connection;
  /** Fingerprints under a salt (hexadecimal): slow on purpose, the same for the same secret. */
  readonly fingerprinter: (salt: string) => (secret: string) => Promise<string>;
  readonly journal: JournalFolder;
  readonly listingDelayMs: ListingDelayMs;
  readonly planNotes: (scope: () => Promise<string>) => PlanNotes;
  readonly listLengths: (scope: () => Promise<string>) => ListLengths;
  readonly clock: Clock;
}

/** Access to the service with one key. */
export interface Connection {
  /** Hands out nothing that writes. */
  readonly readClient: unknown;
  readonly access: WriteAccess;
}
