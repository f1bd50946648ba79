import type { CdkLanguage } from "./cdk-language.ts";
import { uniqueName } from "./segments.ts";

/** Assigns unique names to the constructs of a program. */
export class CdkNames {
  readonly #language: CdkLanguage;
  readonly #constants: Set<string>;
  /** The properties of every object are reserved in the construct tree, and `Default` is not a name. */
  readonly #ids = new Set(["Default", ...Object.getOwnPropertyNames(Object.prototype)]);

  constructor(language: CdkLanguage, classes: readonly string[]) {
    this.#language = language;
    this.#constants = new Set([...language.taken, ...classes]);
  }

  /** A constant with a name close to `name`. */
  constant(name: string): string {
    const base = this.#language.constantName(name) || "it";
    return uniqueName(/^\p{ID_Start}/u.test(base) ? base : `_${base}`, this.#constants, "");
  }

  /** The id of a construct: its name, with its kind if another construct has that name. */
  id(name: string, kind: string): string {
    return this.#ids.has(name) ? uniqueName(`${name}-${kind}`, this.#ids, "-") : uniqueName(name, this.#ids, "-");
  }
}
