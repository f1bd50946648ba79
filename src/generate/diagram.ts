/** A box on a grid: `column` and `row` may be fractions. */
export interface DiagramBox {
  readonly id: string;
  readonly column: number;
  readonly row: number;
  readonly title: string;
  /** Commands and file names, in a monospace font, or short notes. */
  readonly lines: readonly string[];
  readonly kind: "place" | "step";
}

/** An arrow from the side of one box to the nearest side of another. */
export interface DiagramArrow {
  readonly from: string;
  readonly to: string;
  readonly label?: string;
  /** A dashed arrow is a read. */
  readonly reads?: boolean;
}

export interface Diagram {
  readonly title: string;
  readonly boxes: readonly DiagramBox[];
  readonly arrows: readonly DiagramArrow[];
}

/** Sizes in pixels. */
const BOX = { width: 210, height: 76 };
const GAP = { x: 110, y: 60 };
const MARGIN = 16;
const FONT = "system-ui, -apple-system, 'Segoe UI', 'Liberation Sans', sans-serif";
const CODE_FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace";

/** Readable on a light and on a dark page. */
const STYLE = `
    text { fill: #1f2328; font: 13px ${FONT}; text-anchor: middle; }
    .title { font-weight: bold; font-size: 14px; }
    .line { font: 12px ${CODE_FONT}; fill: #59636e; }
    .label { font-size: 12px; fill: #59636e; paint-order: stroke; stroke: #ffffff; stroke-width: 6px; }
    .place { fill: #f6f8fa; stroke: #d0d7de; }
    .step { fill: #ddf4ff; stroke: #54aeff; }
    .arrow { fill: none; stroke: #59636e; stroke-width: 1.5; }
    .reads { stroke-dasharray: 5 4; }
    .head { fill: #59636e; }
    .page { fill: #ffffff; }
    @media (prefers-color-scheme: dark) {
      text { fill: #f0f6fc; }
      .line, .label { fill: #9198a1; }
      .label { stroke: #0d1117; }
      .place { fill: #151b23; stroke: #3d444d; }
      .step { fill: #121d2f; stroke: #1f6feb; }
      .arrow { stroke: #9198a1; }
      .head { fill: #9198a1; }
      .page { fill: #0d1117; }
    }
`;

/** Boxes and arrows as an SVG that refers to nothing outside of itself. Throws for an arrow to a box that does not exist. */
export function diagramPicture({ title, boxes, arrows }: Diagram): string {
  const placed = new Map(boxes.map((box) => [box.id, placedAt(box)]));
  const find = (id: string): Placed => {
    const found = placed.get(id);
    if (!found) throw new Error(`the diagram has no box ${id}`);
    return found;
  };
  const width = Math.max(...[...placed.values()].map(({ x }) => x + BOX.width)) + MARGIN;
  const height = Math.max(...[...placed.values()].map(({ y }) => y + BOX.height)) + MARGIN;
  const size = `viewBox="0 0 ${String(width)} ${String(height)}" width="${String(width)}" height="${String(height)}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img">`,
    `  <title>${escaped(title)}</title>`,
    `  <style>${STYLE}  </style>`,
    '  <defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="head" d="M0 0L8 4L0 8z"/></marker></defs>',
    `  <rect class="page" width="${String(width)}" height="${String(height)}" rx="8"/>`,
    ...arrows.map((arrow) => arrowLine(arrow, find(arrow.from), find(arrow.to))),
    ...boxes.flatMap((box) => boxLines(box, find(box.id))),
    ...arrows.flatMap((arrow) => arrowLabel(arrow, find(arrow.from), find(arrow.to))),
    "</svg>",
    "",
  ].join("\n");
}

interface Placed {
  readonly x: number;
  readonly y: number;
}

function placedAt({ column, row }: DiagramBox): Placed {
  return { x: MARGIN + column * (BOX.width + GAP.x), y: MARGIN + row * (BOX.height + GAP.y) };
}

function boxLines({ kind, title, lines }: DiagramBox, { x, y }: Placed): readonly string[] {
  const middle = x + BOX.width / 2;
  const top = y + (BOX.height - 18 * (1 + lines.length)) / 2 + 14;
  return [
    `  <rect class="${kind}" x="${String(x)}" y="${String(y)}" width="${String(BOX.width)}" height="${String(BOX.height)}" rx="8"/>`,
    `  <text class="title" x="${String(middle)}" y="${String(top)}">${escaped(title)}</text>`,
    ...lines.map((line, index) => `  <text class="line" x="${String(middle)}" y="${String(top + 18 * (index + 1))}">${escaped(line)}</text>`),
  ];
}

interface Ends {
  readonly from: Placed;
  readonly to: Placed;
  readonly isAcross: boolean;
}

/** From side to side where the columns differ, otherwise from edge to edge. */
function endsOf(from: Placed, to: Placed): Ends {
  const isAcross = from.x !== to.x;
  const forward = isAcross ? to.x > from.x : to.y > from.y;
  const end = (box: Placed, isStart: boolean): Placed => {
    const far = isStart === forward;
    return isAcross ? { x: box.x + (far ? BOX.width : 0), y: box.y + BOX.height / 2 } : { x: box.x + BOX.width / 2, y: box.y + (far ? BOX.height : 0) };
  };
  return { from: end(from, true), to: end(to, false), isAcross };
}

function arrowLine(arrow: DiagramArrow, start: Placed, end: Placed): string {
  const { from, to, isAcross } = endsOf(start, end);
  const [middleX, middleY] = [(from.x + to.x) / 2, (from.y + to.y) / 2];
  const bend = isAcross ? `H${String(middleX)} V${String(to.y)} H${String(to.x)}` : `V${String(middleY)} H${String(to.x)} V${String(to.y)}`;
  return `  <path class="arrow${arrow.reads ? " reads" : ""}" d="M${String(from.x)} ${String(from.y)} ${bend}" marker-end="url(#head)"/>`;
}

function arrowLabel(arrow: DiagramArrow, start: Placed, end: Placed): readonly string[] {
  if (arrow.label === undefined) return [];
  const { from, to, isAcross } = endsOf(start, end);
  const y = isAcross && from.y === to.y ? from.y - 8 : (from.y + to.y) / 2 + 4;
  return [`  <text class="label" x="${String((from.x + to.x) / 2)}" y="${String(y)}">${escaped(arrow.label)}</text>`];
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
