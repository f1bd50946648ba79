import type { Ports } from "../context.ts";
import { resolvePath } from "../configuration/named-file.ts";

/** How many such files a folder may hold. */
const MAX_FILES = 100;

/** Writes a state that its store did not take into the working folder, next to any that was written there before. Returns the file's name. */
export async function keepUnstoredState(context: Ports, state: Uint8Array): Promise<string> {
  return keepState(context, state, "errored");
}

/** Writes a state into the working folder, into a file whose name begins with the reason. Returns the file's name. */
export async function keepState(
  { files, folder }: Ports,
  state: Uint8Array,
  reason: "errored" | "replaced",
): Promise<string> {
  for (let count = 1; ; count++) {
    const name = `${reason}${count === 1 ? "" : `-${String(count)}`}.outreach.state.json`;
    try {
      await files.createExclusively(resolvePath(folder, name), state);
      await files.syncFolder(folder);
      return name;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || count === MAX_FILES) throw error;
    }
  }
}
