/** The names of teams. They are parts of file names, also on disks that ignore the case. */
export const TEAM_NAME = /^[a-z0-9][a-z0-9_-]{0,62}$/;
