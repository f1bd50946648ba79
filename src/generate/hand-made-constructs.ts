import { readFile } from "node:fs/promises";
import { eventTypeConstants } from "./event-catalogue.ts";

export const FLAVOURS = ["cdktf", "cdktn"] as const;
export type Flavour = (typeof FLAVOURS)[number];

/** The hand-made sources, by their paths in `lib/`. Users can import only an `index.ts`. */
const SOURCES: ReadonlyMap<string, string> = new Map([
  ["fan-out.ts", "frontends/constructs/fan-out.ts"],
  ["literal-checks.ts", "frontends/constructs/literal-checks.ts"],
  ["suppression-list/address-list.ts", "frontends/yaml/address-list.ts"],
  ["suppression-list/email-address.ts", "service/api/email-address.ts"],
  ["suppression-list/file-text.ts", "frontends/yaml/file-text.ts"],
  ["suppression-list/index.ts", "frontends/constructs/suppression-list.ts"],
  ["webhook-set/index.ts", "frontends/constructs/webhook-set.ts"],
]);

/** The flavour that the sources are written for, and the path of its constructs. */
const WRITTEN_FOR: Flavour = "cdktn";

/** The hand-made constructs and the constants for a flavour, by path in `lib/`. */
export async function handMadeConstructs(flavour: Flavour): Promise<ReadonlyMap<string, string>> {
  const files = [...SOURCES].map(async ([file, source]) => {
    const text = await readFile(new URL(`../${source}`, import.meta.url), "utf8");
    const toLib = file.includes("/") ? "../" : "./";
    const adapted = text
      .replaceAll(`"${WRITTEN_FOR}"`, `"${flavour}"`)
      .replaceAll(`./generated/${WRITTEN_FOR}/lib/`, toLib)
      .replaceAll(/(?<=from "\.\/[\w-]+)\.ts(?=")/g, "");
    return [file, `// made from src/${source}\n${adapted}`] as const;
  });
  return new Map([...(await Promise.all(files)), ["event-type/index.ts", eventTypeConstants()]]);
}

/** Their lines in the index of all constructs. */
export const HAND_MADE_EXPORTS = ["event-type", "suppression-list", "webhook-set"]
  .map((folder) => `export * as ${folder.replace(/-(\w)/, (_, letter: string) => letter.toUpperCase())} from './${folder}/index';\n`)
  .join("");
