/** Runs the command once, and writes the code caches of the modules that it used, by name, in base64: `node rehearsal.js MODULES CACHES COMMAND…` */
import { readFileSync, writeFileSync } from "node:fs";
import { runCommandFrom } from "./executable-loader.ts";

const [modules = "", caches = ""] = process.argv.splice(2, 2);
const texts = JSON.parse(readFileSync(modules, "utf8")) as { readonly [name: string]: string };
const compiled = runCommandFrom({ textOf: (name) => texts[name] ?? "", cacheOf: () => Buffer.alloc(0) });
process.on("exit", () => {
  const entries = [...compiled].map(([name, script]) => [name, script.createCachedData().toString("base64")] as const);
  writeFileSync(caches, JSON.stringify(Object.fromEntries(entries)));
});
