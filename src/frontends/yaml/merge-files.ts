import { type Diagnostic, type Place, errorOf } from "../../core/model/diagnostic.ts";
import type { ConfigFile } from "./config-file.ts";
import type { Form, Keys } from "./form.ts";
import { type Tree, isTree, treeAt } from "./plain-values.ts";

/** Names and settings that more than one file declares: each an error that names both places. */
export function declaredInTwoFiles(files: readonly ConfigFile[], { keys = {} }: Form): readonly Diagnostic[] {
  const once = Object.keys(keys).filter((key) => !keys[key]?.namesHint && !keys[key]?.isShared);
  return [
    ...namedIn(keys).flatMap((path) =>
      repeated(files, path).map((found) =>
        twice(found, "is declared", "Remove one of the two, or give it another name."),
      ),
    ),
    ...repeated(files, [], once).map((found) => twice(found, "is given", "Keep it in one file.")),
  ];
}

/** The paths of the maps of names. */
function namedIn(keys: Keys): readonly (readonly string[])[] {
  return Object.entries(keys).flatMap(([key, form]) =>
    form.namesHint ? [[key]] : form.isShared ? namedIn(form.keys ?? {}).map((path) => [key, ...path]) : [],
  );
}

interface Repeated {
  readonly path: readonly string[];
  readonly first: Place;
  readonly second: Place;
}

function repeated(
  files: readonly ConfigFile[],
  path: readonly string[],
  only?: readonly string[],
): readonly Repeated[] {
  const firsts = new Map<string, ConfigFile>();
  return files.flatMap((file) =>
    Object.keys(treeAt(file.root, path)).flatMap((name): readonly Repeated[] => {
      if (only && !only.includes(name)) return [];
      const first = firsts.get(name);
      firsts.set(name, first ?? file);
      return first
        ? [
            {
              path: [...path, name],
              first: first.parsed.locateKey([...path, name]),
              second: file.parsed.locateKey([...path, name]),
            },
          ]
        : [];
    }),
  );
}

function twice({ path, first, second }: Repeated, what: string, hint: string): Diagnostic {
  return errorOf("declared_in_two_files", "Declared in two files", {
    detail: `${path.join(".")} ${what} in ${placeText(first)} and in ${placeText(second)}.`,
    hint,
    path,
    place: second,
  });
}

function placeText({ file, line, column }: Place): string {
  return [file, line, column].filter((part) => part !== undefined).join(":");
}

/** A block as declared, and whether the schema accepts it. */
export interface DeclaredBlock {
  readonly body: Tree;
  readonly isSound: boolean;
}

/** The blocks below a path in all files. */
export interface DeclaredBlocks {
  readonly byName: ReadonlyMap<string, DeclaredBlock>;
  /** The blocks' names, by the `name` that each looks up. */
  readonly byTitle: ReadonlyMap<string, string>;
}

export function blocksIn(files: readonly ConfigFile[], path: readonly string[]): DeclaredBlocks {
  const byName = new Map(
    files.flatMap((file) =>
      Object.entries(treeAt(file.root, path)).map(([name, body]) => {
        const isMap = isTree(body);
        return [name, { body: isMap ? body : {}, isSound: isMap && !file.isRefused([...path, name]) }] as const;
      }),
    ),
  );
  const titles = [...byName].flatMap(([block, { body }]) =>
    typeof body["name"] === "string" ? [[body["name"], block] as const] : [],
  );
  return { byName, byTitle: new Map(titles) };
}
