import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { PROFILES } from "../../src/sandbox/profiles.ts";
import { COMMAND } from "../frontends/cli/command.ts";
import { installProvider } from "../frontends/terraform/installed-provider.ts";
import { hasTerraform } from "../frontends/terraform/terraform-under-test.ts";
import { ROOT, STORIES, type Stories, TERRAFORM_STORIES, read } from "./pages.ts";
import { type PageSetting, runPage, terraformVariables } from "./run-page.ts";
import { withTold } from "./transcript.ts";

/** Runs the named pages, or all pages with commands, and updates their transcripts. */
async function main(only: readonly string[]): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "outreach-provider-"));
  try {
    await update(STORIES, only, { command: COMMAND });
    if (hasTerraform)
      await update(TERRAFORM_STORIES, only, {
        command: COMMAND,
        variables: terraformVariables((await installProvider(folder)).cliConfiguration),
      });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function update(
  stories: Stories,
  only: readonly string[],
  setting: Omit<PageSetting, "folders" | "service">,
): Promise<void> {
  for (const [page, folders] of stories) {
    if (only.length > 0 && !only.includes(page)) continue;
    const before = read(page);
    const done = await runPage(before, { ...setting, folders, service: PROFILES.documented });
    const after = withTold(before, new Map(done.map(({ deed, printed }) => [deed, printed])));
    if (after === before) continue;
    writeFileSync(path.join(ROOT, page), after);
    process.stdout.write(`written: ${page}\n`);
  }
}

await main(process.argv.slice(2));
