import { Ajv, type ValidateFunction } from "ajv";
import formats from "ajv-formats";
import description from "./github-api.json" with { type: "json" };
import type { RestAnswer, RestRequest } from "./rest-server.ts";

type Json = { readonly [name: string]: unknown };

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: object;
}

interface Operation {
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: { readonly [type: string]: { readonly schema: object } } };
  readonly responses: {
    readonly [status: string]: {
      readonly $ref?: string;
      readonly content?: { readonly [type: string]: { readonly schema: object } };
    };
  };
}

const ajv = new Ajv({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema(withNull(description) as object, "github");

const compiled = new Map<object, ValidateFunction>();

/** Checks a request and its answer against GitHub's published OpenAPI description. Returns what does not match. */
export function checkGithub(request: RestRequest, answer: RestAnswer): readonly string[] {
  const name = `${request.method} ${request.url.pathname}`;
  const found = operationOf(request);
  if (!found) return [`${name} is not in the description`];
  const { operation, named } = found;
  const parameters = (operation.parameters ?? []).map((one) =>
    "$ref" in one ? (at(one.$ref) as unknown as Parameter) : one,
  );
  const given = [
    ...named.map((one) => ({ ...one, in: "path" })),
    ...[...request.url.searchParams].map(([key, value]) => ({ name: key, value, in: "query" })),
  ];
  const problems = given.flatMap(({ name: key, value, in: place }) => {
    const parameter = parameters.find((one) => one.name === key && one.in === place);
    if (!parameter) return [`${key} is not a parameter`];
    const isNumber = (parameter.schema as { readonly type?: string }).type === "integer";
    return mismatches(parameter.schema, isNumber ? Number(value) : value).map((text) => `${key}: ${text}`);
  });
  const body = operation.requestBody?.content["application/json"]?.schema;
  const wrong = body ? mismatches(body, request.body) : request.body === undefined ? [] : ["has a body"];
  const response = operation.responses[String(answer.status)];
  const described = response?.$ref === undefined ? response : (at(response.$ref) as typeof response);
  const content = described?.content?.["application/json"]?.schema;
  const unlike = content ? mismatches(content, answer.json) : [];
  return [
    ...problems,
    ...wrong.map((text) => `request ${text}`),
    ...unlike.map((text) => `answer ${String(answer.status)} ${text}`),
  ].map((text) => `${name}: ${text}`);
}

function operationOf({ method, url }: RestRequest): {
  readonly operation: Operation;
  readonly named: readonly { readonly name: string; readonly value: string }[];
} | null {
  for (const [template, methods] of Object.entries(description.paths)) {
    const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
    const match = new RegExp(`^${template.replaceAll(/\{\w+\}/g, "([^/]+)")}$`).exec(url.pathname);
    const operation = (methods as { readonly [method: string]: unknown })[method.toLowerCase()];
    if (match && operation)
      return {
        operation: operation as Operation,
        named: names.map((name, index) => ({ name, value: decodeURIComponent(match[index + 1] ?? "") })),
      };
  }
  return null;
}

function mismatches(schema: object, value: unknown): readonly string[] {
  const validate = compiled.get(schema) ?? ajv.compile(absolute(withNull(schema)) as object);
  compiled.set(schema, validate);
  return validate(value)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message = "" }) => `${instancePath} ${message}`);
}

/** The same schema, whose references lead into the description. */
function absolute(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(absolute);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) =>
      name === "$ref" && typeof inner === "string" ? [name, inner.replace(/^#/, "github#")] : [name, absolute(inner)],
    ),
  );
}

/** JSON Schema's way to say that a value may be null. */
function withNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNull);
  if (typeof value !== "object" || value === null) return value;
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withNull(inner)]),
  );
  return nullable === true ? { anyOf: [rest, { type: "null" }] } : rest;
}

function at(reference: string): Json {
  return reference
    .split("/")
    .slice(1)
    .reduce<Json>((value, name) => value[name] as Json, description);
}
