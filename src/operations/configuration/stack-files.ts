import type { TextFiles } from "../../core/expression/functions/function-definition.ts";
import type { FileSystem } from "../../core/model/ports.ts";

const MAX_BYTES = 1024 * 1024;
const MAX_FILES = 10_000;
const MAX_DEPTH = 20;

/** Expressions are pure, so the files that `file` can read are read first: all regular files below the stack's folder, without links. */
export async function stackFiles(files: FileSystem, folder: string, stack: Uint8Array): Promise<TextFiles> {
  const found = new Map<string, { readonly text: string } | { readonly problem: string }>();
  if (!/\bfile\s*\(/.test(new TextDecoder().decode(stack))) return found;
  const walk = async (below: string, depth: number): Promise<void> => {
    for (const name of (await files.list(`${folder}/${below}`)).toSorted()) {
      const path = `${below}${name}`;
      if (found.size >= MAX_FILES) return;
      const kind = await files.kind(`${folder}/${path}`);
      if (kind === "folder" && depth < MAX_DEPTH) await walk(`${path}/`, depth + 1);
      else if (kind === "file") found.set(path, await textIn(files, `${folder}/${path}`, path));
      else found.set(path, { problem: `${JSON.stringify(path)} is not a regular file. file does not follow symbolic links.` });
    }
  };
  await walk("", 0);
  return found;
}

async function textIn(files: FileSystem, full: string, path: string): Promise<{ readonly text: string } | { readonly problem: string }> {
  try {
    const bytes = await files.read(full, { maxBytes: MAX_BYTES });
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes ?? new Uint8Array()) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof TypeError) return { problem: `The file ${JSON.stringify(path)} is not UTF-8 text.` };
    if (code === undefined) throw error;
    return { problem: `The file ${JSON.stringify(path)} ${code === "EFBIG" ? "is larger than 1 MB" : `cannot be read (${code})`}.` };
  }
}
