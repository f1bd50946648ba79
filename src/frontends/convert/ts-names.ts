/** Reserved words, and names that the program already uses. */
const TAKEN =
  "App TerraformOutput TerraformStack TerraformVariable Construct WebhooksStack WebhookSet SuppressionList EventType scope id app break case catch class const continue debugger default delete do else enum export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield await arguments eval";

/** Assigns unique names to the constructs of a program. */
export class TsNames {
  readonly #constants = new Set(TAKEN.split(" "));
  /** The properties of every object are reserved in the construct tree, and `Default` is not a name. */
  readonly #ids = new Set(["Default", ...Object.getOwnPropertyNames(Object.prototype)]);

  /** A constant with a name close to `name`. */
  constant(name: string): string {
    const words = name.split(/[^\p{ID_Continue}]+|_+/u).filter((word) => word !== "");
    const base = words.map((word, index) => (index === 0 ? word : `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)).join("") || "it";
    return free(/^\p{ID_Start}/u.test(base) ? base : `_${base}`, this.#constants, "");
  }

  /** The id of a construct: its name, with its kind if another construct has that name. */
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
