import { compareText } from "../core/model/value.ts";
import { type Attribute, type Schema, type Type, attributesOf } from "../core/model/attribute.ts";
import { describedAttribute } from "../frontends/terraform/wire/wire-schema.ts";
import { code } from "./markdown.ts";

const WRITE_ONLY = "[Write-only](https://developer.hashicorp.com/terraform/language/resources/ephemeral#write-only-arguments)";

/** The effect of a changed attribute, if the page mentions it. */
export type OnChange = (name: string, attribute: Attribute) => string;

/** The section Schema of a registry page: required, optional and read-only attributes, and nested schemas. */
export function schemaSection(schema: Schema, onChange: OnChange = () => ""): readonly string[] {
  return ["## Schema", "", ...attributeLists(schema, { above: [], onChange })];
}

/** One line per attribute, as in the section Schema. */
export function attributeItems(schema: Schema): readonly string[] {
  return Object.entries(schema).map(([name, attribute]) => item(name, attribute, { above: [], onChange: () => "" }));
}

interface Inside {
  /** The attributes that lead to this schema. */
  readonly above: readonly string[];
  readonly onChange: OnChange;
}

function attributeLists(schema: Schema, inside: Inside): readonly string[] {
  const attributes = attributesOf(schema, "terraform").toSorted(([a], [b]) => compareText(a, b));
  const heading = inside.above.length === 0 ? (title: string) => `### ${title}` : (title: string) => `${title}:`;
  const ofModes = (title: string, modes: readonly Attribute["mode"][]): readonly string[] => {
    const of = attributes.filter(([, { mode }]) => modes.includes(mode));
    return of.length === 0 ? [] : [heading(title), "", ...of.map(([name, attribute]) => item(name, attribute, inside)), ""];
  };
  return [
    ...ofModes("Required", ["required"]),
    ...ofModes("Optional", ["optional", "optional-computed"]),
    ...ofModes("Read-Only", ["computed"]),
    ...attributes.flatMap(([name, { type }]) => nestedSection(name, type, inside)),
  ];
}

function item(name: string, attribute: Attribute, { above, onChange }: Inside): string {
  const { type, sensitive, writeOnly } = attribute;
  const kind = [typeName(type), ...(sensitive ? ["Sensitive"] : []), ...(writeOnly ? [WRITE_ONLY] : [])].join(", ");
  const words = [
    describedAttribute(attribute),
    onChange(name, attribute),
    ...(nestedSchema(type) ? [`(see [below for nested schema](#${anchor([...above, name])}))`] : []),
  ];
  return `- ${code(name)} (${kind}) ${words.filter((word) => word !== "").join(" ")}`;
}

function nestedSection(name: string, type: Type, inside: Inside): readonly string[] {
  const nested = nestedSchema(type);
  if (!nested) return [];
  const above = [...inside.above, name];
  return [`<a id="${anchor(above)}"></a>`, `### Nested Schema for ${code(above.join("."))}`, "", ...attributeLists(nested, { ...inside, above })];
}

function anchor(path: readonly string[]): string {
  return `nestedatt--${path.join("--")}`;
}

function nestedSchema(type: Type): Schema | null {
  if (typeof type === "string") return null;
  return "object" in type ? type.object : nestedSchema(type.list);
}

/** The registry's name of a type. */
export function typeName(type: Type): string {
  if (type === "bool") return "Boolean";
  if (type === "string") return "String";
  if (type === "number") return "Number";
  if ("object" in type) return "Attributes";
  return nestedSchema(type) ? "Attributes List" : `List of ${typeName(type.list)}`;
}
