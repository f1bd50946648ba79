import type { Reporter, SerializedError, TestModule } from "vitest/node";

/** Closes the run with the plain line `N passed, N failed`. Each skip has a line before it, with its reason. Errors outside of tests count as failed. */
export default class CountsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const counts = { passed: 0, failed: unhandled.length, skipped: 0, pending: 0 };
    const skips: string[] = [];
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const result = test.result();
        counts[result.state]++;
        if (result.state === "skipped") skips.push(`skipped: ${test.fullName} (${result.note ?? "no reason given"})`);
      }
      // A hook that fails leaves its tests skipped or passed: the error is its group's.
      for (const group of [module, ...module.children.allSuites()]) counts.failed += group.errors().length;
    }
    const lines = [...skips, `${String(counts.passed)} passed, ${String(counts.failed + counts.pending)} failed`];
    process.stdout.write(`\n${lines.join("\n")}\n`);
  }
}
