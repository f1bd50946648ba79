import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Engine, engineOf } from "../../engines.ts";
import { type Feature, lacks } from "./engine.ts";

test.each<readonly [printed: string, engine: Engine | null]>([
  ["Terraform v1.16.0-rc2\non linux_amd64", { name: "Terraform", version: "1.16.0-rc2" }],
  [
    "\nWarning: Unable to open CLI configuration file\n\nOpenTofu v1.12.6\non linux_amd64",
    { name: "OpenTofu", version: "1.12.6" },
  ],
  ["v1.12.6", null],
])("a binary that prints %j is recognised by its name and its version", (printed, engine) => {
  const folder = mkdtempSync(path.join(tmpdir(), "engine-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const binary = path.join(folder, "tool");
  writeFileSync(binary, `#!/bin/sh\ncat << 'END'\n${printed}\nEND\n`, { mode: 0o755 });
  expect(engineOf(binary)).toEqual(engine);
  expect(engineOf(`${binary}-missing`)).toBeNull();
});

test.each<readonly [feature: Feature, engine: Engine, lacking: string | null]>([
  ["actions", { name: "Terraform", version: "1.14.9" }, null],
  ["actions", { name: "Terraform", version: "1.14.0-rc1" }, null],
  ["actions", { name: "Terraform", version: "1.9.8" }, "actions: Terraform 1.14 and later, here is Terraform 1.9.8"],
  ["actions", { name: "OpenTofu", version: "1.14.0" }, "actions: Terraform 1.14 and later, here is OpenTofu 1.14.0"],
  [
    "functions",
    { name: "OpenTofu", version: "1.6.3" },
    "functions: Terraform 1.8 or OpenTofu 1.7 and later, here is OpenTofu 1.6.3",
  ],
  ["functions", { name: "Terraform", version: "2.0.0" }, null],
])("%s with %o", (feature, engine, lacking) => {
  expect(lacks(feature, engine)).toBe(lacking);
});
