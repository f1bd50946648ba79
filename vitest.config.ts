import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/frontends/cli/bundled-command.ts", "test/frontends/terraform/installed-provider.ts"],
    reporters: ["default", "./test/counts-reporter.ts"],
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
