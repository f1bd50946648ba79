/** A JSON Schema, or a part of one. */
export type JsonSchema = { readonly [keyword: string]: unknown };

export const TEXT = { type: "string" } as const;
export const TEXTS = { type: "array", items: TEXT } as const;
export const TEXT_OR_NULL = { type: ["string", "null"] } as const;
export const COUNT = { type: "integer", minimum: 0 } as const;

/** An object with exactly these members. */
export function record<P extends { readonly [name: string]: object }>(
  properties: P,
  optional: readonly (keyof P & string)[] = [],
) {
  return {
    type: "object",
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
    additionalProperties: false,
  } as const;
}

/** A list of such objects. */
export function recordsOf(properties: { readonly [name: string]: object }) {
  return { type: "array", items: record(properties) } as const;
}

export function orNull(schema: object) {
  return { anyOf: [schema, { type: "null" }] } as const;
}
