import type { Step } from "../step.ts";

const PLACES = "src/operations/saved-plan/plan-places.ts";
const APPLY = "src/operations/saved-plan/with-saved-plan.ts";
const FORGED = ["frontends/cli/plan/forged-plan"];
const ENCRYPTION = ["frontends/cli/state/encryption.deep"];

/** What keeps a saved plan from being more than the approval of its steps. */
export const PLANS: readonly Step[] = [
  {
    name: "recheck-keeps-the-plan-fresh-only-itself",
    protects: "A saved plan is stale once anything but a recheck has written the state.",
    file: "src/core/state/document.ts",
    source:
      "return rechecked?.serial === serial && rechecked.journalSeq === journalSeq ? rechecked.since : { serial, journalSeq };",
    without: "return rechecked ? rechecked.since : { serial, journalSeq };",
    tests: ["frontends/cli/configuration/unsubscriptions"],
  },
  {
    name: "approval-covers-only-filters",
    protects: "A place that somebody writes into a list is a change that the plan shows.",
    file: "src/core/plan/rechecks.ts",
    source: "if (isFiltered !== true || personOf(",
    without: "if (personOf(",
    tests: ["core/plan/rechecks"],
  },
  {
    name: "undeclared-makes-room",
    protects: "What was done stays known when another write gets its address.",
    file: "src/core/plan/plan-irreversible.ts",
    source: "if (!taken.has(instance.address)) return",
    without: "if (taken.size >= 0) return",
    tests: ["core/plan/irreversible"],
  },
  {
    name: "plan-is-sealed",
    protects: "An edited plan is not applied.",
    file: APPLY,
    source: "if (!isSealed(saved, document)) throw planChanged();",
    without: "",
    tests: FORGED,
  },
  {
    name: "plan-names-no-configuration",
    protects: "A plan is applied with no other configuration than its own.",
    file: PLACES,
    source: "if (name !== configuration) throw",
    without: "if (name === undefined) throw",
    tests: FORGED,
  },
  {
    name: "plan-names-no-state",
    protects: "A plan is applied to no other state than its own.",
    file: PLACES,
    source: "if (place !== saved.state) throw",
    without: "if (place === undefined) throw",
    tests: FORGED,
  },
  {
    name: "plan-chooses-no-settings",
    protects: "The variables of a plan decide neither where state and service are nor which secrets reach them.",
    file: PLACES,
    source: "if (settingsText(context, options, loaded) !== settingsText(context, options, job))",
    without: "if (loaded === job)",
    tests: FORGED,
  },
  {
    name: "plan-in-plain-text",
    protects: "A plan in plain text is not applied where plans are encrypted.",
    file: PLACES,
    source: 'if (main && fallback !== "plain" && !isEncrypted)',
    without: 'if (main && fallback === "plain" && !isEncrypted)',
    tests: ENCRYPTION,
  },
  {
    name: "plan-runs-no-command",
    protects: "No program runs to read a plan.",
    file: "src/operations/state/state-place.ts",
    source: 'if (source.kind === "command" && !runKeyCommand) throw',
    without: 'if (source.kind === "env" && source.name === "") throw',
    tests: ENCRYPTION,
  },
  {
    name: "plan-without-secrets-is-plain",
    protects: "A configuration that nobody has reviewed does not choose how its plan is opened.",
    file: "src/operations/saved-plan/saved-plan.ts",
    source: 'withSecrets ? await store.encryption?.seal(bytes, { kind: "plan" }) : null',
    without: 'await store.encryption?.seal(bytes, { kind: "plan" })',
    tests: ENCRYPTION,
  },
];
