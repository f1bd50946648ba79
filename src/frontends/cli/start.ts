import { VERSION } from "../../operations/version.ts";

const [word, ...more] = process.argv.slice(2);
/** Node 20.19 has what the libraries of the command call while they load. */
const isTooOld = !("getBuiltinModule" in process);
// Scripts call `version` often, so it loads nothing else.
if (word === "version" && more.length === 0) process.stdout.write(`outreach v${VERSION}\n`);
else if (isTooOld) {
  process.exitCode = 1;
  process.stderr.write(
    `Error: Node is too old\n\noutreach needs Node 20.19 or later, and this is ${process.version}.\nInstall Node 24, and run the command again.\n`,
  );
} else void import("./main.ts");
