import type { Reporter, SerializedError, TestModule } from "vitest/node";

const SLOWEST = 10;

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  pending: number;
}

/**
 * Closes the run with the plain line `N passed, N failed`. Before it, each skip has a line with its reason, and each of several engines a line
 * with its counts, and the slowest files are named. Errors outside of tests count as failed.
 */
export default class CountsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const engines = new Map<string, Counts>();
    const skips: string[] = [];
    for (const module of modules) {
      const { name } = module.project;
      const counts = engines.get(name) ?? { passed: 0, failed: 0, skipped: 0, pending: 0 };
      engines.set(name, counts);
      for (const test of module.children.allTests()) {
        const result = test.result();
        counts[result.state]++;
        if (result.state === "skipped")
          skips.push(`skipped: ${engineText(name)}${test.fullName} (${result.note ?? "no reason given"})`);
      }
      // A hook that fails leaves its tests skipped or passed: the error is its group's.
      for (const group of [module, ...module.children.allSuites()]) counts.failed += group.errors().length;
    }
    const all = [...engines.values()];
    const sum = (count: keyof Counts): number => all.reduce((total, counts) => total + counts[count], 0);
    const each = [...engines].flatMap(([name, { passed, failed, skipped, pending }]) =>
      name === ""
        ? []
        : [
            `${engineText(name)}${String(passed)} passed, ${String(failed + pending)} failed, ${String(skipped)} skipped`,
          ],
    );
    const whole = `${String(sum("passed"))} passed, ${String(sum("failed") + sum("pending") + unhandled.length)} failed`;
    process.stdout.write(`\n${[...skips, ...slowest(modules), ...each, whole].join("\n")}\n`);
  }
}

/** The ten files that took longest, with their seconds. Empty for a run of a few files. */
function slowest(modules: readonly TestModule[]): readonly string[] {
  if (modules.length <= SLOWEST) return [];
  const files = modules.map((module) => ({
    file: module.relativeModuleId,
    seconds: module.diagnostic().duration / 1000,
  }));
  return files
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, SLOWEST)
    .map(({ file, seconds }) => `slow: ${seconds.toFixed(1)} s ${file}`);
}

const engineText = (name: string): string => (name === "" ? "" : `${name}: `);
