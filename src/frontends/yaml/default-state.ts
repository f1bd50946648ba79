/** The file of a state whose configuration names none, relative to it. */
export const DEFAULT_STATE = "outreach.state.json";

/** The same for a team. */
export function teamState(name: string): string {
  return `outreach.${name}.state.json`;
}
