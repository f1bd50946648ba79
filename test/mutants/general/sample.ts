import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { type Mutant, mutantsOf } from "./mutate.ts";

export interface Sampled extends Mutant {
  readonly file: string;
  /** The whole line, trimmed. */
  readonly text: string;
}

/** So many mutants of a folder of `src`, always the same ones for the same sources and seed. */
export function sample(
  folder: string,
  part: string,
  { count, seed }: { readonly count: number; readonly seed: string },
): readonly Sampled[] {
  const names = readdirSync(path.join(folder, "src", part), { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => name.endsWith(".ts")).map((name) => path.posix.join("src", part, name));
  const all = files.flatMap((file) => {
    const text = readFileSync(path.join(folder, file), "utf8");
    const lines = text.split("\n");
    return mutantsOf(file, text).map((mutant): Sampled => ({
      ...mutant,
      file,
      text: (lines[mutant.line - 1] ?? "").trim(),
    }));
  });
  // By content, so that a change elsewhere does not draw another sample.
  const drawn = all
    .map((mutant) => ({ mutant, rank: rankOf(seed, mutant) }))
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1));
  return drawn.slice(0, count).map(({ mutant }) => mutant);
}

function rankOf(seed: string, { file, text, kind, before, after }: Sampled): string {
  return createHash("sha256")
    .update(JSON.stringify([seed, file, text, kind, before, after]))
    .digest("hex");
}
