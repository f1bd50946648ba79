import type { Diagnostic } from "../../core/model/diagnostic.ts";
import type { Notice } from "../../core/model/notice.ts";
import { countOf } from "../../core/model/words.ts";
import type { DriftReport, DriftStatus } from "../../core/plan/drift-report.ts";
import { driftSummary } from "./drift-format.ts";

/** The notifications of a drift report; none without a finding. `withUnmanaged`: whether unmanaged objects are one. */
export function driftNotices(
  report: DriftReport,
  status: DriftStatus,
  { withUnmanaged }: { readonly withUnmanaged: boolean },
): readonly Notice[] {
  const { missing, changed, unmanaged, unchecked, undecided, diagnostics } = report;
  const drifted = [
    ...missing.map(({ address }) => `${address}: missing`),
    ...changed.map(({ address, changed: names }) => `${address}: changed (${names.join(", ")})`),
    ...(withUnmanaged ? unmanaged.map(({ object }) => `${object.id}: unmanaged`) : []),
  ];
  const summary = driftSummary(report, status);
  switch (status) {
    case "none":
      return [];
    case "drift":
      return [{ event: "drift", summary, lines: drifted, facts: drifted }];
    case "undecided": {
      const lines = undecided.map(({ address }) => `${address ?? "An object without an address"}: undecided`);
      return [{ event: "undecided", summary, lines, facts: lines }];
    }
    case "unknown":
    case "error": {
      const lines = [
        ...errorLines(diagnostics),
        ...unchecked.map(({ address }) => `${address}: not in the list, which may be truncated`),
      ];
      return [
        {
          event: "failed",
          summary,
          lines,
          facts: [...errorFacts(diagnostics), ...unchecked.map(({ address }) => address)],
        },
      ];
    }
  }
}

/** The notification of a run that ended with errors. */
export function failureNotice(diagnostics: readonly Diagnostic[], status: "failed" | "undecided"): Notice {
  const [first] = diagnostics.filter(({ severity }) => severity === "error");
  const summary =
    status === "undecided"
      ? "The outcome of a write is undecided."
      : `The run failed: ${first?.summary ?? "no reason is known"}.`;
  return { event: status, summary, lines: errorLines(diagnostics), facts: errorFacts(diagnostics) };
}

/** The notifications of an apply. */
export function applyNotices(applied: {
  readonly status: "complete" | "incomplete" | "interrupted" | "undecided";
  readonly diagnostics: readonly Diagnostic[];
  readonly rechecked: { readonly done: number } | null;
}): readonly Notice[] {
  const { status, diagnostics, rechecked } = applied;
  const done = rechecked?.done ?? 0;
  return [
    ...(status === "incomplete"
      ? [failureNotice(diagnostics, "failed")]
      : status === "undecided"
        ? [failureNotice(diagnostics, "undecided")]
        : []),
    ...(done > 0 ? [recheckNotice(done)] : []),
  ];
}

/** The notification of secrets that are too old, from a plan's warnings. */
export function secretNotices(diagnostics: readonly Diagnostic[]): readonly Notice[] {
  const old = diagnostics.filter(({ code }) => code === "secret_max_age");
  if (old.length === 0) return [];
  const summary = `${countOf(old.length, "secret")} ${old.length === 1 ? "is" : "are"} older than the configuration allows.`;
  return [
    {
      event: "secret_age",
      summary,
      lines: old.map(({ detail }) => detail),
      facts: old.map(({ address = "" }) => address),
    },
  ];
}

function recheckNotice(done: number): Notice {
  const summary = `${countOf(done, "person", "people")} of a list appeared in a campaign, and ${done === 1 ? "is" : "are"} unsubscribed now.`;
  return { event: "rechecked", summary, lines: [], facts: [] };
}

function errorLines(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.flatMap(({ severity, address, summary, detail }) =>
    severity === "error"
      ? [`${address === undefined ? "" : `${address}: `}${summary}. ${detail.replaceAll(/\s+/g, " ")}`]
      : [],
  );
}

/** The details may name times and durations. */
function errorFacts(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.flatMap(({ severity, code, address = "" }) =>
    severity === "error" ? [`${code} ${address}`] : [],
  );
}
