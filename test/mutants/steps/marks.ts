import type { Step } from "../step.ts";

const BY_MARK = "src/core/apply/recovery/created-by.ts";
const DECIDE = "src/core/apply/recovery/decide-creates.ts";
const MARKS = "src/core/apply/write/marks.ts";
const NEAR = ["core/apply/marks"];
const STORIES = ["frontends/cli/apply/marks", "frontends/cli/apply/marks-of-others"];

/** What makes a mark a proof. */
export const MARK_STEPS: readonly Step[] = [
  {
    name: "mark-is-journaled",
    protects: "The mark of a create is durable before the create is sent.",
    file: "src/core/apply/write/store-intent.ts",
    source: "    ...(mark === undefined ? {} : { mark }),\n",
    without: "",
    tests: STORIES,
  },
  {
    name: "mark-of-a-resend",
    protects: "What a run sends again carries the mark that it was sent with.",
    file: MARKS,
    source: "if (!made.has(address))\n      made.set(",
    without: "made.set(",
    tests: ["simulation/simulation.deep"],
  },
  {
    name: "mark-of-a-later-resend",
    protects: "What an earlier run has sent carries the same mark when it is sent again.",
    file: MARKS,
    source: "const mark = sent?.mark ?? Buffer",
    without: "const mark = Buffer",
    tests: NEAR,
  },
  {
    name: "mark-of-an-object",
    protects: "Two objects never have the same mark, but for an accident.",
    file: MARKS,
    source: "!taken.has(one.mark) &&",
    without: "",
    tests: NEAR,
  },
  {
    name: "mark-of-other-values",
    protects: "A create of other values has a mark of its own.",
    file: MARKS,
    source: " &&\n      desiredText(definition, one) === desired,",
    without: ",",
    tests: NEAR,
  },
  {
    name: "twin-by-time",
    protects: "A webhook that is older than the create is somebody's copy, and is not deleted.",
    file: BY_MARK,
    source: "olderMs !== null && olderMs <= 0 && ",
    without: "olderMs !== 0.5 && ",
    tests: NEAR,
  },
  {
    name: "twin-of-known-age",
    protects: "A webhook of unknown age is not deleted as a duplicate.",
    file: BY_MARK,
    source: "olderMs !== null && olderMs <= 0",
    without: "(olderMs ?? 0) <= 0",
    tests: NEAR,
  },
  {
    name: "twin-by-values",
    protects: "A webhook for another event with a copied URL is not deleted.",
    file: BY_MARK,
    source: " && differingAttributes(definition, wanted, object).length === 0",
    without: "",
    tests: NEAR,
  },
  {
    name: "twin-by-what-is-shown",
    protects:
      "A webhook with a copied URL is not deleted where the list does not show whether it is for another event.",
    file: BY_MARK,
    source: "return isShown && ",
    without: "return isShown !== null && ",
    tests: ["frontends/cli/apply/marks-of-others"],
  },
  {
    name: "released-is-not-late",
    protects: "A webhook that was recorded with a mark, and then released, is not taken back.",
    file: "src/core/state/fold.ts",
    source: "withRecorded(withLost(withoutUnsent(document.lostCreates, fresh, intents), fresh), recorded)",
    without: "withLost(withoutUnsent(document.lostCreates, fresh, intents), fresh)",
    tests: ["frontends/cli/apply/marks-released"],
  },
  {
    name: "mark-and-values",
    protects: "A webhook with a copied URL, in place of ours, is not taken for ours.",
    file: DECIDE,
    source: "oldestFirst(definition, alike(definition, intent.planned ?? {}, made))",
    without: "oldestFirst(definition, made)",
    tests: [...NEAR, "frontends/cli/apply/marks-of-others"],
  },
  {
    name: "marked-is-not-alike",
    protects: "A create without a mark is not decided by what carries one.",
    file: DECIDE,
    source: "object.mark === undefined &&\n          !isManaged(object.id)",
    without: "!isManaged(object.id)",
    tests: NEAR,
  },
];
