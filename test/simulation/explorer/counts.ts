import { type Bounds, boundsText, less } from "./bounds.ts";
import type { End, Node } from "./explorer.ts";

/** How many different schedules begin at a world with so many faults and deaths left, by their end. */
export type Counts = { readonly [end in End]: number };

const NONE: Counts = { rest: 0, undecided: 0, reported: 0 };

export function countSchedules(root: Node, bounds: Bounds): Counts {
  const known = new Map<Node, Map<string, Counts>>();
  function count(node: Node, left: Bounds): Counts {
    const budget = boundsText(left);
    const ofNode = known.get(node) ?? new Map<string, Counts>();
    known.set(node, ofNode);
    const before = ofNode.get(budget);
    if (before) return before;
    let counts = node.end === null ? NONE : { ...NONE, [node.end]: 1 };
    for (const edge of node.edges.values()) {
      const after = less(left, edge);
      if (!after || edge.to === node) continue;
      const further = count(edge.to, after);
      counts = {
        rest: counts.rest + edge.ways.size * further.rest,
        undecided: counts.undecided + edge.ways.size * further.undecided,
        reported: counts.reported + edge.ways.size * further.reported,
      };
    }
    ofNode.set(budget, counts);
    return counts;
  }
  return count(root, bounds);
}
