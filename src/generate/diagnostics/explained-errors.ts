/** The page of all codes of messages. */
export const DIAGNOSTICS = "docs/reference/diagnostics.md";

/** A module with the text of each code's section, for a terminal. */
export function explainedErrors(page: string): string {
  const [, ...sections] = page.split(/^## /m);
  const texts = Object.fromEntries(
    sections.map((section) => [
      section.slice(0, section.indexOf("\n")),
      plainText(section.slice(section.indexOf("\n"))),
    ]),
  );
  return `/** What the reference says of each code. */\nexport const EXPLAINED: { readonly [code: string]: string | undefined } = ${JSON.stringify(texts, null, 2)};\n`;
}

function plainText(markdown: string): string {
  return markdown
    .replaceAll(/\[(.*?)\]\(.*?\)/g, "$1 in the documentation")
    .replaceAll(/^\*\*(.*)\*\*\\?$/gm, "$1")
    .replaceAll("`", "")
    .replaceAll(/\\(?=[^\w\s])/g, "")
    .trim();
}
