import path from "node:path";
import { resolvePath } from "../../operations/configuration/named-file.ts";
import type { Ports } from "../../operations/context.ts";

const MAX_BYTES = 64 * 1024 * 1024;
const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
/** References may lead to others. */
const MAX_STEPS = 5;

/** The commit that is checked out where a configuration is, read from Git's files; null where there is none, or nobody can tell. */
export async function checkoutCommit({ files, folder }: Ports, config: string): Promise<string | null> {
  try {
    const real = await files.realPath(resolvePath(folder, config));
    const first = (await files.kind(real)) === "folder" ? real : path.dirname(real);
    for (let at = first, above = path.dirname(at); ; [at, above] = [above, path.dirname(above)]) {
      const found = await gitFolder(files, at);
      if (found !== null) return await commitOf(files, found);
      if (above === at) return null;
    }
  } catch {
    // Only people use it: the files may be of another user, or of another version of Git.
    return null;
  }
}

type Files = Ports["files"];

/** The folder of Git's files: in a worktree or a submodule, `.git` is a file that names it. */
async function gitFolder(files: Files, folder: string): Promise<string | null> {
  const dot = path.join(folder, ".git");
  const kind = await files.kind(dot);
  if (kind === "folder") return dot;
  const named = kind === "file" ? /^gitdir: (.+)$/m.exec(await textOf(files, dot))?.[1] : undefined;
  return named === undefined ? null : path.resolve(folder, named);
}

async function commitOf(files: Files, folder: string): Promise<string | null> {
  // A worktree has its own HEAD, and the branches of the repository.
  const common = path.resolve(folder, (await textOf(files, path.join(folder, "commondir"))).trim());
  let content = (await textOf(files, path.join(folder, "HEAD"))).trim();
  for (let step = 0; step < MAX_STEPS; step++) {
    if (COMMIT.test(content)) return content;
    const [, name] = /^ref: (refs\/.+)$/.exec(content) ?? [];
    if (name === undefined) return null;
    content =
      (await textOf(files, path.join(common, name))).trim() ||
      packed(await textOf(files, path.join(common, "packed-refs")), name);
  }
  return null;
}

function packed(refs: string, name: string): string {
  return (
    refs
      .split("\n")
      .find((line) => line.endsWith(` ${name}`))
      ?.split(" ", 1)[0] ?? ""
  );
}

async function textOf(files: Files, file: string): Promise<string> {
  const bytes = await files.read(file, { followLinks: true, maxBytes: MAX_BYTES });
  return bytes === null ? "" : new TextDecoder().decode(bytes);
}
