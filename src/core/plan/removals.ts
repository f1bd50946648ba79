import type { RemovalTarget } from "../model/declaration.ts";
import { type AnyResource, type LiveListing, resourceOf } from "../model/definition.ts";
import { type Diagnostic, errorOf, noteOf, warningOf } from "../model/diagnostic.ts";
import { firstFew } from "../model/words.ts";
import { managedIds } from "../model/instance.ts";
import { sensitiveFinder } from "./masking.ts";
import { isWhole, unlistedOf, whyUnknown } from "./missing.ts";
import type { PlanInput } from "./plan-context.ts";
import type { Step } from "./plan.ts";

export interface PlannedRemovals {
  readonly steps: readonly Extract<Step, { readonly action: "delete" }>[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The removals that a plan considers: only a plan of the whole kind carries them out, no destroy, refresh or bare import. */
export function removalsIn({
  removals = [],
  options,
}: Pick<PlanInput, "removals" | "options">): readonly RemovalTarget[] {
  return options.destroy || options.refreshOnly || options.importsOnly ? [] : removals;
}

/**
 * Plans the deletes of objects that nothing manages. Each step holds what the service shows, so a plan that is made again is another one
 * if the object is.
 */
export function planRemovals(input: PlanInput, includes: (address: string) => boolean): PlannedRemovals {
  const wanted = removalsIn(input).filter(({ address }) => includes(address));
  const steps: PlannedRemovals["steps"][number][] = [];
  const diagnostics: Diagnostic[] = [];
  const done: RemovalTarget[] = [];
  const refused = refuser(input);
  const sensitive = sensitiveFinder(input.instances);
  for (const removal of wanted) {
    const { address, type, id, reason } = removal;
    const definition = resourceOf(input.catalog, type);
    const listing = input.live.get(type);
    const live = listing?.objects.find((object) => object.id === id);
    const problem = refused(removal, definition);
    if (problem) diagnostics.push(problem);
    else if (live) {
      const before = live.attributes;
      const masked = sensitive(before);
      steps.push({
        address,
        type,
        provider: definition.type.slice(0, definition.type.indexOf("_")),
        because: [],
        masked,
        action: "delete",
        id,
        before,
        removal: { reason },
      });
    } else if (listing && !isWhole(definition, listing, unlistedOf(type, listing.objects, input.instances)))
      diagnostics.push(hidden(removal, definition, listing));
    else done.push(removal);
  }
  return { steps, diagnostics: [...diagnostics, ...doneNote(done)] };
}

/** What speaks against the removal of an object: somebody has it, or may have it. */
function refuser({
  instances,
  declarations,
  imports,
  undecided,
}: PlanInput): (removal: RemovalTarget, definition: AnyResource) => Diagnostic | undefined {
  const managers = new Map(
    instances.flatMap((instance) => [...managedIds([instance])].map((id) => [id, instance.address] as const)),
  );
  const imported = new Map(imports.map(({ id, to }) => [id, to] as const));
  const candidates = new Map(
    undecided.flatMap(({ candidates: ids, address }) => ids.map((id) => [id, address] as const)),
  );
  const taken = new Set([...instances, ...declarations].map(({ address }) => address));
  return (removal, { noun }) => {
    const { id, address } = removal;
    const manager = managers.get(id);
    if (manager !== undefined)
      return refusedOf(
        removal,
        `${id} is managed: ${manager} records it.`,
        `To delete the ${noun}, remove ${manager} from the configuration. To keep it, remove this entry.`,
      );
    const importer = imported.get(id);
    if (importer !== undefined)
      return refusedOf(
        removal,
        `The configuration also imports ${id} to ${importer}.`,
        "Keep the import, or the removal.",
      );
    if (candidates.has(id))
      return {
        ...refusedOf(
          removal,
          `${id} may be the object of an earlier create whose outcome is undecided.`,
          "Decide that first.",
        ),
        ways: [{ kind: "plan" }],
      };
    if (taken.has(address))
      return refusedOf(
        removal,
        `${address} is the name of this removal in a plan, and the configuration uses it, too.`,
        "Rename the block.",
      );
    return undefined;
  };
}

function refusedOf({ id, address, locate }: RemovalTarget, detail: string, hint: string): Diagnostic {
  const place = locate(["id"]);
  return errorOf("removal_refused", "This removal is not possible", {
    detail: `${detail} A removal deletes only what nothing manages: ${id} stays.`,
    hint,
    address,
    ...(place ? { place } : {}),
  });
}

const SHOWN = 10;

function doneNote(done: readonly RemovalTarget[]): readonly Diagnostic[] {
  const [first] = done;
  if (!first) return [];
  const place = first.locate(["id"]);
  const ids = firstFew(
    done.map(({ id }) => id),
    SHOWN,
  );
  return [
    noteOf(
      "removal_done",
      done.length === 1 ? "A removal has nothing to delete" : `${String(done.length)} removals have nothing to delete`,
      {
        detail: `${ids} ${done.length === 1 ? "is" : "are"} not live in the team of this API key: deleted already, or of another team.`,
        hint: `Remove ${done.length === 1 ? "its entry" : "their entries"} from removals once no team's plan deletes ${done.length === 1 ? "it" : "them"}.`,
        ...(place ? { place } : {}),
      },
    ),
  ];
}

function hidden({ id, address, locate }: RemovalTarget, definition: AnyResource, listing: LiveListing): Diagnostic {
  const place = locate(["id"]);
  return warningOf("removal_hidden", "A removal cannot be planned", {
    detail: `The list does not show ${id}. ${whyUnknown(definition, listing)}. Nothing is deleted that a plan cannot show.`,
    ways: [{ kind: "check-list" }],
    address,
    ...(place ? { place } : {}),
  });
}
