import { VARIABLE_PREFIXES } from "../../operations/configuration/environment-names.ts";
import type { ConfigurationFiles, Environment, WorkingFolder } from "../../operations/context.ts";
import type { FleetDatabase } from "../database/fleet-database.ts";
import { type PushedConfiguration, latestPush } from "../database/pushes.ts";
import type { FleetConfiguration } from "../team-work.ts";
import { filesInMemory } from "./pushed-files.ts";
import type { ReadOptions } from "./read-fleet-configuration.ts";

/** What a configuration is read from. */
export interface Origin {
  readonly options: ReadOptions;
  /** Takes the place of the same in the context. */
  readonly context: Partial<ConfigurationFiles & Environment>;
  /** What of a pushed configuration others should know. */
  readonly record: Partial<Pick<FleetConfiguration, "commit" | "pushed">>;
}

/** The origin of now: the same object as long as nothing was pushed. Null if nothing ever was. */
export type OriginNow = () => Promise<Origin | null>;

/** The files of this machine. */
export function pathOrigin(options: ReadOptions): OriginNow {
  const origin: Origin = { options, context: {}, record: {} };
  return () => Promise.resolve(origin);
}

/** The configuration that was pushed last. */
export function pushedOrigin(context: Environment & Pick<WorkingFolder, "folder">, database: FleetDatabase): OriginNow {
  let latest: { readonly id: string; readonly origin: Origin } | null = null;
  return async () => {
    const push = await latestPush(database, latest?.id ?? null);
    if (push) {
      const { id, commit, by, atMs } = push;
      latest = { id, origin: { ...originOf(context, push), record: { commit, pushed: { by, atMs } } } };
    }
    return latest?.origin ?? null;
  };
}

/** Messages name it as where the values come from. */
const VARIABLES = "the variables of outreach controller push";

/** Its files are in the working folder, so the paths of secrets are relative to that one. */
export function originOf(
  { environment, folder }: Environment & Pick<WorkingFolder, "folder">,
  { files, config, variables, sensitive }: Pick<PushedConfiguration, "config" | "files" | "sensitive" | "variables">,
): Pick<Origin, "context" | "options"> {
  const all = new Map([...files, [VARIABLES, new TextEncoder().encode(JSON.stringify(variables))]]);
  return {
    options: { config, var: [], varFile: [VARIABLES] },
    context: {
      configurationFiles: filesInMemory(folder, all),
      environment: withoutVariables(environment, new Set(sensitive)),
    },
  };
}

/** The environment of a process with a pushed configuration: values that are not sensitive come from the push alone, so that all processes have the same. */
function withoutVariables(
  environment: Environment["environment"],
  sensitive: ReadonlySet<string>,
): Environment["environment"] {
  const isOfPush = (name: string): boolean =>
    VARIABLE_PREFIXES.some((prefix) => name.startsWith(prefix) && !sensitive.has(name.slice(prefix.length)));
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !isOfPush(name)));
}
