import { VERSION } from "../../operations/version.ts";

const [word, ...more] = process.argv.slice(2);
// Scripts call `version` often, so it loads nothing else.
if (word === "version" && more.length === 0) process.stdout.write(`outreach v${VERSION}\n`);
else void import("./main.ts");
