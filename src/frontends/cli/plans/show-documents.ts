import {
  type DocumentFormat,
  type FormatContext,
  type ShownPlan,
  modeOf,
} from "../../../output/content/output-format.ts";
import type { Diagnostic } from "../../../core/model/diagnostic.ts";
import type { CommandContext } from "../command-context.ts";
import { learnPlan } from "../../../operations/personal-data.ts";
import { arrangedDiagnostics } from "../../../operations/messages/arrange-diagnostics.ts";
import type { SavedPlan } from "../../../operations/saved-plan/saved-plan.ts";

interface NamedPlan {
  readonly saved: SavedPlan;
  /** The file, as the user gave it. */
  readonly path: string;
  /** The teams that the command line names. */
  readonly team: readonly string[];
}

/** A saved plan as a document for stdout. */
export function savedPlanDocument(context: CommandContext, format: DocumentFormat, named: NamedPlan): string {
  return format.plan(named.saved.plan, shownPlan(context, named), documentContext(context));
}

/** What a format shows of a saved plan. The mask learns its emails. */
export function shownPlan(context: CommandContext, { saved, path, team: teams }: NamedPlan): ShownPlan {
  const { plan, choices, outline, withSecrets, outputs, salt, configuration, stage, messages, team } = saved;
  learnPlan(context, salt, { plan, outline });
  // A command in a message is about the team of the plan, also where the plan is shown without naming it.
  const isNamed = team === undefined || teams.length > 0;
  const given = isNamed ? context.given : `${context.given}--team ${team} `;
  const diagnostics = arrangedDiagnostics({ ...context, given }, [...messages, ...plan.diagnostics], {
    hidesEmails: context.hidesEmails.out,
  });
  const scope = { targets: choices.targets, excludes: choices.excludes };
  return {
    mode: modeOf(choices),
    configuration,
    stage,
    scope,
    planFile: path,
    diagnostics,
    outline,
    withSecrets,
    assumed: assumedIn(messages),
    outputs,
  };
}

/** The addresses whose secret a plan calls assumed. */
export function assumedIn(messages: readonly Diagnostic[]): readonly string[] {
  return messages.flatMap(({ code, address }) => (code === "secret_assumed" && address !== undefined ? [address] : []));
}

/** What a format needs for a document on stdout. */
export function documentContext({
  catalog,
  version,
  paint,
  isLive,
  clock,
  hidesEmails,
  personal,
}: CommandContext): FormatContext {
  const mask = hidesEmails.out ? personal.mask : (text: string): string => text;
  return { catalog, version, paint, isLive, columns: null, nowMs: clock.now(), mask };
}
