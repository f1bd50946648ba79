/** A size in pixels. Fonts differ in width, so a character gets room for the widest of the usual ones. */
const CHARACTER = 8;
const LINE = 20;
const PADDING = 20;
const TITLE_BAR = 36;
const FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace";

/** Readable on a light and on a dark page. */
const STYLE = `
    .window { fill: #ffffff; stroke: #d0d7de; }
    .button { fill: #d0d7de; }
    text { fill: #1f2328; font: 13px ${FONT}; white-space: pre; }
    .bold { font-weight: bold; }
    .dim { fill: #59636e; }
    .create { fill: #1a7f37; }
    .delete { fill: #cf222e; }
    .change { fill: #9a6700; }
    @media (prefers-color-scheme: dark) {
      .window { fill: #0d1117; stroke: #3d444d; }
      .button { fill: #3d444d; }
      text { fill: #f0f6fc; }
      .dim { fill: #9198a1; }
      .create { fill: #3fb950; }
      .delete { fill: #f85149; }
      .change { fill: #d29922; }
    }
`;

/** What a terminal shows as an SVG: text in a window, coloured as a plan is. */
export function terminalPicture(title: string, printed: string): string {
  const lines = printed.trimEnd().split("\n");
  const width = Math.max(...lines.map((line) => line.length)) * CHARACTER + 2 * PADDING;
  const height = TITLE_BAR + lines.length * LINE + PADDING;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(width)} ${String(height)}" width="${String(width)}" height="${String(height)}" role="img">`,
    `  <title>${escaped(title)}</title>`,
    `  <style>${STYLE}  </style>`,
    `  <rect class="window" x="0.5" y="0.5" width="${String(width - 1)}" height="${String(height - 1)}" rx="8"/>`,
    ...[0, 1, 2].map((index) => `  <circle class="button" cx="${String(PADDING + index * 18)}" cy="18" r="5"/>`),
    ...lines.flatMap((line, index) => (line === "" ? [] : [textLine(line, TITLE_BAR + (index + 1) * LINE - 4)])),
    "</svg>",
    "",
  ].join("\n");
}

function textLine(line: string, y: number): string {
  const parts = partsOf(line).map(([style, text]) => (style === "" ? escaped(text) : `<tspan class="${style}">${escaped(text)}</tspan>`));
  return `  <text x="${String(PADDING)}" y="${String(y)}" xml:space="preserve">${parts.join("")}</text>`;
}

type Part = readonly [style: string, text: string];

const SYMBOLS: { readonly [symbol: string]: string } = { "+": "create", "-": "delete", "~": "change", "-/+": "change", "+/-": "change" };

/** The colours that the command uses on a terminal. */
function partsOf(line: string): readonly Part[] {
  if (line.startsWith("$ ")) return [part("dim", "$ "), part("bold", line.slice(2))];
  if (/^( {2}# |Plan: )/.test(line)) return [part("bold", line)];
  if (/^ +\(/.test(line)) return [part("dim", line)];
  const [, indent = "", symbol = "", rest = line] = /^( *)(-\/\+|\+\/-|[-+~])(?= )(.*)$/.exec(line) ?? [];
  const [before = "", forces = ""] = rest.split(/(?= # forces replacement$)/);
  return [part("", indent), part(SYMBOLS[symbol] ?? "", symbol), part("", before), part("delete", forces)].filter(([, text]) => text !== "");
}

function part(style: string, text: string): Part {
  return [style, text];
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
