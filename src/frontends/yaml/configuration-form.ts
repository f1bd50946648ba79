import { type Attribute, attributesOf } from "../../core/model/attribute.ts";
import type { Argument } from "../../core/config/block.ts";
import { definitionOf } from "../../core/config/round.ts";
import type { Catalog } from "../../core/model/definition.ts";
import { type IgnorableWarning, PROTECTED_WARNINGS } from "../../core/model/ignored-warnings.ts";
import {
  type Form,
  type JsonSchema,
  type Keys,
  SECRET,
  type Entry,
  anyText,
  choice,
  flag,
  list,
  listOfText,
  map,
  named,
  number,
  orExpression,
  orOne,
  secret,
  shared,
  template,
} from "./form.ts";
import { isTree } from "./plain-values.ts";
import { type FanOutKey, SECTIONS, type Section } from "./sections.ts";
import { NAMES, NOTICES, SETTINGS, STATEMENTS } from "./settings-form.ts";
import { sourcesForm } from "./value-sources.ts";

/** The form of the whole file, with the blocks of the definitions. */
export function configurationForm(catalog: Catalog): Form {
  const blocksOf = (sections: readonly Section[]): Keys =>
    Object.fromEntries(sections.map((section) => [section.path.at(-1) ?? "", blocksForm(section, catalog)]));
  return map(
    {
      version: shared({
        schema: { const: 1, description: "Version of this format: 1." },
        kind: "`1`",
        read: Number,
      }),
      ...SETTINGS,
      data: shared(
        map(blocksOf(SECTIONS.filter(({ path }) => path[0] === "data")), {
          docs: "Objects of the service to look up. outreach only reads them.",
        }),
      ),
      ...blocksOf(SECTIONS.filter(({ path }) => path.length === 1)),
      ...STATEMENTS,
      ignore: ignoreForm(
        catalog.ignorable ?? [],
        "Codes of warnings and findings that are not shown, as they have them in brackets.",
      ),
      ...NOTICES,
    },
    { required: ["version"], missingHint: "Begin it with version: 1, and declare a webhook under webhooks." },
  );
}

/** The JSON Schema of a configuration: editors complete from it, and the command's validator is made from it. */
export function configSchema(catalog: Catalog): JsonSchema {
  const { properties, required, ...form } = configurationForm(catalog).schema;
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "https://outreach-as-code.example/schemas/config.schema.json",
    title: "outreach configuration",
    ...form,
    required,
    properties,
    $defs: { secret: SECRET.schema },
  };
}

/** Settings of every block with a fan-out, in addition to its keys. */
export const FAN_OUT_SETTINGS = {
  allow_empty: flag({
    default: false,
    docs: "Whether to allow an empty list or filter. Otherwise it is an error.",
  }),
  prune: flag({
    default: false,
    docs: "Whether to drop the instances of a campaign that leaves the filter: outreach deletes webhooks, but keeps the records of unsubscriptions, and sends nothing for them. Otherwise the instances stay, with a note.",
  }),
};

/** The codes that a file, or a block, silences. */
export function ignoreForm(ignorable: readonly IgnorableWarning[], docs: string): Form<readonly Entry<string>[]> {
  const code = choice(
    ignorable.map((one) => one.code),
    {},
  );
  return list(
    {
      ...code,
      ...(ignorable.length > MANY ? { plural: "[codes](#ignore)" } : {}),
      problem: (_, __, given) => protectedWarning(String(given)),
    },
    { docs, examples: [["webhook_without_secret"]] },
  );
}

function protectedWarning(code: string): ReturnType<NonNullable<Form["problem"]>> {
  if (!Object.hasOwn(PROTECTED_WARNINGS, code)) return undefined;
  return {
    code: "ignore_protected",
    summary: "A warning that cannot be ignored",
    detail: `${code} protects the objects of this configuration. ${PROTECTED_WARNINGS[code] ?? ""}`,
    hint: "Remove it from ignore. The warning itself says how to end it.",
  };
}

/** The blocks of a section, by their names. */
function blocksForm(section: Section, catalog: Catalog): Form {
  return {
    ...named(blockForm(section, catalog), { ...NAMES, docs: section.docs }),
    typeHint: (given) =>
      Array.isArray(given) ? "Give each entry a name in place of the dash, and indent its keys below it." : null,
  };
}

/** An attribute of a block, and the keys that give it. */
export interface AttributeForm {
  readonly name: string;
  readonly attribute: Attribute;
  /** The value of its own key. */
  readonly form: Form<Argument>;
  readonly fan: FanOutKey | undefined;
  /** Its own key, its short form, and the keys of its fan-out. */
  readonly keys: Keys;
}

/** The attributes that the blocks of a section may set. */
export function attributeForms(section: Section, catalog: Catalog): readonly AttributeForm[] {
  const given = attributesOf(definitionOf(section, catalog).schema, "yaml");
  return given.flatMap(([name, attribute]): readonly AttributeForm[] => {
    if (attribute.mode === "computed") return [];
    const fan = section.fanOut?.find((one) => one.attribute === name);
    const form = argumentForm(withEach(name, attribute, section));
    const keys = { [name]: form, ...shortForm(attribute), ...(fan ? listForms(fan, attribute) : {}) };
    return [{ name, attribute, form, fan, keys }];
  });
}

/** A block: its attributes, and its settings. */
function blockForm(section: Section, catalog: Catalog): Form {
  const { fanOut = [], mode, type } = section;
  const attributes = attributeForms(section, catalog);
  const own = (catalog.ignorable ?? []).filter(({ types = [] }) => types.includes(type));
  const keys: Keys = {
    ...Object.fromEntries(attributes.flatMap((one) => Object.entries(one.keys))),
    ...(fanOut.length > 0 ? FAN_OUT_SETTINGS : {}),
    ...(mode === "data" || own.length === 0
      ? {}
      : { ignore: ignoreForm(own, "Codes of warnings and findings about this block that are not shown.") }),
  };
  return map(
    Object.fromEntries(
      Object.entries(keys).map(([key, form]) => [
        key,
        { ...form, typeHint: (given: unknown) => meantIn(section, key, given) },
      ]),
    ),
    {
      docs: definitionOf(section, catalog).docs,
      // If other keys can set it too, the check of the definitions reports it as missing.
      required: attributes.flatMap(({ name, attribute, keys: ways }) =>
        attribute.mode === "required" && Object.keys(ways).length === 1 ? [name] : [],
      ),
    },
  );
}

function meantIn({ fanOut }: Section, key: string, given: unknown): string | null {
  if (Array.isArray(given)) {
    const fan = fanOut?.find((one) => one.attribute === key || one.key === `${key}s`);
    return fan ? `For a list, write ${fan.key} in place of ${key}.` : null;
  }
  return isTree(given) && ["env", "file", "command"].some((source) => Object.hasOwn(given, source))
    ? "Only secrets have env, file and command. Declare a variable, and refer to it as in ${var.NAME}."
    : null;
}

function withEach(name: string, attribute: Attribute, { each }: Section): Attribute {
  if (!each?.attributes.includes(name)) return attribute;
  const { docs, examples = [] } = attribute;
  const more = each.examples[name];
  return {
    ...attribute,
    docs: `${docs} ${each.docs}`,
    ...(more === undefined ? {} : { examples: [...examples, more] }),
  };
}

const EXPRESSION = "\\$\\{";

/** A value of the attribute's type, or an expression. */
function argumentForm({ type, mode, docs, sensitive, oneOf, examples, ...rest }: Attribute): Form<Argument> {
  if (sensitive) return secret({ docs });
  // The meaning of an absent value.
  const absent = mode === "required" ? null : (rest.default ?? rest.canonical?.(null) ?? null);
  const said = { docs, ...(absent === null ? {} : { default: absent }), ...(examples ? { examples } : {}) };
  if (oneOf) return orExpression(words(oneOf), said);
  if (type === "string") return template(anyText(said));
  if (type === "bool") return orExpression(flag({}), { ...said, pattern: EXPRESSION });
  if (type === "number") return orExpression(number({}), { ...said, pattern: EXPRESSION });
  if (typeof type === "object" && "list" in type && type.list === "string") return listOfText(anyText({}), said);
  throw new Error("only plain attributes and lists of text can be configured so far");
}

/** The words of a choice. The reference links to the page of event types, which are many. */
function words(oneOf: readonly string[]): Form {
  const form = choice(oneOf, {});
  return oneOf.length > MANY
    ? { ...form, kind: "[an event type](events.md)", plural: "[event types](events.md)" }
    : form;
}

const MANY = 8;

function shortForm({ refersTo }: Attribute): Keys {
  return refersTo
    ? { [refersTo.yaml]: anyText({ docs: `Name of a block under data.${refersTo.yaml}, instead of the id.` }) }
    : {};
}

/** The keys that set several values of an attribute. */
function listForms({ key, docs, filter, from }: FanOutKey, { oneOf, examples = [] }: Attribute): Keys {
  const item = oneOf ? orExpression(words(oneOf), {}) : anyText({});
  const listed = listOfText(item, filter ? { docs } : { docs, examples: [examples] });
  return {
    [key]: filter ? orOne(listed, anyText({})) : listed,
    ...(from ? { [from.key]: sourcesForm(from) } : {}),
  };
}
