import { blockOf } from "../../core/model/address.ts";
import { type Catalog, resourceOf } from "../../core/model/definition.ts";
import type { RecordedInstance } from "../../core/model/instance.ts";
import { isoTime } from "../../core/model/iso-time.ts";
import type { Attributes } from "../../core/model/value.ts";
import { pendingIntents } from "../../core/state/journal-event.ts";
import type { ShownState } from "./output-format.ts";
import { type FirstFew, firstFew } from "./first-few.ts";
import { hiddenText, valueText } from "./value-text.ts";
import { visible } from "../../core/model/visible.ts";
import type { DescribeContext } from "./describe-step.ts";
import { isPersonal } from "./step-groups.ts";

export const EMPTY_STATE = "The state is empty: nothing is managed yet.";

/** A recorded object in words, without a layout. Every text is on one line. */
export interface DescribedObject {
  readonly address: string;
  /** The id, if the object was replaced earlier and still exists. */
  readonly deposed: string | null;
  /** The attributes that have a value. */
  readonly values: readonly { readonly name: string; readonly value: string }[];
}

/** The recorded objects, with long lists of lead data shortened to the first few and a count. */
export function fewInstances(
  instances: readonly RecordedInstance[],
  catalog: Catalog,
): readonly FirstFew<RecordedInstance>[] {
  return firstFew(instances, ({ address, type }) => (isPersonal(type, catalog) ? blockOf(address) : null));
}

/** The current object of an address, and then the deposed ones. */
export function describeInstance(instance: RecordedInstance, context: DescribeContext): readonly DescribedObject[] {
  const { type, masked = [], attributes, deposed = [] } = instance;
  const address = visible(instance.address);
  const valuesOf = (of: Attributes): DescribedObject["values"] =>
    Object.entries(resourceOf(context.catalog, type).schema).flatMap(([name, { sensitive }]) => {
      const value = of[name] ?? null;
      if (value === null) return [];
      return [
        {
          name,
          value: sensitive === true || masked.includes(name) ? hiddenText(value) : valueText(value, context.mask),
        },
      ];
    });
  return [
    { address, deposed: null, values: valuesOf(attributes) },
    ...deposed.map((old) => ({ address, deposed: visible(old.id), values: valuesOf(old.attributes) })),
  ];
}

/** What the writes with an undecided outcome are about. */
export function undecidedPlaces(pending: ShownState["pending"]): readonly string[] {
  return pendingIntents(pending).map(({ intent }) => visible(intent.address ?? intent.type));
}

/** Each lost create and each missing object: where it was, and since when. */
export function lostPlaces(
  lostCreates: ShownState["lostCreates"],
): readonly { readonly place: string; readonly since: string }[] {
  return lostCreates.map(({ type, address, id, sentAtMs }) => ({
    place: visible(address ?? type),
    since: `${id === undefined ? "sent" : `${visible(id)}, missing since`} ${isoTime(sentAtMs)}`,
  }));
}
