import path from "node:path";
import type { Configuration } from "../../core/config/block.ts";
import { checksum } from "../../core/state/checksum.ts";
import type { StateStore } from "../../core/state/state-store.ts";
import { DEFAULT_STATE, teamState } from "../../frontends/yaml/sections.ts";
import type { Ports } from "../context.ts";
import { replaceHidden } from "../../core/model/visible.ts";

/** The folders of a checkout: GitHub's and GitLab's. */
const WORKSPACES = ["GITHUB_WORKSPACE", "CI_PROJECT_DIR"];

/**
 * The name of a configuration in reports: its path, relative to the checkout of the CI job that it lies in, otherwise to the
 * working folder, and behind a `#` the name of the team. It is the same in every job and on every runner, and it can be in an
 * HTML comment.
 */
export function configurationName({ environment, folder }: Ports, config: string, team?: string): string {
  const full = path.resolve(folder, config);
  const from =
    WORKSPACES.map((name) => environment[name] ?? "").find(
      (workspace) => workspace !== "" && contains(workspace, full),
    ) ?? folder;
  const relative = path.relative(from, full).split(path.sep).join("/") || ".";
  const name = replaceHidden(relative.replaceAll(/[%#<>]/g, escaped), escaped);
  return team === undefined ? name : `${name}#${team}`;
}

/** The place of a state as a plan names it: the same on each machine with the same folders, and without credentials. */
export function placeName({ folder }: Ports, { name, isOnThisMachine }: StateStore): string {
  return isOnThisMachine ? path.relative(folder, path.resolve(folder, name)) : name;
}

/**
 * The place of a state in reports, without user and password: its end, and a short digest of all of it. Null for the file that the
 * configuration has by default.
 */
export function stageName(
  context: Ports,
  { name, isOnThisMachine }: Pick<StateStore, "name" | "isOnThisMachine">,
  of: Pick<Configuration, "folder" | "team">,
): string | null {
  const byDefault = path.resolve(context.folder, of.folder, of.team === undefined ? DEFAULT_STATE : teamState(of.team));
  if (isOnThisMachine && path.resolve(context.folder, name) === byDefault) return null;
  const place = isOnThisMachine ? configurationName(context, name) : name;
  return `${place.length > MOST_SHOWN ? `…${place.slice(-MOST_SHOWN)}` : place}#${checksum(place)}`;
}

const MOST_SHOWN = 100;

function contains(folder: string, full: string): boolean {
  const way = path.relative(folder, full);
  return !path.isAbsolute(way) && way.split(path.sep)[0] !== "..";
}

function escaped(character: string): string {
  return [...new TextEncoder().encode(character)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
    .join("");
}
