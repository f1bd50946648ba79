import { VERSION } from "./version.ts";

const [word, ...more] = process.argv.slice(2);
// Scripts ask for the version often: nothing else is loaded for it.
if (word === "version" && more.length === 0) process.stdout.write(`outreach v${VERSION}\n`);
else await import("./main.ts");
