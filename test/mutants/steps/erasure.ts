import type { Step } from "../step.ts";

const ERASE = "src/operations/erase/erase.ts";
const TESTS = ["frontends/cli/state/erase"];

/** What makes an erasure whole, and keeps what was done known. */
export const ERASURE: readonly Step[] = [
  {
    name: "erase-replaces-the-backup",
    protects: "The backup of an erased state has no address either.",
    file: ERASE,
    source: "current = await writeState(store, current, stop);",
    without: "",
    tests: TESTS,
  },
  {
    name: "erase-refuses-open-writes",
    protects: "A person whose write is open is not erased before its outcome is known.",
    file: ERASE,
    source: "if (theirs.length > 0)\n    throw",
    without: "if (theirs.length < 0) throw",
    tests: TESTS,
  },
  {
    name: "erase-removes-versions",
    protects: "Earlier versions in a remote store do not keep the address.",
    file: ERASE,
    source: "await known(copy.remove(stop))",
    without: "await known(Promise.resolve())",
    tests: ["frontends/cli/state/erase-remote"],
  },
  {
    name: "erased-are-recognised",
    protects: "What is done for an erased person is not sent again, and does not bring the address back.",
    file: "src/core/apply/run/plan-run.ts",
    source: "const evaluated = withoutErased(again, recovered.document, ports);",
    without: "const evaluated = again;",
    tests: TESTS,
  },
];
