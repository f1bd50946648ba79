import type { ListingDelayMs } from "../../core/apply/live/listing-delay.ts";
import type { WriteAccess } from "../../core/apply/write/write-context.ts";
import type { Catalog } from "../../core/model/definition.ts";
import type { Clock, Random } from "../../core/model/ports.ts";
import type { Fingerprinter } from "../../core/secrets/fingerprint.ts";
import type { ProviderJournal } from "./journal/provider-journal.ts";
import type { AppliedPlan, TerraformCommand } from "./terraform-command.ts";

/** Everything that the main passes to the provider, so that tests run it in their own process. */
export interface Services {
  readonly catalog: Catalog;
  /** Used where the provider block has no value; an empty text counts as no value. */
  readonly environment: {
    readonly baseUrl: string | undefined;
    readonly apiKey: string | undefined;
    /** Whether TLS certificates are not verified: anyone on the network could read the requests. */
    readonly certificatesUnverified?: boolean;
  };
  /** Each secret of the environment that only this provider may use, with what it is. */
  readonly ownSecrets: ReadonlyMap<string, string>;
  /** The problem with a base URL as a sentence; undefined when there is none. */
  readonly baseUrlProblem: (text: string) => string | undefined;
  /** The problem with the proxy for a valid base URL, as a sentence. */
  readonly proxyProblem?: (baseUrl: string) => string | undefined;
  readonly connect: (settings: ServiceSettings) => Connection;
  /** Slow on purpose. */
  readonly fingerprinter: Fingerprinter;
  readonly journal: ProviderJournal;
  readonly listingDelayMs: ListingDelayMs;
  readonly appliedPlan: AppliedPlan;
  /** The command that has started this process; an ordinary one if that is not known. */
  readonly command: () => Promise<TerraformCommand>;
  readonly clock: Clock;
  readonly random: Random;
}

export interface ServiceSettings {
  readonly baseUrl: string;
  /** The attribute or environment variable that sets it, as messages name it. */
  readonly baseUrlFrom: string;
  readonly apiKey: string;
  /** Whether the service allows one object per value of a type's exclusive attribute; absent: no. */
  readonly exclusive?: boolean;
  /** Whether creates carry a mark. */
  readonly mark?: boolean;
}

/** Access to the service with one API key. */
export interface Connection {
  /** Cannot write. */
  readonly readClient: unknown;
  readonly access: WriteAccess;
}
