/** A fenced block of a page: ```` ```yaml outreach.yaml ```` has the language yaml and the word outreach.yaml. */
export interface Fence {
  readonly language: string;
  readonly words: readonly string[];
  readonly text: string;
  /** The first line and the line after the last, without the fences. */
  readonly from: number;
  readonly to: number;
}

export function fencesOf(page: string): readonly Fence[] {
  const lines = page.split("\n");
  const fences: Fence[] = [];
  let open: { readonly info: string; readonly from: number } | null = null;
  for (const [index, line] of lines.entries()) {
    if (!line.startsWith("```")) continue;
    if (open === null) {
      open = { info: line.slice(3).trim(), from: index + 1 };
      continue;
    }
    const [language = "", ...words] = open.info.split(/\s+/);
    fences.push({ language, words, text: lines.slice(open.from, index).join("\n"), from: open.from, to: index });
    open = null;
  }
  if (open) throw new Error(`the block at line ${String(open.from)} does not end`);
  return fences;
}

/** Inline code, outside of blocks. */
export function codeSpansOf(page: string): readonly string[] {
  return [...proseOf(page).matchAll(/`([^`\n]+)`/g)].map(([, span = ""]) => span);
}

/** Link and image targets, outside of blocks. */
export function linksOf(page: string): readonly string[] {
  return [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
}

/** The anchors of the page's headings on the usual hosts, and its explicit anchors. */
export function anchorsOf(page: string): readonly string[] {
  const prose = proseOf(page);
  const headings = [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
  return [...headings, ...[...prose.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id)];
}

function proseOf(page: string): string {
  const inside = new Set(
    fencesOf(page).flatMap(({ from, to }) => Array.from({ length: to - from }, (_, index) => from + index)),
  );
  return page
    .split("\n")
    .filter((_, index) => !inside.has(index))
    .join("\n");
}
