/** The file of a state whose configuration names none, relative to it. */
export const DEFAULT_STATE = "outreach.state.json";
