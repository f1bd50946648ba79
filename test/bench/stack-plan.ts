import { withExisting } from "./existing-plan.ts";
import { type Figure, median } from "./figure.ts";

const WEBHOOKS = 5000;
const RUNS = 5;

/** `outreach plan` of 5,000 webhooks that are declared in a synthesised stack, against the same in YAML; each in a process of its own. */
export function measureStackPlan(): Promise<readonly Figure[]> {
  return withExisting(WEBHOOKS, async ({ stack, plan }) => {
    const rounds: { readonly yamlMs: number; readonly stackMs: number }[] = [];
    for (let run = 0; run < RUNS; run++) {
      const { planMs: yamlMs } = await plan();
      const { planMs: stackMs } = await plan(stack);
      rounds.push({ yamlMs, stackMs });
    }
    const [yamlMs, stackMs] = [
      median(rounds.map((round) => round.yamlMs)),
      median(rounds.map((round) => round.stackMs)),
    ];
    return [
      {
        name: "outreach plan of a synthesised stack, 5,000 webhooks",
        measured: `${stackMs.toFixed(0)} ms, the same in YAML: ${yamlMs.toFixed(0)} ms`,
        ratio: stackMs / yamlMs,
        goal: { atMost: 1.3 },
      },
    ];
  });
}
