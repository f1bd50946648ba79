import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import type { DefaultTheme } from "vitepress";
import { DOCS, RENAMED } from "./project.ts";

/** The parts of the sidebar: their folders, or pages. */
const PARTS: readonly (readonly [title: string, ...places: readonly string[]])[] = [
  ["Tutorials", "tutorials"],
  ["Guides", "guides"],
  ["Explanation", "explanation"],
  ["Reference", "reference"],
  ["Terraform provider", "index.md", "resources", "data-sources", "functions", "actions", "list-resources"],
];

/** Every page by part, with its heading as title. Within a folder, they are in the order in which docs/README.md names them. */
export function sidebar(): DefaultTheme.SidebarItem[] {
  const contents = readFileSync(path.join(DOCS, "README.md"), "utf8");
  const rank = (page: string): number => {
    const at = contents.indexOf(`](${page})`);
    return at < 0 ? contents.length : at;
  };
  return PARTS.map(([text, ...places]) => ({
    text,
    collapsed: false,
    items: places
      .flatMap((place) => pagesIn(place).toSorted((a, b) => rank(a) - rank(b)))
      .map((page) => ({ text: headingOf(page), link: `/${RENAMED[page] ?? page}` })),
  }));
}

function pagesIn(place: string): readonly string[] {
  if (place.endsWith(".md")) return [place];
  return readdirSync(path.join(DOCS, place))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${place}/${name}`);
}

function headingOf(page: string): string {
  const [, heading] = /^# (.+)$/m.exec(readFileSync(path.join(DOCS, page), "utf8")) ?? [];
  if (heading === undefined) throw new Error(`docs/${page} has no heading`);
  return heading.replaceAll("`", "");
}
