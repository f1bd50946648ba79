import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";

const SOURCES = path.join(import.meta.dirname, "../../src");
/** `import … from`, `export … from`, types too, and `import(…)`, which lint's no-cycle does not follow. */
const IMPORT = /(?:\bfrom\s+|\bimport\s*\(?\s*)"(\.[^"]+)"/g;

type Graph = ReadonlyMap<string, readonly string[]>;

/** The first circle that leads from a file back to itself, for each file that is in one. */
function circles(graph: Graph): readonly string[] {
  return [...graph.keys()].flatMap((start) => {
    const trail = shortestWay(graph, start);
    // Named once, by its first file.
    return trail && trail.every((file) => file >= start) ? [[...trail, start].join(" → ")] : [];
  });
}

function shortestWay(graph: Graph, start: string): readonly string[] | null {
  const trails: (readonly string[])[] = [[start]];
  const seen = new Set<string>();
  for (const trail of trails) {
    for (const next of graph.get(trail.at(-1) ?? start) ?? []) {
      if (next === start) return trail;
      if (!seen.has(next)) trails.push([...trail, next]);
      seen.add(next);
    }
  }
  return null;
}

async function importsOfSources(): Promise<Graph> {
  const names = (await readdir(SOURCES, { recursive: true })).filter(
    (name) => name.endsWith(".ts") && !name.includes("generated"),
  );
  const entries = names.map(async (name) => {
    const text = await readFile(path.join(SOURCES, name), "utf8");
    return [
      name,
      [...text.matchAll(IMPORT)].map(([, to = ""]) => path.posix.join(path.posix.dirname(name), to)),
    ] as const;
  });
  return new Map(await Promise.all(entries));
}

test("no files import each other in a circle, neither for types nor when they are used", async () => {
  const graph = await importsOfSources();
  expect(graph.size).toBeGreaterThan(300);
  expect([...graph.values()].flat().length).toBeGreaterThan(1000);
  expect(circles(graph)).toEqual([]);
});

test("a circle is found, and shown", () => {
  const graph = new Map([
    ["a.ts", ["b.ts"]],
    ["b.ts", ["c.ts", "d.ts"]],
    ["c.ts", ["b.ts"]],
    ["d.ts", []],
  ]);
  expect(circles(graph)).toEqual(["b.ts → c.ts → b.ts"]);
});
