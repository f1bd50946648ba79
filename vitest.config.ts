import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { engineRuns, isEngineNamed } from "./test/engines.ts";

/** The longest first, so that no worker is left alone with one at the end. */
const LONGEST = [
  "simulation/simulation.deep",
  "frontends/cli/configuration/many-teams.deep",
  "scenarios/many-teams.deep",
  "scenarios/package-managers.deep",
  "frontends/cli/controller/controller-database.deep",
  "frontends/cli/state/http-state.deep",
  "frontends/cli/controller/bulk.deep",
  "core/lists/list-cases.deep",
  "frontends/cli/apply/full-disk.deep",
  "docs/stories.deep",
  "docs/site.deep",
  "scenarios/gitops.deep",
  "frontends/constructs/template.deep",
  "torture/torture.deep",
  "scenarios/three-frontends.deep",
  "examples/examples.deep",
  "simulation/oracle.deep",
  "frontends/constructs/packed.deep",
  "scenarios/rotation.deep",
  "frontends/cdk/terraform-comparison.deep",
  "frontends/terraform/scale.deep",
  "frontends/cli/program/built-command.deep",
  "generate/generated-files.deep",
  "secrecy/canary.deep",
  "frontends/terraform/stories/many.deep",
  "service/pacing-simulation.deep",
  "core/config/terraform-statements.deep",
  "frontends/terraform/stories/import.deep",
  "frontends/cli/configuration/teams.deep",
  "service/receiver/built-library.deep",
  "frontends/terraform/journal/boundaries.deep",
  "torture/fleet/fleet-torture.deep",
  "frontends/cli/mcp/mcp.deep",
  "frontends/cli/state/pg-state.deep",
  "examples/receiver.deep",
  "fuzz/fuzz.deep",
  "generate/packages.deep",
  "frontends/cli/generate/generate.deep",
  "frontends/terraform/stories/crashes.deep",
  "frontends/terraform/journal/random-story.deep",
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

const DEEP = "test/**/*.deep.test.ts";
/** Deep tests have packages of their own below test/, and some of these bring tests. */
const PACKAGES = "**/node_modules/**";
const EACH = {
  // A process of its own for each file would take a third of a second to begin, and load the same modules again.
  isolate: false,
  testTimeout: 60_000,
  hookTimeout: 120_000,
};

/** `npm test` runs the first, `npm run test:deep` the second, and `npx vitest run PATH` takes a file from either. */
const PROJECTS = [
  { name: "quick", include: ["test/**/*.test.ts"], exclude: [DEEP, PACKAGES] },
  { name: "deep", include: [DEEP], exclude: [PACKAGES] },
];
const engines = engineRuns().map(({ name, include, env }) => ({
  name,
  include: [...include],
  exclude: [PACKAGES],
  env,
}));
const projects = isEngineNamed() ? engines : [...PROJECTS, ...engines];

export default defineConfig({
  test: {
    ...EACH,
    globalSetup: [
      "test/built-files.ts",
      "test/frontends/cli/command-set-up.ts",
      "test/shared-folder.ts",
      "test/core/state/pg/shared-postgres.ts",
    ],
    reporters: ["default", "./test/counts-reporter.ts"],
    sequence: { sequencer: LongestFirst },
    // On two cores: half of the time, a test waits for processes, for answers or for time to pass.
    maxWorkers: 4,
    projects: projects.map((project) => ({ test: { ...EACH, ...project } })),
  },
});
