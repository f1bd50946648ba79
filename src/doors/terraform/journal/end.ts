import { type LiveIndex, indexLive } from "../../../core/apply/live-index.ts";
import { type AnyResource, resourceOf } from "../../../core/model/definition.ts";
import type { Services } from "../services.ts";
import type { TypeSession } from "../type-session.ts";
import { type JournaledCreate, nameOf } from "./journaled-create.ts";

/** What a list has shown at the end of a process. */
interface LastList {
  readonly index: LiveIndex;
  readonly complete: boolean;
  /** When it was asked for. */
  readonly atMs: number;
}

/** Tells of which creates nothing must be remembered any more, from what Terraform and the service have shown to this process. */
export async function whatIsOver(
  { catalog, settleMs }: Pick<Services, "catalog" | "settleMs">,
  { types, known }: { readonly types: ReadonlyMap<string, TypeSession>; readonly known: ReadonlySet<string> },
): Promise<(create: JournaledCreate) => boolean> {
  const lists = new Map<string, LastList>();
  const resolved = new Set<string>();
  for (const [type, { live, listedAtMs, writing }] of types) {
    for (const name of writing.resolved.keys()) resolved.add(name);
    // The signal may be aborted already, and nothing is to be asked now: what is known is taken.
    const atMs = listedAtMs();
    const listing = atMs === null ? null : await live.known().catch(() => null);
    if (listing && atMs !== null) lists.set(type, { index: indexLive(resourceOf(catalog, type), listing.objects), complete: listing.complete, atMs });
  }
  return (create) => {
    const definition = resourceOf(catalog, create.intent.type);
    const list = lists.get(create.intent.type);
    const { outcome } = create;
    if (outcome.kind === "made") {
      const { id, attributes, recordedAtMs } = outcome.record;
      if (known.has(nameOf(definition, { ...attributes, id }))) return true;
      return id !== null && list !== undefined && list.complete && list.atMs >= recordedAtMs + settleMs.answered && !list.index.byId.has(id);
    }
    return outcome.kind === "open" && (resolved.has(create.name) || isTaken(definition, create, { list, known }));
  };
}

/** Whether Terraform has what the create may have made: it was imported, or was recorded without an answer. */
function isTaken(
  definition: AnyResource,
  { intent, before }: JournaledCreate,
  { list, known }: { readonly list: LastList | undefined; readonly known: ReadonlySet<string> },
): boolean {
  if (definition.oneWay) return known.has(nameOf(definition, intent.key));
  const candidates = list?.index.twins(intent.key).filter(({ id }) => !before?.ids.has(id)) ?? [];
  return candidates.some(({ id }) => known.has(nameOf(definition, { id })));
}
