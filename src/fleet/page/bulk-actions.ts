import { DiagnosticsError } from "../../core/model/diagnostic.ts";
import { type Acted, actOnTeams } from "../act-on-teams.ts";
import type { FleetStore } from "../database/pg-fleet-store.ts";
import { holdAt } from "../freeze.ts";
import { type Action, type Filters, selectTeams } from "../selection.ts";

/** What a request asks of the teams that its filters find. */
export interface BulkRequest extends Filters {
  readonly action: Action;
  readonly isAnyway: boolean;
}

const ACTIONS: readonly Action[] = ["approve", "adopt", "run", "pause", "resume"];
const FLAGS = ["failed", "only_creates", "ignore_freeze"];

/** The request in a body; or what is wrong with it. A member that nobody knows could be a filter that is misspelled. */
export function bulkRequestIn(body: string): BulkRequest | { readonly error: string } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return { error: EXAMPLE };
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return { error: EXAMPLE };
  const given = parsed as { readonly [name: string]: unknown };
  const action = ACTIONS.find((one) => one === given["action"]);
  if (!action) return { error: `action must be one of ${ACTIONS.join(", ")}. ${EXAMPLE}` };
  const wrong = Object.entries(given).find(([name, value]) => name !== "action" && !isSound(name, value));
  if (wrong)
    return {
      error: `${JSON.stringify(wrong[0].slice(0, MAX_SHOWN))} does not exist, or has a wrong value. ${EXAMPLE}`,
    };
  const {
    team = [],
    group,
    failed = false,
    only_creates: onlyCreates = false,
    ignore_freeze: isAnyway = false,
  } = given as Given;
  if (onlyCreates && action !== "approve")
    return { error: "only_creates chooses among plans: it goes with approve only." };
  if (team.length === 0 && group === undefined && !failed && !onlyCreates)
    return { error: 'Name at least one filter: team, group, failed or only_creates. For every team: "team": ["*"].' };
  return { action, team, group, failed, onlyCreates, isAnyway };
}

const MAX_SHOWN = 80;
const EXAMPLE = 'The body must be JSON, as in {"action": "approve", "team": ["client-*"], "only_creates": true}.';

interface Given {
  readonly team?: readonly string[];
  readonly group?: string;
  readonly failed?: boolean;
  readonly only_creates?: boolean;
  readonly ignore_freeze?: boolean;
}

function isSound(name: string, value: unknown): boolean {
  if (name === "team")
    return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string" && one !== "");
  return name === "group" ? typeof value === "string" : FLAGS.includes(name) && typeof value === "boolean";
}

/** What became of the teams. `left`: those whose plans delete what nothing manages, which only a person approves, plan by plan. */
export interface BulkAnswer extends Acted {
  readonly left: readonly string[];
}

/** Does what was asked for, as a command with `--auto-approve` does; or says why nothing was done. */
export async function actOnAll(
  store: FleetStore,
  { action, isAnyway, ...filters }: BulkRequest,
  by: string,
): Promise<BulkAnswer | { readonly error: string }> {
  const [all, settings, { atMs }] = await Promise.all([store.teams(), store.settings(), store.times()]);
  const hold = action === "approve" ? holdAt(settings, atMs) : null;
  if (hold !== null && !isAnyway) return { error: `${hold} To apply plans now, add "ignore_freeze": true.` };
  try {
    const found = selectTeams(all, action, filters);
    const left =
      action === "approve" ? found.filter(({ removals }) => removals.length > 0).map(({ name }) => name) : [];
    const acted = await actOnTeams(
      store,
      found.filter(({ name }) => !left.includes(name)),
      action,
      { by, isAnyway },
    );
    return { ...acted, left };
  } catch (error) {
    if (error instanceof DiagnosticsError) return { error: error.diagnostics.map(({ detail }) => detail).join(" ") };
    throw error;
  }
}
