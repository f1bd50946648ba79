import type { DataRead } from "../../model/configuration-outline.ts";
import type { Declaration, Evaluate, OutputValue, SecretSource, Statements } from "../../model/declaration.ts";
import type { Catalog } from "../../model/definition.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { RecordedInstance } from "../../model/instance.ts";
import type { Limits } from "../../model/limits.ts";
import type { IgnoredWarnings } from "../../model/ignored-warnings.ts";
import type { Clock, ProcessIdentity, Random } from "../../model/ports.ts";
import type { PlanOptions } from "../../plan/plan-context.ts";
import type { Plan, RateLimit } from "../../plan/plan.ts";
import type { StateDocument } from "../../state/document.ts";
import type { SeenLock } from "../recovery/unrecorded.ts";
import type { LiveList } from "../live/live-list.ts";
import type { WriteAccess } from "../write/write-context.ts";

/** Why a secret cannot be used; without a code, it is not available. */
export interface SecretProblem {
  readonly detail: string;
  readonly hint: string;
  readonly code?: string;
  readonly summary?: string;
}

/** The ports of a run. */
export interface RunPorts {
  readonly catalog: Catalog;
  /** Can only read. */
  readonly readClient: unknown;
  readonly access: WriteAccess;
  readonly clock: Clock;
  readonly random: Random;
  readonly process: ProcessIdentity;
  /** `exclusive`: whether it allows one object per value of a type's exclusive attribute; absent: no. `mark`: whether creates carry a mark; absent: no. */
  readonly service: {
    readonly baseUrl: string;
    readonly apiKey: string;
    readonly exclusive?: boolean;
    readonly mark?: boolean;
  };
  /** The value of a secret, once for each source. */
  readonly reveal: (source: SecretSource) => Promise<{ readonly value: string } | SecretProblem>;
  /** Fingerprints under a state's salt. */
  readonly fingerprint: (salt: string, secret: string) => Promise<string>;
  /** The service's limit for this run, and how many requests its read client has sent. Absent: plans have no cost. */
  readonly rate?: { readonly limit: RateLimit; readonly reads: () => number };
  /** How long a write may take to show in the list, in milliseconds: after an answer, and where none came. */
  readonly listingDelayMs: { readonly answered: number; readonly unanswered: number };
  /** Who holds the lock of the state. Absent where this run does. */
  readonly seenLock?: () => Promise<SeenLock>;
  /** Called before the run waits for the list to catch up with a write. */
  readonly waiting?: (durationMs: number) => void;
  /** On a store that keeps intents by windows: the time within which a request follows the write of its intent, in milliseconds. Later, the intent is written again. */
  readonly sendWithinMs?: number;
  /** Keeps a state that its store did not take, and returns the name under which the user finds it. */
  readonly keepUnstored: (state: Uint8Array) => Promise<string>;
  readonly signal: AbortSignal;
}

/** The request for a plan. */
export interface PlanRequest {
  readonly evaluate: Evaluate;
  readonly limits: Limits;
  /** Absent: none. */
  readonly ignored?: IgnoredWarnings;
  readonly options: PlanOptions;
  /** The address that a user means by a typed one, among the existing ones. */
  readonly expand: (typed: string, addresses: readonly string[]) => string;
  /** False: no secret is resolved and no command run; such a plan cannot be applied. */
  readonly withSecrets: boolean;
}

/** A plan, and what its apply needs in addition: the secrets stay in memory. */
export interface PlannedRun {
  readonly plan: Plan;
  /** What was read to make it. */
  readonly data: readonly DataRead[];
  readonly declarations: readonly Declaration[];
  readonly statements: Statements;
  readonly secrets: ReadonlyMap<string, { readonly [attribute: string]: string }>;
  readonly live: ReadonlyMap<string, LiveList>;
  /** The fingerprint of the API key, as the state keeps it. */
  readonly keyFingerprint: string;
  /** The state with earlier writes resolved, and with records of the missing objects that the plan gives up. */
  readonly document: StateDocument;
  /** Whether that must be stored before anything is sent. */
  readonly mustBeStored: boolean;
  /** Whether an apply of the plan applies the configuration to what it has steps for: a refresh, a bare import and a destroy do not. */
  readonly isApplied: boolean;
  /** Whether the plan is about the whole configuration. */
  readonly coversAll: boolean;
  /** The output values with these objects. */
  readonly outputsOf: (instances: readonly RecordedInstance[]) => readonly OutputValue[];
  /** The failures of checks with these objects that the plan did not show. */
  readonly failuresOf: (instances: readonly RecordedInstance[]) => readonly Diagnostic[];
  /** A new plan by the live lists as they are now: for after a wait. */
  readonly again: () => Promise<PlannedRun>;
}
