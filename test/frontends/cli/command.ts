import { fileURLToPath } from "node:url";

/** The command as users run it. `test/built-files.ts` and the scripts build it from the sources. */
export const COMMAND = fileURLToPath(new URL("../../../dist/bin/outreach.js", import.meta.url));
