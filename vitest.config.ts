import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The longest first, so that no worker is left alone with one at the end. */
const LONGEST = [
  "simulation/simulation",
  "torture/torture",
  "core/lists/list-cases",
  "frontends/cli/fleet/controller-database",
  "torture/fleet/fleet-torture",
  "simulation/oracle",
  "core/apply/random-runs",
  "frontends/cli/pg-state",
  "frontends/yaml/hostile",
  "generate/provider-package",
  "scenarios/gitops",
  "docs/stories",
  "examples/examples",
  "frontends/cli/s3-state",
  "frontends/constructs/packed",
  "examples/receiver",
  "frontends/cli/http-state",
  "frontends/constructs/template",
  "core/config/terraform-statements",
  "core/state/local/lock-schedules",
  "frontends/convert/same-plan",
  "frontends/terraform/stories/crashes",
  "frontends/terraform/journal/random-story",
  "scenarios/three-frontends",
  "frontends/terraform/stories/many",
  "frontends/cdk/scale",
  "frontends/yaml/large",
  "secrecy/canary",
];

class LongestFirst extends BaseSequencer {
  /** Vitest knows how long files took only where it has run before. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(`test/${name}.test.ts`));
      return at < 0 ? LONGEST.length : at;
    };
    // eslint-disable-next-line unicorn/no-array-sort -- a sequencer's, not an array's
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: [
      "test/built-sources.ts",
      "test/frontends/cli/command-set-up.ts",
      "test/frontends/terraform/installed-provider.ts",
      "test/core/state/pg/shared-postgres.ts",
    ],
    reporters: ["default", "./test/counts-reporter.ts"],
    sequence: { sequencer: LongestFirst },
    maxWorkers: 2,
    // A process of its own for each file would take a third of a second to begin, and load the same modules again.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
