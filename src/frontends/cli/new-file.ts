import { DiagnosticsError } from "../../core/model/diagnostic.ts";
import { resolvePath } from "../../operations/configuration/named-file.ts";
import type { Ports } from "../../operations/context.ts";

/** The command that writes a new file, and its option. */
interface Writer {
  readonly command: string;
  readonly option: string;
}

export async function assertNew({ files, folder }: Ports, path: string, writer: Writer): Promise<void> {
  if ((await files.kind(resolvePath(folder, path))) !== null) throw exists(path, writer);
}

/** Throws for a file that appeared in the meantime, too. */
export async function createNew(
  { files, folder }: Ports,
  path: string,
  { text, ...writer }: Writer & { readonly text: string },
): Promise<void> {
  try {
    await files.createExclusively(resolvePath(folder, path), new TextEncoder().encode(text), { isPublic: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") throw exists(path, writer);
    if (code === "ENOENT" || code === "ENOTDIR")
      throw DiagnosticsError.of("generate_no_folder", "No such folder", {
        detail: `The folder of ${path} does not exist. Nothing was written.`,
        hint: `Create the folder, or pass another path to ${writer.option}.`,
      });
    throw error;
  }
}

function exists(path: string, { command, option }: Writer): DiagnosticsError {
  return DiagnosticsError.of("generate_exists", "The file exists", {
    detail: `${path} exists, and ${command} never overwrites a file. Nothing was written.`,
    hint: `Pass another path to ${option}.`,
  });
}

/** Whether a file belongs to a configuration that is a folder. */
export async function isFileOf({ files, folder }: Ports, file: string, config: string): Promise<boolean> {
  const whole = resolvePath(folder, config).replace(/\/+$/, "");
  return (await files.kind(whole)) === "folder" && resolvePath(folder, file).replace(/\/[^/]*$/, "") === whole;
}
