import { writeFileSync } from "node:fs";
import path from "node:path";
import { openCommand } from "../doors/cli/command.ts";
import { ROOT, STORIES, read } from "./pages.ts";
import { runPage } from "./run-page.ts";
import { withTold } from "./transcript.ts";

/** Runs the pages that are named, or all that have commands, and writes what was printed into them. */
async function main(only: readonly string[]): Promise<void> {
  const command = await openCommand();
  try {
    for (const [page, folders] of STORIES) {
      if (only.length > 0 && !only.includes(page)) continue;
      const before = read(page);
      const done = await runPage(before, { command: command.file, folders });
      const after = withTold(before, new Map(done.map(({ deed, printed }) => [deed, printed])));
      if (after === before) continue;
      writeFileSync(path.join(ROOT, page), after);
      process.stdout.write(`written: ${page}\n`);
    }
  } finally {
    command.close();
  }
}

await main(process.argv.slice(2));
