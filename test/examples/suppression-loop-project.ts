import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../docs/pages.ts";

/** Copies the example of the suppression loop into a folder, with the packages that it needs and without what earlier runs left. */
export function copySuppressionLoop(folder: string): void {
  cpSync(path.join(ROOT, "examples/suppression-loop"), folder, {
    recursive: true,
    filter: (file) => !/\.state\.json|suppressions\.csv$/.test(file),
  });
  for (const name of ["hono", "@hono/node-server", "pg", "tsx", "@types/node", "@types/pg"])
    link(path.join(ROOT, "node_modules", name), folder, name);
  link(ROOT, folder, "outreach-as-code");
}

function link(target: string, folder: string, name: string): void {
  const place = path.join(folder, "node_modules", name);
  mkdirSync(path.dirname(place), { recursive: true });
  symlinkSync(target, place);
}
