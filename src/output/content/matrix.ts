import { type AnyResource, type Catalog, resourceOf } from "../../core/model/definition.ts";
import type { RecordedInstance } from "../../core/model/instance.ts";
import { type Attributes, compareText } from "../../core/model/value.ts";
import type { Names, Step } from "../../core/plan/plan.ts";
import { hiddenText, nameText, valueText } from "./value-text.ts";

/** How many objects of a place are there now and stay, come, are replaced, and go. */
export interface Cell {
  readonly stays: number;
  readonly comes: number;
  readonly replaced: number;
  readonly goes: number;
}

/** Many objects of one type, by two of their attributes. The longer side has the rows. */
export interface Matrix {
  readonly title: string;
  readonly rowTitle: string;
  readonly columnTitle: string;
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  /** Null where there is no object. */
  cell(row: string, column: string): Cell | null;
}

type Counted = keyof Cell;
type Layout = NonNullable<AnyResource["matrix"]>;

interface Placed {
  readonly type: string;
  readonly attributes: Attributes;
  readonly masked: readonly string[];
  readonly as: Counted;
  /** The values of the object that is replaced. */
  readonly before?: Attributes;
}

/** The matrices of a plan: one for each type that has a layout and an object. */
export function planMatrices(steps: readonly Step[], context: MatrixContext): readonly Matrix[] {
  return matrices(steps.flatMap(placesOf), context);
}

export function stateMatrices(instances: readonly RecordedInstance[], context: MatrixContext): readonly Matrix[] {
  const placed = instances.map(({ type, attributes, masked = [] }): Placed => ({
    type,
    attributes,
    masked,
    as: "stays",
  }));
  return matrices(placed, context);
}

interface MatrixContext {
  readonly catalog: Catalog;
  readonly names?: Names | undefined;
  readonly mask: (text: string) => string;
}

function placesOf(step: Step): readonly Placed[] {
  const { type, masked } = step;
  const placed = (attributes: Attributes, as: Counted): Placed => ({ type, attributes, masked, as });
  switch (step.action) {
    case "create":
      return [placed(step.after, "comes")];
    case "replace":
      return [{ ...placed(step.after, "replaced"), before: step.before }];
    case "delete":
    case "forget":
      return [placed(step.before, "goes")];
    case "keep":
      return [placed(step.before, "stays")];
    case "adopt":
    case "update-state":
      return [placed(step.after, "stays")];
  }
}

function matrices(placed: readonly Placed[], context: MatrixContext): readonly Matrix[] {
  return context.catalog.resources.flatMap(({ type, matrix: layout }) => {
    const own = placed.filter((one) => one.type === type);
    return layout === undefined || own.length === 0 ? [] : [matrixOf(own, layout, context)];
  });
}

function matrixOf(
  placed: readonly Placed[],
  { title, sides: [first, second] }: Layout,
  context: MatrixContext,
): Matrix {
  const cells = new Map<string, Map<string, { [counted in Counted]: number }>>();
  const count = (a: string, b: string, as: Counted): void => {
    const line = cells.get(a) ?? new Map<string, { [counted in Counted]: number }>();
    const cell = line.get(b) ?? { stays: 0, comes: 0, replaced: 0, goes: 0 };
    cells.set(a, line.set(b, cell));
    cell[as]++;
  };
  for (const one of placed) {
    const [a, b] = [textOf(one, first, context), textOf(one, second, context)];
    count(a, b, one.as);
    if (one.before === undefined) continue;
    const old = { ...one, attributes: one.before };
    const [from, to] = [textOf(old, first, context), textOf(old, second, context)];
    if (from !== a || to !== b) count(from, to, "goes");
  }
  const [firsts, seconds] = [
    sorted(cells.keys(), first.none),
    sorted(new Set([...cells.values()].flatMap((line) => [...line.keys()])), second.none),
  ];
  const cellOf = (a: string, b: string): Cell | null => cells.get(a)?.get(b) ?? null;
  const upright = {
    title,
    rowTitle: first.title,
    columnTitle: second.title,
    rows: firsts,
    columns: seconds,
    cell: cellOf,
  };
  if (firsts.length >= seconds.length) return upright;
  return {
    title,
    rowTitle: second.title,
    columnTitle: first.title,
    rows: seconds,
    columns: firsts,
    cell: (row, column) => cellOf(column, row),
  };
}

/** The name of a place: a text as it is, the words for none, or what stands for a hidden or an unknown value. */
function textOf(
  { type, attributes, masked }: Placed,
  { attribute, none }: Layout["sides"][number],
  { catalog, mask, names = {} }: MatrixContext,
): string {
  const value = attributes[attribute] ?? null;
  if (value === null) return none;
  if (resourceOf(catalog, type).schema[attribute]?.sensitive === true || masked.includes(attribute))
    return hiddenText(value);
  if (typeof value !== "string") return valueText(value, mask);
  const name =
    resourceOf(catalog, type).schema[attribute]?.refersTo && Object.hasOwn(names, value) ? names[value] : undefined;
  return name === undefined ? mask(value) : `${mask(value)} (${nameText(name, mask)})`;
}

/** Objects for everything come first. */
function sorted(names: Iterable<string>, none: string): readonly string[] {
  return [...names].toSorted((a, b) => Number(b === none) - Number(a === none) || compareText(a, b));
}
