import { writeFileSync } from "node:fs";
import path from "node:path";
import { openCommand } from "../doors/cli/command.ts";
import { hasTerraform } from "../doors/terraform/terraform-under-test.ts";
import { ROOT, STORIES, type Stories, TERRAFORM_STORIES, read } from "./pages.ts";
import { type PageSetting, runPage } from "./run-page.ts";
import { openTerraformEnvironment } from "./terraform-environment.ts";
import { withTold } from "./transcript.ts";

/** Runs the pages that are named, or all that have commands, and writes what was printed into them. */
async function main(only: readonly string[]): Promise<void> {
  const command = await openCommand();
  const terraform = hasTerraform ? await openTerraformEnvironment() : null;
  try {
    await update(STORIES, only, { command: command.file });
    if (terraform) await update(TERRAFORM_STORIES, only, { command: command.file, variables: terraform.variables });
  } finally {
    command.close();
    terraform?.close();
  }
}

async function update(stories: Stories, only: readonly string[], setting: Omit<PageSetting, "folders">): Promise<void> {
  for (const [page, folders] of stories) {
    if (only.length > 0 && !only.includes(page)) continue;
    const before = read(page);
    const done = await runPage(before, { ...setting, folders });
    const after = withTold(before, new Map(done.map(({ deed, printed }) => [deed, printed])));
    if (after === before) continue;
    writeFileSync(path.join(ROOT, page), after);
    process.stdout.write(`written: ${page}\n`);
  }
}

await main(process.argv.slice(2));
