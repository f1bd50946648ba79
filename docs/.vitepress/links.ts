import path from "node:path";
import type { MarkdownRenderer } from "vitepress";
import { DOCS, RENAMED, REPOSITORY, ROOT, VERSION } from "./project.ts";

type Token = ReturnType<MarkdownRenderer["parse"]>[number];

/** The anchor of a heading on GitHub. The pages link to these. */
export function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

/** Lets links to files that are no pages lead to the repository, or makes them plain text as long as it has no address. */
export function prepareLinks(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push("links-of-the-site", ({ tokens, env }) => {
    const { path: page } = env as { readonly path: string };
    for (const token of tokens) if (token.children) token.children = token.children.flatMap(linkOnSite(page));
  });
}

/** A function for the tokens of one line: without the link, for those that have no target on the site. */
function linkOnSite(page: string): (token: Token) => readonly Token[] {
  let isDropped = false;
  return (token) => {
    if (token.type === "link_close" && isDropped) {
      isDropped = false;
      return [];
    }
    if (token.type !== "link_open") return [token];
    const target = targetOnSite(page, String(token.attrGet("href")));
    if (target === null) {
      isDropped = true;
      return [];
    }
    token.attrSet("href", target);
    return [token];
  };
}

/** Where a link of a page in `docs` leads on the site; null: nowhere. */
export function targetOnSite(page: string, href: string, repository = REPOSITORY): string | null {
  if (/^([a-z]+:|#)/.test(href)) return href;
  const [file = "", anchor] = href.split("#");
  const hash = anchor === undefined ? "" : `#${anchor}`;
  const target = path.resolve(path.dirname(page), file);
  const inDocs = path.relative(DOCS, target).replaceAll(path.sep, "/");
  if (!inDocs.startsWith("../") && inDocs.endsWith(".md")) return `/${RENAMED[inDocs] ?? inDocs}${hash}`;
  return repository === null
    ? null
    : `${repository}/blob/v${VERSION}/${path.relative(ROOT, target).replaceAll(path.sep, "/")}${hash}`;
}
