import { expect } from "vitest";
import { type Project, useProjects } from "../project.ts";

const TEAMS = 30;
export const NAMES = Array.from({ length: TEAMS }, (_, index) => `team-${String(index + 1).padStart(2, "0")}`);
export const [FIRST = "", SECOND = ""] = NAMES;
export const variableOf = (team: string): string => `OUTREACH_API_KEY_${team.toUpperCase().replaceAll("-", "_")}`;

export const CONFIGURATION = `version: 1
service:
  api_key: { env: 'OUTREACH_API_KEY_\${upper(replace(team.name, "-", "_"))}' }
teams:
${NAMES.map((name) => `  ${name}:\n`).join("")}webhooks:
  replies: { target_url: 'https://crm.example.com/\${team.name}', type: emailsReplied, secret: { env: HOOK_SECRET } }
`;

/** 30 teams of the sandbox, each with its own key in the environment, and nothing else that is secret. */
async function withTeams(project: Project, configuration = CONFIGURATION): Promise<Project> {
  for (const [index, name] of NAMES.entries()) {
    const [team, user, key] = [`tea_m${String(index)}`, `usr_m${String(index)}`, `key-${name}`];
    project.sandbox.add("teams", { _id: team, name });
    project.sandbox.add("users", { _id: user, teamId: team, name, email: `${name}@example.com` });
    project.sandbox.add("keys", { name, key, userId: user });
    project.environment[variableOf(name)] = key;
  }
  project.environment["OUTREACH_API_KEY"] = undefined;
  project.write("outreach.yaml", configuration);
  return project;
}

export const SECRET = { HOOK_SECRET: "a secret of all teams" };
export const unset = (teams: readonly string[]): { [name: string]: undefined } =>
  Object.fromEntries(teams.map((team) => [variableOf(team), undefined]));

/** Gives each test its own projects: `openApplied` has live webhooks of every team, all managed. */
export function useThirtyTeams() {
  const openProject = useProjects();
  const openTeams = async (configuration?: string): Promise<Project> => withTeams(await openProject(), configuration);
  const openApplied = async (): Promise<Project> => {
    const project = await openTeams();
    const applied = await project.run("apply --auto-approve", SECRET);
    expect(applied, applied.err).toMatchObject({ code: 0 });
    return project;
  };
  return { openProject, openTeams, openApplied };
}
