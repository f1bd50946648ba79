import type { Diagram } from "./diagram.ts";

/** What a plan compares, and what an apply changes. */
export const RECONCILING: Diagram = {
  title: "outreach compares what is declared, recorded and live, and applies the difference",
  boxes: [
    { id: "declared", column: 0, row: 0, title: "Declared", lines: ["outreach.yaml, in git"], kind: "place" },
    { id: "recorded", column: 0, row: 1, title: "Recorded", lines: ["outreach.state.json"], kind: "place" },
    { id: "live", column: 0, row: 2, title: "Live", lines: ["the service's webhooks"], kind: "place" },
    { id: "plan", column: 1, row: 1, title: "Plan", lines: ["outreach plan", "the difference"], kind: "step" },
    { id: "apply", column: 2, row: 1, title: "Apply", lines: ["outreach apply", "creates and deletes"], kind: "step" },
    { id: "service", column: 2, row: 2, title: "The service", lines: ["webhooks, leads"], kind: "place" },
    { id: "state", column: 2, row: 0, title: "State and journal", lines: ["what was sent, and the result"], kind: "place" },
  ],
  arrows: [
    { from: "declared", to: "plan", reads: true },
    { from: "recorded", to: "plan", reads: true },
    { from: "live", to: "plan", reads: true },
    { from: "plan", to: "apply", label: "yes" },
    { from: "apply", to: "service", label: "2. sends" },
    { from: "apply", to: "state", label: "1. journals, 3. records" },
  ],
};

/** From a pull request to the service. */
export const DELIVERY: Diagram = {
  title: "A pull request is planned, reviewed and merged, and exactly the approved plan is applied",
  boxes: [
    { id: "request", column: 0, row: 0, title: "Pull request", lines: ["outreach plan", "--no-secrets"], kind: "step" },
    { id: "plan", column: 1, row: 0, title: "Merge", lines: ["outreach plan", "--out saved.plan"], kind: "step" },
    { id: "apply", column: 2, row: 0, title: "Apply", lines: ["outreach apply", "saved.plan"], kind: "step" },
    { id: "service", column: 2, row: 1, title: "The service", lines: ["webhooks, leads"], kind: "place" },
    { id: "drift", column: 1, row: 1, title: "Every night", lines: ["outreach plan", "--refresh-only"], kind: "step" },
  ],
  arrows: [
    { from: "request", to: "plan", label: "review" },
    { from: "plan", to: "apply", label: "approval" },
    { from: "apply", to: "service", label: "sends" },
    { from: "drift", to: "service", label: "reads", reads: true },
  ],
};
