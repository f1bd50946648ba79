import type { AnyResource, LiveListing } from "../../../../core/model/definition.ts";
import { type Diagnostic, DiagnosticsError, warningOf } from "../../../../core/model/diagnostic.ts";
import type { Attributes } from "../../../../core/model/value.ts";
import { type AuditReport, auditReport } from "./audit-report.ts";
import { AUDIT_RULES } from "./audit-rules.ts";
import { driftReport } from "../../../../core/plan/drift-report.ts";
import { isTemporaryTarget } from "../../../../service/api/temporary-target.ts";
import { compareLive } from "../../../../operations/compare-live.ts";
import { failureOf } from "../../../../operations/known-failure.ts";
import { withoutConfiguration } from "../../../../operations/configuration/load-configuration.ts";
import type { OperationContext } from "../../../../operations/context.ts";
import { type OpenRun, withOpenRun } from "../../../../operations/open-run.ts";
import type { OperationOptions } from "../../../../operations/options.ts";
import { readWhole } from "../../../../operations/read-whole.ts";

export interface Audited {
  /** One for each type that can be listed. */
  readonly reports: readonly AuditReport[];
  /** Whether every list is whole. */
  readonly isComplete: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** The state that it was compared with, by its name; null where none exists. */
  readonly state: string | null;
}

/** Warnings that the report itself states. */
const REPORTED: ReadonlySet<string> = new Set(["duplicate_live"]);

/** Looks at everything that is live, managed or not. Sends no writes, stores nothing, resolves no secret. */
export function audit(
  context: OperationContext,
  { olderThanMs = null, ...options }: OperationOptions & { readonly olderThanMs?: number | null },
): Promise<Audited> {
  return withOpenRun(context, { ...options, operation: "audit", persists: false, needs: "settings" }, async (run) => {
    const { planned, listings } = await compareLive(run, withoutConfiguration(context).evaluate);
    const { catalog } = context;
    const { instances } = planned.document;
    const found = driftReport({ catalog, instances, plan: planned.plan, listings });
    const errors = found.diagnostics.filter(({ severity }) => severity === "error");
    if (errors.length > 0) throw new DiagnosticsError(errors);
    const reports: AuditReport[] = [];
    const diagnostics = [
      ...run.diagnostics,
      ...withoutRecords(run),
      ...found.diagnostics.filter(({ code }) => !REPORTED.has(code)),
    ];
    for (const definition of catalog.resources) {
      const listing = listings.get(definition.type);
      if (!listing) continue;
      const { referred, problems } = await referredBy(context, run, { definition, listing });
      const temporary = new Set(
        listing.objects.flatMap(({ id, attributes: { target_url: url } }) => (isTemporary(url) ? [id] : [])),
      );
      const input = {
        definition,
        objects: listing.objects,
        instances,
        undecided: found.undecided,
        temporary,
        referred,
        olderThanMs,
        ignored: run.loaded.ignored,
      };
      reports.push(auditReport({ ...input, nowMs: context.clock.now() }));
      diagnostics.push(...problems);
    }
    return {
      reports,
      isComplete: found.truncated.length === 0,
      diagnostics,
      state: run.open.version === null ? null : run.store.name,
    };
  });
}

function isTemporary(url: Attributes[string] | undefined): boolean {
  return typeof url === "string" && isTemporaryTarget(url);
}

/** What the rules of a type refer to, read only if an object names one. Without it the rest of the audit is still of use. */
async function referredBy(
  context: OperationContext,
  { ports }: OpenRun,
  { definition: { type }, listing }: { readonly definition: AnyResource; readonly listing: LiveListing },
): Promise<{ readonly referred: ReadonlyMap<string, Attributes> | null; readonly problems: readonly Diagnostic[] }> {
  const rules = AUDIT_RULES[type];
  if (!rules || listing.objects.every(({ attributes }) => typeof attributes[rules.refers.attribute] !== "string"))
    return { referred: new Map(), problems: [] };
  try {
    const all = await readWhole(context, ports, rules.refers);
    return {
      referred: new Map(all.flatMap((one) => (typeof one["id"] === "string" ? [[one["id"], one] as const] : []))),
      problems: [],
    };
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) throw error;
    const words = failure.diagnostics.map(({ detail }) => detail).join("\n");
    return {
      referred: null,
      problems: [
        warningOf("audit_without_campaigns", "The campaigns could not be read", {
          detail: `Dead campaigns are not known. ${words}`,
        }),
      ],
    };
  }
}

/** Without a state, every webhook counts as unmanaged: a first look at a service, or a wrong place. */
function withoutRecords({ open, store }: OpenRun): readonly Diagnostic[] {
  if (open.version !== null) return [];
  return [
    warningOf("audit_without_state", "No state exists at this place", {
      detail: `The state ${store.name} does not exist, so every webhook counts as unmanaged.`,
      hint: "If a state should exist, run the command where the last apply ran, or name the place of the state.",
      ways: [{ kind: "choose-state" }],
    }),
  ];
}
