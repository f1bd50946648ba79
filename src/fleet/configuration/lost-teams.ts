import type { Configuration } from "../../core/config/block.ts";
import { DiagnosticsError } from "../../core/model/diagnostic.ts";
import { firstFew } from "../../core/model/words.ts";
import { exceeds, limitText } from "../../core/plan/guards.ts";

const MOST_NAMED = 10;

/** Throws `fleet_teams_lost` where the lists of `teams_from` have lost more of the fleet's teams than `limits.shrink` allows. */
export function assertNotShrunk({ teams = [], teamsFrom, limits }: Configuration, before: readonly string[]): void {
  if (!teamsFrom) return;
  const names = new Set(teams.map(({ name }) => name));
  const lost = before.filter((name) => !names.has(name));
  if (!exceeds(lost.length, before.length, limits, "shrink")) return;
  throw DiagnosticsError.of("fleet_teams_lost", "A list lost more teams than allowed", {
    detail: `The configuration no longer has ${String(lost.length)} of the ${String(before.length)} teams of the fleet: ${firstFew(lost, MOST_NAMED)}. The limit is ${limitText(limits.shrink, "shrink")}. The cause may be a list that was cut, or a wrong query.`,
    hint: `If these teams are gone, raise the limit until the controllers have read the list: limits: { shrink: ${String(lost.length)} }`,
    path: ["teams_from"],
    place: teamsFrom[0]?.locate([]),
  });
}
