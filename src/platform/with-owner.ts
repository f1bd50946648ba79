import { stat } from "node:fs/promises";
import path from "node:path";

/** Carries out `act` on a file. If the system forbids it, the error says whose file or folder it is: a container often runs as another user. */
export async function withOwner<T>(file: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const user = process.getuid?.();
    const isForbidden =
      error instanceof Error && "code" in error && (error.code === "EACCES" || error.code === "EPERM");
    if (!isForbidden || !user) throw error;
    let place = path.resolve(file);
    let found = await stat(place).catch(() => null);
    if (found === null) {
      place = path.dirname(place);
      found = await stat(place).catch(() => null);
    }
    if (found === null || found.uid === user) throw error;
    const owner = String(found.uid);
    error.message += `. The ${found.isDirectory() ? "folder" : "file"} ${place} belongs to user ${owner}, and outreach runs as user ${String(user)}. In a container, pass --user ${owner}:${String(found.gid)}`;
    throw error;
  }
}
