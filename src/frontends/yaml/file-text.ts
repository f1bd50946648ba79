// This file imports nothing: the constructs for CDK users get a copy of it.

/** The text of a file, or the problem with it. */
export type FileText = { readonly text: string } | { readonly detail: string; readonly hint: string };

const LFS_POINTER = "version https://git-lfs.github.com/spec/";
/** A line that Git leaves where two changes conflict. */
export const CONFLICT_MARKER = /^(?:<{7}|={7}|>{7})(?:[ \r].*)?$/m;
export const CONFLICT = {
  detail: "This line is a mark of a merge conflict that Git left in the file.",
  hint: "Decide which lines stay, and remove the marks <<<<<<<, ======= and >>>>>>>.",
};

/** Decodes UTF-8, and UTF-16 with a byte order mark, which spreadsheets and PowerShell write. */
export function fileText(bytes: Uint8Array): FileText {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8";
  let text: string;
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return { detail: `The file is not ${encoding === "utf-8" ? "UTF-8" : "UTF-16"} text.`, hint: "Save it as UTF-8." };
  }
  if (!text.startsWith(LFS_POINTER)) return { text };
  return {
    detail: "The file is a pointer of Git LFS: its content was not downloaded.",
    hint: "Run git lfs pull, or check out with LFS in CI.",
  };
}
