/** A place that still has a person, or may have. No text of it contains an address. */
export interface NotReached {
  /**
   * - `list`: the configuration declares the person there
   * - `file`: another file, of the working folder or of the state's
   * - `object`: the record of an object that the service shows to others
   * - `copy`: a copy that cannot be read, listed or removed
   * - `configuration`: it cannot be read
   * - `store`: what a store keeps beyond its versions
   * - `elsewhere`: what no program knows of
   */
  readonly kind: "list" | "file" | "object" | "copy" | "configuration" | "store" | "elsewhere";
  readonly file?: string;
  readonly line?: number;
  readonly detail?: string;
}

/** What was erased from one place. */
export interface ErasedPlace {
  readonly kind: "state" | "journal" | "backup" | "version" | "plan" | "outputs";
  readonly name: string;
  /** Records, outputs or files. */
  readonly count: number;
}

export interface CertifiedPerson {
  /** The number of the argument, from 1. */
  readonly argument: number;
  /** The beginning of the keyed hash that stands for the person in the state; null where the state knows nothing of them. */
  readonly hash: string | null;
  /** Records that stay as done, under the hash. */
  readonly done: number;
  /** Records that waited, and were removed: nobody looks for them any more. */
  readonly waiting: number;
  /** Records that an earlier run had put under the hash. */
  readonly before: number;
}

/** What an erasure did. It contains no address. */
export interface ErasureCertificate {
  readonly format: 1;
  readonly erasedAt: string;
  readonly state: string;
  readonly team?: string;
  readonly people: readonly CertifiedPerson[];
  readonly erased: readonly ErasedPlace[];
  readonly notReached: readonly NotReached[];
}
