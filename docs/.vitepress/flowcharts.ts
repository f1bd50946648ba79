import type { MarkdownRenderer } from "vitepress";

/** Shows Mermaid's flowcharts as tables of their arrows: the library that draws them is larger than everything else here together. */
export function drawFlowcharts(markdown: MarkdownRenderer): void {
  const fence = markdown.renderer.rules.fence;
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const token = tokens[index];
    return (
      (token?.info.trim() === "mermaid" ? arrowTable(token.content) : null) ?? fence?.(tokens, index, ...rest) ?? ""
    );
  };
}

const NODE = String.raw`(\w+)(?:\["([^"]+)"\])?`;
const ARROW = new RegExp(String.raw`^\s*${NODE}\s+(?:-->|-\.->|--\s*"?([^"]+?)"?\s*-->)\s+${NODE}\s*$`);

/** The arrows as a table of HTML; null if a line is none. */
function arrowTable(chart: string): string | null {
  const [, ...lines] = chart.trimEnd().split("\n");
  const labels = new Map<string, string>();
  const rows: string[] = [];
  for (const line of lines) {
    const [, from, fromLabel, text = "", to, toLabel] = ARROW.exec(line) ?? [];
    if (from === undefined || to === undefined) return null;
    if (fromLabel !== undefined) labels.set(from, fromLabel);
    if (toLabel !== undefined) labels.set(to, toLabel);
    rows.push(`<tr><td>${labels.get(from) ?? from}</td><td>${text} →</td><td>${labels.get(to) ?? to}</td></tr>`);
  }
  return `<table><tbody>${rows.join("")}</tbody></table>\n`;
}
