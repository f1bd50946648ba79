import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { configSchema } from "../../../src/frontends/yaml/configuration-form.ts";
import { validate } from "../../../src/frontends/yaml/generated/validate-config.js";
import { readYaml } from "../../../src/frontends/yaml/read-yaml.ts";
import { EDITOR_KEYWORDS } from "../../../src/generate/editor-schema.ts";
import { catalog } from "../../../src/service/resources/catalog.ts";
import { stackOf } from "../cdk/stack.ts";
import { checkConfiguration } from "./check-configuration.ts";

/*
 * The schemas, the reader and the messages know the same keys. Nothing here names a key: documents are made from the
 * schema, and what differs between them must differ in what the reader returns.
 */

interface Shape {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly allOf?: readonly { readonly then?: Shape }[];
  readonly items?: Shape;
  readonly properties?: { readonly [key: string]: Shape };
  readonly additionalProperties?: Shape | boolean;
  readonly $defs?: { readonly [name: string]: Shape };
}

type Step = string | number;
type Map = { readonly [key: string]: unknown };

const COMMITTED = JSON.parse(
  readFileSync(new URL("../../../schemas/config.schema.json", import.meta.url), "utf8"),
) as Shape;
const SCHEMA = configSchema(catalog) as Shape;
const isInEditors = new Ajv2020({ strict: false }).addVocabulary(EDITOR_KEYWORDS).compile(COMMITTED);
const isAccepted = (document: unknown): boolean => validate(document);
const NAMES = ["aa", "bb"];
const UNKNOWN_KEY = "zzz_no_such_key";

function resolved(shape: Shape): Shape {
  return shape.$ref === undefined ? shape : (SCHEMA.$defs?.[shape.$ref.replace("#/$defs/", "")] ?? {});
}

/** The schema, its alternatives, and what it says under conditions. */
function formsOf(shape: Shape): readonly Shape[] {
  const { anyOf = [], oneOf = [], allOf = [], ...own } = resolved(shape);
  const conditional = allOf.flatMap(({ then }) => (then ? [then] : []));
  return [own, ...[...anyOf, ...oneOf, ...conditional].flatMap(formsOf)];
}

interface Place {
  readonly path: readonly Step[];
  readonly shape: Shape;
}

/** Every map of the schema whose keys it names: it takes no others. */
function closedPlaces(shape: Shape, path: readonly Step[] = []): readonly Place[] {
  return formsOf(shape).flatMap((form): readonly Place[] => {
    const { properties = {}, additionalProperties: others, items } = form;
    return [
      ...(form.properties && typeof others !== "object" ? [{ path, shape: form }] : []),
      ...Object.entries(properties).flatMap(([key, one]) => closedPlaces(one, [...path, key])),
      ...(typeof others === "object" ? closedPlaces(others, [...path, NAMES[0] ?? ""]) : []),
      ...(items ? closedPlaces(items, [...path, 0]) : []),
    ];
  });
}

const TEXTS = [...NAMES, "50%", "10%", "1h", "2h", "https://aa.example.com", "https://bb.example.com", "cam_000001"];

/** Values of different kinds, of which the schema may accept some. */
function candidates(shape: Shape): readonly unknown[] {
  return formsOf(shape).flatMap((form): readonly unknown[] => {
    const { const: only, default: fallback, examples = [], properties, additionalProperties: others, items } = form;
    const types = [form.type ?? []].flat();
    const map = properties
      ? [
          ...(isBareAllowed(form) ? [minimal(form)] : []),
          ...Object.keys(properties).map((key) => ({ ...minimal(form), [key]: first(properties[key]) })),
        ]
      : [];
    return [
      ...(only === undefined ? [] : [only]),
      ...(fallback === undefined ? [] : [fallback]),
      ...(form.enum ?? []).slice(0, 3),
      ...examples,
      ...(types.includes("string") ? TEXTS : []),
      ...(types.includes("boolean") ? [true, false] : []),
      ...(types.includes("integer") || types.includes("number") ? [1, 2] : []),
      ...(items ? candidates(items).map((item) => [item]) : []),
      ...map,
      ...(typeof others === "object" ? NAMES.map((name) => ({ [name]: first(others) })) : []),
    ];
  });
}

function first(shape: Shape | undefined): unknown {
  return shape === undefined ? null : (candidates(shape)[0] ?? null);
}

function isBareAllowed({ required = [], minProperties = 0 }: Shape): boolean {
  return required.length >= minProperties;
}

/** A map with its required keys. */
function minimal({ required = [], properties = {} }: Shape): Map {
  return Object.fromEntries(required.map((key) => [key, first(properties[key])]));
}

/** A document with a value at a path, and the required keys around it. */
function documentWith(path: readonly Step[], value: unknown, shape: Shape = SCHEMA): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  const forms = formsOf(shape);
  if (typeof step === "number") {
    const list = forms.find(({ items }) => items !== undefined);
    return [documentWith(rest, value, list?.items ?? {})];
  }
  const map = forms.find(({ properties = {} }) => step in properties);
  const open = forms.find(({ additionalProperties: others }) => typeof others === "object");
  const inside = map?.properties?.[step] ?? open?.additionalProperties;
  return { ...(map ? minimal(map) : {}), [step]: documentWith(rest, value, typeof inside === "object" ? inside : {}) };
}

const named = (path: readonly Step[]): string => (path.length === 0 ? "the top level" : path.join("."));
const PLACES = [
  ...new Map(
    closedPlaces(SCHEMA).map((place) => [JSON.stringify([place.path, place.shape.properties]), place]),
  ).values(),
].map(({ path, shape }) => [named(path), path, shape] as const);

/** Every key of closed places, by its path. */
function keysIn(schema: Shape): readonly string[] {
  const places = closedPlaces(schema);
  return [
    ...new Set(
      places.flatMap(({ path, shape }) => Object.keys(shape.properties ?? {}).map((key) => [...path, key].join("."))),
    ),
  ].toSorted();
}

test("the committed schema, for editors, has the keys that the command takes, at every depth", () => {
  expect(keysIn(COMMITTED)).toEqual(keysIn(SCHEMA));
  expect([...new Set(PLACES.map(([, path]) => path.length))].toSorted()).toEqual([0, 1, 2, 3, 4]);
  expect(PLACES.length).toBeGreaterThan(30);
});

describe("a key that the schema does not have", () => {
  test.each(PLACES)(
    "is refused at its place in %s, by the editor's schema and by the command",
    async (_, path, shape) => {
      const inner = candidates(shape).find((value) => isAccepted(documentWith(path, value)));
      expect(inner, "a valid document").toBeDefined();
      const wrong = documentWith(path, { ...(inner as Map), [UNKNOWN_KEY]: 1 });
      expect(isInEditors(wrong)).toBe(false);
      const text = JSON.stringify(wrong, null, 2);
      const lines = text.split("\n");
      const line = lines.findIndex((one) => one.includes(UNKNOWN_KEY)) + 1;
      const column = (lines[line - 1] ?? "").indexOf('"') + 1;
      const folder = { config: "config", files: { "config/a.yaml": text, "config/b.yaml": "version: 1\n" } };
      for (const [file, { diagnostics }] of [
        ["outreach.yaml", await checkConfiguration(text)],
        ["config/a.yaml", await checkConfiguration("version: 1\n", folder)],
      ] as const)
        expect(diagnostics).toContainEqual(
          expect.objectContaining({
            severity: "error",
            code: "unknown_key",
            place: expect.objectContaining({ file, line, column }) as object,
          }),
        );
    },
  );

  const stacked = [
    ["the provider", { provider: { outreach: [{ [UNKNOWN_KEY]: 1 }] } }] as const,
    ...catalog.resources.map(({ type }) => [type, { resource: { [type]: { aa: { [UNKNOWN_KEY]: 1 } } } }] as const),
    ...catalog.dataSources.map(
      ({ type }) => [`data.${type}`, { data: { [type]: { aa: { [UNKNOWN_KEY]: 1 } } } }] as const,
    ),
  ];
  test.each(stacked)("is refused in a stack in %s", async (_, parts) => {
    const { diagnostics } = await checkConfiguration("", {
      config: "stack",
      files: { "stack/cdk.tf.json": stackOf(parts) },
    });
    expect(diagnostics).toContainEqual(
      expect.objectContaining({ severity: "error", detail: expect.stringContaining(UNKNOWN_KEY) as string }),
    );
  });
});

/** What the reader returns for a document, and says, without where. */
async function readingOf(document: unknown): Promise<string> {
  const sources = [{ file: "outreach.yaml", bytes: Buffer.from(JSON.stringify(document)) }];
  const { value, diagnostics } = readYaml(sources, { folder: "/work", catalog });
  const said = diagnostics.map(({ code, detail }) => [code, detail]);
  return inspect([value, said], { depth: Infinity, maxArrayLength: Infinity, maxStringLength: Infinity });
}

const KEYS = PLACES.flatMap(([, path, shape]) =>
  Object.entries(shape.properties ?? {})
    // A description is for readers of the file alone.
    .filter(([, { description }]) => description !== "Purpose, for readers.")
    // With one value, and required, nothing can differ.
    .filter(([key, one]) => !(shape.required?.includes(key) && resolved(one).const !== undefined))
    .map(([key, one]) => [named([...path, key]), { path, shape, key, one }] as const),
);

/** The other keys that a document may need, so that this one has a meaning: none, or one of them. */
function surroundings(shape: Shape, key: string): readonly Map[] {
  const others = Object.entries(shape.properties ?? {}).filter(([name]) => name !== key);
  const needed = Object.fromEntries(Object.entries(minimal(shape)).filter(([name]) => name !== key));
  return [
    needed,
    ...others.flatMap(([name, one]) =>
      candidates(one)
        .slice(0, 3)
        .map((value) => ({ ...needed, [name]: value })),
    ),
  ];
}

test.each(KEYS)("the reader reads %s", async (_, { path, shape, key, one }) => {
  const values = candidates(one);
  for (const around of surroundings(shape, key)) {
    const documents = [around, ...values.map((value) => ({ ...around, [key]: value }))]
      .map((inner) => documentWith(path, inner))
      .filter(isAccepted);
    const readings = new Set<string>();
    for (const document of documents) if (readings.add(await readingOf(document)).size > 1) return;
  }
  expect.fail(`No two valid documents that differ in ${key} alone are read as different configurations.`);
});
