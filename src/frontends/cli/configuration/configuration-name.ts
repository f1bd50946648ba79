import path from "node:path";
import type { StateStore } from "../../../core/state/state-store.ts";
import type { Environment, WorkingFolder } from "../command-context.ts";
import { replaceHidden } from "../../../core/model/visible.ts";

/** The folders of a checkout: GitHub's and GitLab's. */
const WORKSPACES = ["GITHUB_WORKSPACE", "CI_PROJECT_DIR"];

/**
 * The name of a configuration in reports: its path, relative to the checkout of the CI job that it lies in, otherwise to the
 * working folder, and behind a `#` the name of the team. It is the same in every job and on every runner, and it can be in an
 * HTML comment.
 */
export function configurationName({ environment, folder }: Environment & Pick<WorkingFolder, "folder">, config: string, team?: string): string {
  const full = path.resolve(folder, config);
  const from = WORKSPACES.map((name) => environment[name] ?? "").find((workspace) => workspace !== "" && contains(workspace, full)) ?? folder;
  const relative = path.relative(from, full).split(path.sep).join("/") || ".";
  const name = replaceHidden(relative.replaceAll(/[%#<>]/g, escaped), escaped);
  return team === undefined ? name : `${name}#${team}`;
}

/** The place of a state as a plan names it: the same on each machine with the same folders, and without credentials. */
export function placeName({ folder }: Pick<WorkingFolder, "folder">, { name, isOnThisMachine }: Pick<StateStore, "name" | "isOnThisMachine">): string {
  return isOnThisMachine ? path.relative(folder, path.resolve(folder, name)) : name;
}

function contains(folder: string, full: string): boolean {
  const way = path.relative(folder, full);
  return !path.isAbsolute(way) && way.split(path.sep)[0] !== "..";
}

function escaped(character: string): string {
  return [...new TextEncoder().encode(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
}
