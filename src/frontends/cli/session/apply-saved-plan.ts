import { samePlan } from "../../../core/apply/run/apply-run.ts";
import { planRun, undecidedDiagnostics } from "../../../core/apply/run/plan-run.ts";
import type { PlanRequest } from "../../../core/apply/run/run-ports.ts";
import { type Diagnostic, DiagnosticsError, hasErrors } from "../../../core/model/diagnostic.ts";
import type { OpenState } from "../../../core/state/open-state.ts";
import type { ExitCode, CommandContext } from "../command-context.ts";
import type { ApplyOptions } from "../program/options.ts";
import { type View, withView } from "../screen/view.ts";
import { carryOut } from "./plan-and-apply.ts";
import { expander } from "./plan-and-show.ts";
import { type SavedPlan, declarationsDigest, literalText, readPlan } from "./plan-file.ts";
import { withSession } from "./session.ts";

/** What may be said again beside a saved plan; everything else was decided when it was made. */
const MAY_BE_GIVEN = new Set(["config", "var", "varFile", "state", "lock", "lockTimeout", "autoApprove", "json", "showEmails"]);

/**
 * Carries out a saved plan, which is the approval. It must still fit: the same state, service and declarations, and the
 * same steps by the live list, which is read once more under the lock. Otherwise nothing is done.
 */
export function applySavedPlan(
  context: CommandContext,
  path: string,
  { options, given }: { readonly options: ApplyOptions; /** The names of the options on the command line. */ readonly given: readonly string[] },
): Promise<ExitCode> {
  return withView(context, options, (view) => applySaved(context, path, { options, given, view }));
}

interface Given {
  readonly options: ApplyOptions;
  readonly given: readonly string[];
  readonly view: View;
}

async function applySaved(context: CommandContext, path: string, { options, given, view }: Given): Promise<ExitCode> {
  const other = given.filter((name) => !MAY_BE_GIVEN.has(name));
  if (other.length > 0) throw new DiagnosticsError([decidedAlready(other)]);
  const saved = await readPlan(context, path);
  if (!saved.withSecrets) throw new DiagnosticsError([madeWithoutSecrets(path)]);
  const opened = {
    ...options,
    config: given.includes("config") ? options.config : saved.config,
    ...(options.state === undefined && saved.state !== null ? { state: saved.state } : {}),
    var: [...Object.entries(saved.variables).map(([name, value]) => `${name}=${typeof value === "string" ? value : literalText(value)}`), ...options.var],
  };
  const begin = (open: OpenState): OpenState => beginSaved(open, saved);
  return withSession(context, opened, { operation: "apply", begin }, async (session) => {
    const { ports, loaded, open, diagnostics } = session;
    if (ports.service.baseUrl !== saved.baseUrl)
      throw stale(`it was made for the service at ${saved.baseUrl}, and the base URL is now ${ports.service.baseUrl}`);
    const request: PlanRequest = {
      evaluate: loaded.evaluate,
      limits: loaded.configuration.limits,
      options: { ...saved.choices, guarded: false },
      expand: expander(context),
      allowServiceChange: saved.allowServiceChange,
      withSecrets: true,
    };
    const planned = await planRun(open, request, ports);
    view.diagnostics([...diagnostics, ...planned.plan.diagnostics, ...undecidedDiagnostics(planned)]);
    if (!hasErrors(planned.plan.diagnostics) && declarationsDigest(planned) !== saved.declarations)
      throw stale("what is declared is not what it was: the configuration, a variable, a secret or a campaign that is looked up has changed");
    if (!samePlan(planned.plan, saved.plan)) throw stale("webhooks that it is about were changed in the service since");
    return carryOut(context, session, { view, planned, asked: false, approved: true, destroy: saved.choices.destroy });
  });
}

/** A first plan has minted the lineage and the salt of the state that is to be. */
function beginSaved(open: OpenState, { lineage, serial, journalSeq, salt, isFirst }: SavedPlan): OpenState {
  const { document } = open;
  if (isFirst) {
    if (open.version !== null) throw stale("there was no state when it was made, and now there is one");
    return { ...open, document: { ...document, lineage, salt } };
  }
  if (open.version === null) throw stale("the state that it was made by is not there");
  if (document.lineage !== lineage) throw stale("it was made by another state (another lineage)");
  if (document.serial !== serial) throw stale(`the state has changed since: it had serial ${String(serial)}, and now has ${String(document.serial)}`);
  if (document.journalSeq !== journalSeq) throw stale("a run has begun since, and was cut off: what it has sent is not in the plan");
  return open;
}

function stale(why: string): DiagnosticsError {
  const diagnostic: Diagnostic = {
    code: "plan_stale",
    severity: "error",
    summary: "Saved plan is stale",
    detail: `The saved plan cannot be applied any more: ${why}. Nothing was done.`,
    hint: "Make a new plan, look at it, and apply that.",
  };
  return new DiagnosticsError([diagnostic]);
}

function decidedAlready(names: readonly string[]): Diagnostic {
  const shown = names.map((name) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
  return {
    code: "options_conflict",
    severity: "error",
    summary: "Options that do not go together",
    detail: `A saved plan is applied as it was made, so ${shown.join(", ")} cannot be given now.`,
    hint: "Give them to outreach plan --out, and apply that plan.",
  };
}

function madeWithoutSecrets(path: string): Diagnostic {
  return {
    code: "plan_without_secrets",
    severity: "error",
    summary: "This plan cannot be applied",
    detail: `${path} was made with --no-secrets: nobody knows what its secrets are.`,
    hint: "Make a plan without that option where the configuration is trusted, and apply that.",
  };
}
