import { expect, test } from "vitest";
import { diagramPicture } from "../../src/generate/diagram.ts";
import { DELIVERY, RECONCILING } from "../../src/generate/diagrams.ts";

const box = (id: string, column: number, row: number) => ({ id, column, row, title: `Box ${id}`, lines: ["a < b"], kind: "step" }) as const;

test("a diagram shows its boxes, lines and labels, with markup escaped", () => {
  const picture = diagramPicture({ title: "a & b", boxes: [box("a", 0, 0), box("b", 1, 1)], arrows: [{ from: "a", to: "b", label: "1 > 0", reads: true }] });
  expect(picture).toContain("<title>a &amp; b</title>");
  expect(picture).toContain(">Box b</text>");
  expect(picture).toContain(">a &lt; b</text>");
  expect(picture).toContain(">1 &gt; 0</text>");
  expect(picture).toMatch(/<path class="arrow reads" d="M226 54 H281 V190 H336" marker-end/);
});

test("an arrow to a box that does not exist is an error", () => {
  expect(() => diagramPicture({ title: "", boxes: [box("a", 0, 0)], arrows: [{ from: "a", to: "x" }] })).toThrow("no box x");
});

test.each([RECONCILING, DELIVERY])("the diagram '$title' refers to nothing outside of itself, and its boxes do not overlap", (diagram) => {
  const picture = diagramPicture(diagram);
  expect(picture.replace('xmlns="http://www.w3.org/2000/svg"', "")).not.toMatch(/https?:|href|@import|url\((?!#)/);
  for (const one of diagram.boxes)
    for (const other of diagram.boxes)
      if (one !== other) expect(Math.abs(one.column - other.column) >= 1 || Math.abs(one.row - other.row) >= 1, `${one.id}, ${other.id}`).toBe(true);
});
