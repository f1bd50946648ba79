import type { Attributes } from "./value.ts";

/** One managed object as the state remembers it. */
export interface RecordedInstance {
  readonly address: string;
  readonly type: string;
  /** The provider configuration that it belongs to; the default one unless a stack uses aliases. */
  readonly provider: string;
  readonly schemaVersion: number;
  readonly id: string | null;
  /** The declared values, with computed ones filled in. Secrets are digests. */
  readonly attributes: Attributes;
  /** What the service returned for it, where it writes a value differently. */
  readonly returned: Attributes;
  /** Names of attributes whose value is neither declared nor returned by the service: unobserved, which is not null. */
  readonly unobserved: readonly string[];
  /** Names of attributes that were taken from the declaration at an import, without the service showing them. */
  readonly assumed: readonly string[];
  /** A bare import recorded it, and no configuration was applied to it since: what it is declared with now may still be recorded. */
  readonly unapplied?: true;
  /** When this tool created or imported it: milliseconds since the epoch, by the local clock. */
  readonly recordedAtMs: number;
  /** Names of attributes that were made from sensitive variables: they stay masked when the declaration is gone. */
  readonly masked?: readonly string[];
  /** What its attributes were looked up by, as `Declaration.lookups`. */
  readonly lookups?: { readonly [attribute: string]: string };
  /** Older objects of this address, replaced create-first and still to be deleted, oldest first. */
  readonly deposed?: readonly DeposedObject[];
  /** The mark that it carries in the service. */
  readonly mark?: string;
  /** The user accepted the unconfirmed outcome: no plan retries it. The state's format calls it `settled`. */
  readonly settled?: true;
  /** It was created, and no list has shown it yet. */
  readonly unlisted?: true;
  /** An irreversible write that no configuration declares any more: it stays known as what it is. */
  readonly undeclared?: true;
  /** When an irreversible write was last sent, where that was after `recordedAtMs`. */
  readonly sentAtMs?: number;
  /** When it was first found to be done, where that was after `recordedAtMs`. */
  readonly doneAtMs?: number;
  /** What its list said of it when it was last written, as `Declaration.details`. */
  readonly details?: { readonly [name: string]: string };
}

/** An object that was replaced and is still to be deleted. */
export interface DeposedObject {
  readonly id: string;
  readonly attributes: Attributes;
  readonly returned: Attributes;
}

/** The ids of all recorded objects, deposed ones included: any other live object is not managed. */
export function managedIds(instances: readonly RecordedInstance[]): Set<string> {
  const ids = new Set<string>();
  for (const { id, deposed = [] } of instances) {
    if (id !== null) ids.add(id);
    for (const old of deposed) ids.add(old.id);
  }
  return ids;
}

/** What the planner compares a declaration with. */
export interface Prior {
  readonly attributes: Attributes;
  /** Names of unobserved attributes whose declared value may be recorded without a request: no configuration was applied so far. */
  readonly recordable: readonly string[];
}

/**
 * The record as the planner compares it. Once a configuration was applied, an unobserved value that it leaves out is agreed
 * to be absent.
 */
export function priorOf({ attributes, unobserved, unapplied }: RecordedInstance): Prior {
  return { attributes, recordable: unapplied ? unobserved : [] };
}
