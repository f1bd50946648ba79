/** A map of a parsed file. */
export type Tree = { readonly [key: string]: unknown };

export function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The map at a path; an empty one where there is none. */
export function treeAt(root: unknown, path: readonly string[]): Tree {
  const found = path.reduce<unknown>((tree, key) => (isTree(tree) && Object.hasOwn(tree, key) ? tree[key] : undefined), root);
  return isTree(found) ? found : {};
}
