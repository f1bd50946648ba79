import type { WriteAccess, WriteContext } from "../../core/apply/write.ts";
import type { Catalog } from "../../core/model/definition.ts";
import type { Diagnostic } from "../../core/model/diagnostic.ts";
import type { Clock } from "../../core/model/ports.ts";
import type { Attributes } from "../../core/model/value.ts";
import type { ReplacedMarks } from "./replaced-marks.ts";

export type Journal = WriteContext["journal"];

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
  readonly journal: ProviderJournal;
  readonly replaced: ReplacedMarks;
  readonly clock: Clock;
}

/** Access to the service with one key. */
export interface Connection {
  /** Hands out nothing that writes. */
  readonly readClient: unknown;
  readonly access: WriteAccess;
}

/** The journal of this process, and what earlier processes left in theirs. */
export interface ProviderJournal extends Journal {
  /** Goes into every fingerprint in it. */
  readonly salt: string;
  /** The creates of earlier processes that ended before their outcome was known. */
  unfinished(): Promise<readonly UnfinishedCreate[]>;
  /** Warnings about what could not be stored, each told once. */
  warnings(): readonly Diagnostic[];
}

export interface UnfinishedCreate {
  readonly type: string;
  readonly key: Attributes;
  /** Where it is stored. */
  readonly file: string;
}
