import { stripVTControlCharacters } from "node:util";
import { ansi } from "../output/content/paint.ts";

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
    .green { fill: #1a7f37; }
    .red { fill: #cf222e; }
    .yellow { fill: #9a6700; }
    .cyan { fill: #0969da; }
    @media (prefers-color-scheme: dark) {
      .window { fill: #0d1117; stroke: #3d444d; }
      .button { fill: #3d444d; }
      text { fill: #f0f6fc; }
      .dim { fill: #9198a1; }
      .green { fill: #3fb950; }
      .red { fill: #f85149; }
      .yellow { fill: #d29922; }
      .cyan { fill: #58a6ff; }
    }
`;

/** A terminal with a command and what it printed, as an SVG. Colours are those of the ANSI sequences. */
export function terminalPicture(command: string, printed: string): string {
  const lines = [`${ansi("dim", "$ ")}${ansi("bold", command)}`, ...printed.trimEnd().split("\n")];
  const width = Math.max(...lines.map((line) => stripVTControlCharacters(line).length)) * CHARACTER + 2 * PADDING;
  const height = TITLE_BAR + lines.length * LINE + PADDING;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(width)} ${String(height)}" width="${String(width)}" height="${String(height)}" role="img">`,
    `  <title>${escaped(command)}</title>`,
    `  <style>${STYLE}  </style>`,
    `  <rect class="window" x="0.5" y="0.5" width="${String(width - 1)}" height="${String(height - 1)}" rx="8"/>`,
    ...[0, 1, 2].map((index) => `  <circle class="button" cx="${String(PADDING + index * 18)}" cy="18" r="5"/>`),
    ...lines.flatMap((line, index) => (line === "" ? [] : [textLine(line, TITLE_BAR + (index + 1) * LINE - 4)])),
    "</svg>",
    "",
  ].join("\n");
}

function textLine(line: string, y: number): string {
  return `  <text x="${String(PADDING)}" y="${String(y)}" xml:space="preserve">${spans(line)}</text>`;
}

const ESCAPE = "\u001b";
/** The class that each sequence begins; every other one ends the class. */
const CLASSES: { readonly [code: string]: string } = { 1: "bold", 2: "dim", 31: "red", 32: "green", 33: "yellow", 36: "cyan" };

function spans(line: string): string {
  const [first = "", ...rest] = line.split(ESCAPE);
  return [escaped(first), ...rest.map(span)].join("");
}

/** What follows an escape character: `31m`, and the text up to the next one. */
function span(part: string): string {
  const end = part.indexOf("m");
  const style = CLASSES[part.slice(1, end)];
  const text = escaped(part.slice(end + 1));
  return style === undefined || text === "" ? text : `<tspan class="${style}">${text}</tspan>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
