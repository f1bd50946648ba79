import type { LiveList } from "../../core/apply/live/live-list.ts";
import type { AnyResource } from "../../core/model/definition.ts";
import type { Diagnostic } from "../../core/model/diagnostic.ts";
import type { Clock } from "../../core/model/ports.ts";
import { type Attributes, hasUnknown } from "../../core/model/value.ts";
import { identityKey } from "../../core/plan/identity.ts";
import { diagnosticsOf } from "./diagnostics.ts";
import { type Doubled, duplicatesLive, lookalikeLive, notCompared } from "./journal/duplicate-messages.ts";
import type { LateDuplicates } from "./journal/late-duplicates.ts";

export interface UnmanagedPorts {
  readonly live: LiveList;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The ids in Terraform's state that this process was shown. */
  readonly managed: ReadonlySet<string>;
  readonly isMarked: (id: string) => Promise<boolean>;
  readonly late: LateDuplicates;
}

/** Warns in a plan about live objects that are not known to be managed. */
export interface Unmanaged {
  /** After an object was read. One of the reads reports for all of them: null for the others. */
  afterRead(id: string, attributes: Attributes): Promise<readonly Diagnostic[]> | null;
  /** For a planned create, which such objects would stop. A list that cannot be read fails the apply; the plan only warns, once. */
  beforeCreate(attributes: Attributes): Promise<readonly Diagnostic[]>;
}

/** After this time without a further object, Terraform has shown its state, or waits for an answer of this process. */
const QUIET_MS = 250;
/** Terraform sends ten calls at once. The others must go on, so that it shows the rest of its state. */
const MOST_WAITING = 4;

export function openUnmanaged(definition: AnyResource, ports: UnmanagedPorts): Unmanaged {
  const { live, clock, signal, managed, isMarked, late } = ports;
  /** Managed objects that may have duplicates. */
  const allowed = new Set<string>();
  let isReported = false;
  let isUnreadableTold = false;
  let waiting = 0;

  async function quiet(): Promise<void> {
    for (let before = -1; before !== managed.size;) {
      before = managed.size;
      await clock.sleep(QUIET_MS, signal);
    }
  }
  async function report(): Promise<readonly Diagnostic[]> {
    const { warnings = [] } = await live.get(signal);
    return [...warnings, ...(await reportDuplicates())];
  }
  async function reportDuplicates(): Promise<readonly Diagnostic[]> {
    const groups = await identicalIn(definition, live, signal);
    if (groups.length === 0 && !(await late.isNeeded())) return [];
    await quiet();
    const appeared = await late.report();
    const doubled: Doubled[] = groups.flatMap((ids) => {
      const id = ids.find((one) => managed.has(one));
      if (id === undefined || ids.some((one) => allowed.has(one))) return [];
      return ids.filter((one) => !managed.has(one) && !late.isTold(one)).map((duplicate) => ({ id, duplicate }));
    });
    return doubled.length === 0 ? appeared : [...appeared, duplicatesLive(definition, doubled)];
  }
  async function lookalikes(attributes: Attributes): Promise<readonly string[]> {
    const found: string[] = [];
    for (const { id } of await live.duplicates(attributes, signal)) if (!managed.has(id) && !(await isMarked(id))) found.push(id);
    return found;
  }
  async function stoppedBy(attributes: Attributes): Promise<readonly Diagnostic[]> {
    if (waiting >= MOST_WAITING || (await lookalikes(attributes)).length === 0) return [];
    waiting++;
    await quiet().finally(() => waiting--);
    const left = await lookalikes(attributes);
    return left.length === 0 ? [] : [lookalikeLive(definition, left)];
  }
  return {
    afterRead: (id, attributes) => {
      if (attributes["allow_duplicate"] === true) allowed.add(id);
      if (isReported) return null;
      isReported = true;
      return report();
    },
    beforeCreate: async (attributes) => {
      const allowsDuplicate = (attributes["allow_duplicate"] ?? null) !== null && attributes["allow_duplicate"] !== false;
      if (allowsDuplicate || definition.identity.some((name) => hasUnknown(attributes[name] ?? null))) return [];
      try {
        return await stoppedBy(attributes);
      } catch (error) {
        if (isUnreadableTold || signal.aborted) return [];
        isUnreadableTold = true;
        return [notCompared(definition, diagnosticsOf(error))];
      }
    },
  };
}

/** The ids of live objects that the list cannot tell apart. */
async function identicalIn(definition: AnyResource, live: LiveList, signal: AbortSignal): Promise<readonly (readonly string[])[]> {
  const { objects } = await live.get(signal);
  const byKey = new Map<string, string[]>();
  for (const { id, attributes } of objects) {
    const key = identityKey(definition, attributes);
    const same = byKey.get(key);
    if (same) same.push(id);
    else byKey.set(key, [id]);
  }
  return [...byKey.values()].filter((ids) => ids.length > 1);
}
