import { type ListMistake, capped, shownOf } from "./address-list.ts";
import { type Cell, QUOTES_HINT, plainName, rowsOf, unguarded } from "./csv-rows.ts";
import { CONFLICT, CONFLICT_MARKER, fileText } from "./file-text.ts";
import { TEAM_NAME, TEAM_NAMES_HINT } from "./sections.ts";

/** One team of a list, and where its name stands: lines and columns count from 1. */
export interface ListedTeam {
  readonly name: string;
  readonly at: { readonly line: number; readonly column: number };
  /** The values of variables. An empty cell sets none. */
  readonly variables: ReadonlyMap<string, CellText>;
}

/** What a cell says, and where. */
interface CellText {
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

/** What could be read of a list: where there are mistakes, not all of its teams. */
export interface TeamList {
  readonly teams: readonly ListedTeam[];
  readonly mistakes: readonly ListMistake[];
}

/** What the column with the names is called, unless `column` says so; the first one counts. */
const NAME_COLUMNS = ["team", "name"];
const KEY = /^(?:outreach)?apikey$/;

interface Columns {
  readonly name: number;
  readonly variables: ReadonlyMap<string, number>;
  readonly width: number;
}

/**
 * Reads a list of teams: a CSV (RFC 4180) with a header, whose cells are separated by commas, semicolons or tabs. The column `team` or `name`, or the
 * given one, names the team; a column called like a declared variable sets it. Other columns count for nothing. Capitals,
 * spaces and punctuation make no difference in a header.
 */
export function readTeamList(
  bytes: Uint8Array,
  { column, variables }: { readonly column?: string | undefined; readonly variables: readonly string[] },
): TeamList {
  const read = fileText(bytes);
  if (!("text" in read)) return { teams: [], mistakes: [read] };
  const teams: ListedTeam[] = [];
  const bad: ListMistake[] = [];
  const lines = new Map<string, number>();
  let columns: Columns | null = null;
  for (const cells of rowsOf(read.text, (header) => nameColumn(header, column) !== null)) {
    const [first] = cells;
    if (!first || cells.every(({ text, problem }) => text === "" && problem === undefined)) continue;
    if (CONFLICT_MARKER.test(first.text))
      return { teams: [], mistakes: [mistake(whereOf(first), CONFLICT.detail, CONFLICT.hint)] };
    for (const cell of cells)
      if (cell.problem !== undefined) bad.push(mistake(whereOf(cell), cell.problem, QUOTES_HINT));
    if (columns === null) {
      const found = columnsIn(cells, first, { column, variables });
      if ("detail" in found) return { teams: [], mistakes: [...bad, found] };
      columns = found;
      continue;
    }
    if (cells.some(({ problem }) => problem !== undefined)) continue;
    const wrong = rowProblem(cells, first, { columns, lines });
    if (wrong) bad.push(wrong);
    else teams.push(teamIn(cells, columns));
  }
  return { teams, mistakes: capped(bad) };
}

function nameColumn(cells: readonly Pick<Cell, "text">[], wanted: string | undefined): number | null {
  const names = cells.map(({ text }) => plainName(text));
  for (const name of wanted === undefined ? NAME_COLUMNS : [plainName(wanted)]) {
    const found = names.indexOf(name);
    if (found >= 0) return found;
  }
  return null;
}

function columnsIn(
  cells: readonly Cell[],
  first: Cell,
  { column, variables }: { readonly column: string | undefined; readonly variables: readonly string[] },
): Columns | ListMistake {
  const name = nameColumn(cells, column);
  if (name === null)
    return column === undefined
      ? mistake(
          whereOf(first),
          "The first line has no column called team or name.",
          "Begin the list with a header, such as team,crm_host, or name the column: teams_from: { file: clients.csv, column: Client }.",
        )
      : mistake(
          whereOf(first),
          `No column is called ${JSON.stringify(column)}.`,
          "Correct column, which names a cell of the first line.",
        );
  const used = new Map([
    [plainName(cells[name]?.text ?? ""), "team"],
    ...variables.map((one) => [plainName(one), one] as const),
  ]);
  const found = new Map<string, number>();
  for (const [index, cell] of cells.entries()) {
    const plain = plainName(cell.text);
    if (KEY.test(plain) && !used.has(plain))
      return mistake(
        whereOf(cell),
        `The list has a column ${JSON.stringify(cell.text)}. A list contains no secrets.`,
        KEY_HINT,
      );
    const meant = used.get(plain);
    if (meant === undefined) continue;
    if (found.has(meant))
      return mistake(
        whereOf(cell),
        `Several columns are called ${JSON.stringify(meant === "team" ? cell.text : meant)}.`,
        "Rename all of them but one.",
      );
    found.set(meant, index);
  }
  return {
    name,
    variables: new Map(
      variables.flatMap((one) =>
        found.get(one) === undefined || found.get(one) === name ? [] : [[one, found.get(one) ?? 0] as const],
      ),
    ),
    width: cells.length,
  };
}

const KEY_HINT =
  'Remove the column, and name the keys by the team: service: { api_key: { env: \'OUTREACH_API_KEY_${upper(replace(team.name, "-", "_"))}\' } }';

function rowProblem(
  cells: readonly Cell[],
  first: Cell,
  { columns: { name, width }, lines }: { readonly columns: Columns; readonly lines: Map<string, number> },
): ListMistake | null {
  const surplus = cells.slice(width).find(({ text }) => text !== "");
  if (surplus)
    return mistake(
      whereOf(surplus),
      "The row has more cells than the header.",
      "Quote a cell that contains a separator.",
    );
  const cell = cells[name];
  const text = unguarded(cell?.text ?? "");
  if (!cell || text === "")
    return mistake(whereOf(cell ?? first), "The row has no name of a team.", "Add the name, or remove the row.");
  if (!TEAM_NAME.test(text))
    return mistake(
      shownOf(cell),
      `${JSON.stringify(text.slice(0, MAX_SHOWN))} cannot be used as the name of a team.`,
      TEAM_NAMES_HINT,
    );
  const before = lines.get(text);
  lines.set(text, before ?? cell.line);
  return before === undefined
    ? null
    : mistake(shownOf(cell), `The team ${text} is in line ${String(before)}, too.`, "Remove one of the two rows.");
}

const MAX_SHOWN = 80;

function teamIn(cells: readonly Cell[], { name, variables }: Columns): ListedTeam {
  const valueOf = (index: number): CellText | null => {
    const cell = cells[index];
    const text = unguarded(cell?.text ?? "");
    return cell && text !== "" ? { text, line: cell.line, column: cell.column } : null;
  };
  const { text = "", line = 1, column = 1 } = valueOf(name) ?? {};
  return {
    name: text,
    at: { line, column },
    variables: new Map(
      [...variables].flatMap(([variable, index]) => {
        const value = valueOf(index);
        return value ? [[variable, value] as const] : [];
      }),
    ),
  };
}

/** Other cells of a row may say more than a log should contain. */
function whereOf({ line, column }: Cell): NonNullable<ListMistake["at"]> {
  return { line, column };
}

function mistake(at: NonNullable<ListMistake["at"]>, detail: string, hint: string): ListMistake {
  return { detail, hint, at };
}
