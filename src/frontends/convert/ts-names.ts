/** Words that no constant can be called, and what stands in the program already. */
const TAKEN =
  "App TerraformOutput TerraformStack TerraformVariable Construct WebhooksStack scope id app break case catch class const continue debugger default delete do else enum export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield await arguments eval";

/** Gives the constructs of a program names that no other has. */
export class TsNames {
  readonly #constants = new Set(TAKEN.split(" "));
  /** In the tree of constructs, what every object has counts as taken, and `Default` as no name. */
  readonly #ids = new Set(["Default", ...Object.getOwnPropertyNames(Object.prototype)]);

  /** A constant called as nearly as can be like `name`. */
  constant(name: string): string {
    const words = name.split(/[^\p{ID_Continue}]+|_+/u).filter((word) => word !== "");
    const base = words.map((word, index) => (index === 0 ? word : `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)).join("") || "it";
    return free(/^\p{ID_Start}/u.test(base) ? base : `_${base}`, this.#constants, "");
  }

  /** The id of a construct: its name, or where another construct has that, the name with its kind. */
  id(name: string, kind: string): string {
    return this.#ids.has(name) ? free(`${name}-${kind}`, this.#ids, "-") : free(name, this.#ids, "-");
  }
}

function free(wanted: string, taken: Set<string>, separator: string): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted}${separator}${String(number)}`;
  taken.add(name);
  return name;
}
