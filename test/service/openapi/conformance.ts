import Ajv2020 from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { readFileSync } from "node:fs";

/** A sent request; `target` is the path and the query, relative to the base address. */
export type SentRequest = {
  readonly method: string;
  readonly target: string;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  /** The parsed body; null if the request has none. */
  readonly body: unknown;
};

export type ReceivedResponse = {
  readonly status: number;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  readonly text: string;
};

type Json = { readonly [name: string]: unknown };
type Media = { readonly schema: Json; readonly examples?: Json };
type Parameter = {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required?: boolean;
  readonly explode?: boolean;
  readonly schema: Json;
};
type Response = {
  readonly headers: { readonly [name: string]: Json };
  readonly content: { readonly [type: string]: Media };
};
type Operation = {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: { readonly [type: string]: Media } };
  readonly responses: { readonly [status: string]: Json };
};
type Located<T> = { readonly value: T; readonly pointer: string };

/** The document, as its file has it. */
export const SERVICE_OPEN_API = JSON.parse(
  readFileSync(new URL("../../../schemas/service.openapi.json", import.meta.url), "utf8"),
) as Json;
/** A copy of the document that allows no undocumented properties. */
const DOCUMENT = closed(SERVICE_OPEN_API) as Json & {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } };
};
const SUCCESS = ["200", "2XX"];

const ajv = new Ajv2020.default({ strict: true, allErrors: true, strictTypes: false, strictRequired: false });
addFormats.default(ajv);
ajv.addVocabulary([
  ...new Set([...Object.keys(DOCUMENT), "x-not-shown", "x-enumDescriptions", "x-categories", "x-removed"]),
]);
ajv.addSchema(DOCUMENT, "service");

/** Every operation of the document, with its method and path. */
export const OPERATIONS = Object.entries(DOCUMENT.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, { operationId, parameters = [] }]) => ({
    operationId,
    method: method.toUpperCase(),
    path,
    query: parameters.flatMap((parameter) => (parameter.in === "query" ? [parameter.name] : [])),
  })),
);

/** The parameters of paths, with values that the sandbox's seed knows. */
const KNOWN: { readonly [parameter: string]: string } = {
  hookId: "hoo_000001",
  campaignId: "cam_000001",
  userMailboxId: "usm_000001",
  email: "ada@example.com",
};

/** A request for every operation. */
export const REQUESTS = OPERATIONS.map(({ method, path, ...operation }) => ({
  ...operation,
  method,
  path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(KNOWN[name] ?? name)),
}));

/** The operation of a request; null if the document has none. */
export function operationOf({ method, target }: Pick<SentRequest, "method" | "target">): string | null {
  return locate(method, pathOf(target))?.operation.value.operationId ?? null;
}

/** The differences between a request and the document. */
export function requestProblems(request: SentRequest): readonly string[] {
  const found = locate(request.method, pathOf(request.target));
  if (!found) return [`${request.method} ${pathOf(request.target)}: no such operation`];
  const { operation, params } = found;
  const parameters = (operation.value.parameters ?? []).map((value, index) => ({
    value,
    pointer: `${operation.pointer}/parameters/${String(index)}`,
  }));
  return [
    ...parameters
      .filter(({ value }) => value.in === "path")
      .flatMap(({ value, pointer }) => textProblems(params[value.name] ?? "", `${pointer}/schema`, value.name)),
    ...queryProblems(
      new URLSearchParams(request.target.split("?")[1] ?? ""),
      parameters.filter(({ value }) => value.in === "query"),
    ),
    ...headerProblems(request, operation),
    ...bodyProblems(request, operation),
  ];
}

/** The differences between an answer to `request` and the document. */
export function responseProblems(
  request: Pick<SentRequest, "method" | "target">,
  response: ReceivedResponse,
): readonly string[] {
  const found = locate(request.method, pathOf(request.target));
  if (!found) return [`${request.method} ${pathOf(request.target)}: no such operation`];
  const documented = responseOf(found.operation, response.status);
  const type = String(response.headers["content-type"]).split(";")[0] ?? "";
  if (!documented.value.content[type]) return [`${String(response.status)} as ${type} is not documented`];
  const headers = Object.keys(documented.value.headers).flatMap((name) => {
    const value = response.headers[name.toLowerCase()];
    return value === undefined ? [] : textProblems(String(value), `/components/headers/${name}/schema`, name);
  });
  const body = type === "application/json" ? parse(response.text) : response.text;
  return [...headers, ...valueProblems(body, `${documented.pointer}/content/${escape(type)}/schema`, "body")];
}

/** The documented failure messages of an operation with this status; a range contains every operation's messages. */
export function documentedMessages(operationId: string, status?: number): readonly string[] {
  const at = OPERATIONS.find((one) => one.operationId === operationId);
  if (!at) throw new Error(`${operationId} is no operation of the document`);
  const operation = {
    value: DOCUMENT.paths[at.path]?.[at.method.toLowerCase()] as Operation,
    pointer: `/paths/${escape(at.path)}/${at.method.toLowerCase()}`,
  };
  const keys =
    status === undefined
      ? Object.keys(operation.value.responses).filter((key) => !SUCCESS.includes(key))
      : [responseKey(operation.value, status)];
  const examples = keys.flatMap((key) =>
    Object.values(
      (resolve(operation.value.responses[key] as Json, operation.pointer).value as Response).content,
    ).flatMap((media) => Object.values(media.examples ?? {})),
  );
  return [...new Set(examples.map((example) => resolve(example as Json, "").value["value"] as string))];
}

/** The names of the properties of the schema with this name. */
export function propertiesOf(schema: string): readonly string[] {
  const { components } = DOCUMENT as unknown as {
    readonly components: { readonly schemas: { readonly [name: string]: { readonly properties: object } } };
  };
  return Object.keys(components.schemas[schema]?.properties ?? {});
}

/** The differences between a value and the schema with this name. */
export function schemaProblems(schema: string, value: unknown): readonly string[] {
  return valueProblems(value, `/components/schemas/${schema}`, schema);
}

/** The differences between the body of a callback and the document's webhook with this name. */
export function webhookProblems(name: string, body: unknown): readonly string[] {
  return valueProblems(body, `/webhooks/${escape(name)}/post/requestBody/content/application~1json/schema`, "");
}

function locate(
  method: string,
  path: string,
): { readonly operation: Located<Operation>; readonly params: { readonly [name: string]: string } } | null {
  for (const [template, item] of Object.entries(DOCUMENT.paths)) {
    const params = matchPath(template.split("/"), path.split("/"));
    const operation = item[method.toLowerCase()];
    if (params && operation)
      return { operation: { value: operation, pointer: `/paths/${escape(template)}/${method.toLowerCase()}` }, params };
  }
  return null;
}

function matchPath(
  template: readonly string[],
  segments: readonly string[],
): { readonly [name: string]: string } | null {
  const isParam = (part: string): boolean => part.startsWith("{");
  const matches =
    template.length === segments.length &&
    template.every((part, index) => (isParam(part) ? segments[index] !== "" : part === segments[index]));
  return matches
    ? Object.fromEntries(
        template.flatMap((part, index) =>
          isParam(part) ? [[part.slice(1, -1), decodeURIComponent(segments[index] ?? "")]] : [],
        ),
      )
    : null;
}

function queryProblems(query: URLSearchParams, parameters: readonly Located<Parameter>[]): readonly string[] {
  const names = [...query.keys()];
  const free = parameters.find(({ value }) => value.explode === true && value.schema["type"] === "object");
  return [
    ...names.filter((name, index) => names.indexOf(name) !== index).map((name) => `query ${name}: given twice`),
    ...parameters
      .filter(({ value }) => value.required === true && !query.has(value.name))
      .map(({ value }) => `query ${value.name}: missing`),
    ...names.flatMap((name) => {
      const parameter = parameters.find(({ value }) => value.name === name);
      if (parameter && parameter !== free)
        return textProblems(query.get(name) ?? "", `${parameter.pointer}/schema`, `query ${name}`);
      return free
        ? valueProblems({ [name]: query.get(name) }, `${free.pointer}/schema`, "query")
        : [`query ${name}: not documented`];
    }),
  ];
}

function headerProblems({ headers }: SentRequest, operation: Located<Operation>): readonly string[] {
  const encoded = /^Basic ([A-Za-z0-9+/]+={0,2})$/.exec(String(headers["authorization"]))?.[1] ?? "";
  const [login, ...password] = Buffer.from(encoded, "base64").toString("utf8").split(":");
  const offered = SUCCESS.flatMap((key) =>
    Object.keys((operation.value.responses[key] as Response | undefined)?.content ?? {}),
  );
  const accept = String(headers["accept"] ?? "*/*");
  return [
    ...(login === "" && password.join(":") !== ""
      ? []
      : ["header authorization: not Basic with an empty login and a key"]),
    ...(accept === "*/*" || offered.some((type) => accept.includes(type))
      ? []
      : [`header accept: ${accept} is not offered`]),
  ];
}

function bodyProblems({ headers, body }: SentRequest, operation: Located<Operation>): readonly string[] {
  const { requestBody } = operation.value;
  if (body === null) return requestBody?.required === true ? ["body: missing"] : [];
  if (!requestBody) return ["body: not documented"];
  const type = String(headers["content-type"]).split(";")[0] ?? "";
  return requestBody.content[type]
    ? valueProblems(body, `${operation.pointer}/requestBody/content/${escape(type)}/schema`, "body")
    : [`body: ${type} is not documented`];
}

function responseKey(operation: Operation, status: number): string {
  return (
    [String(status), `${String(status)[0] ?? ""}XX`, "default"].find((key) => operation.responses[key]) ?? "default"
  );
}

function responseOf(operation: Located<Operation>, status: number): Located<Response> {
  const key = responseKey(operation.value, status);
  return resolve(operation.value.responses[key] as Json, `${operation.pointer}/responses/${key}`) as Located<Response>;
}

/** Converts text to its schema's type where possible. */
function textProblems(text: string, pointer: string, place: string): readonly string[] {
  const { type } = at(pointer);
  if (type === "integer") return valueProblems(/^-?\d+$/.test(text) ? Number(text) : text, pointer, place);
  if (type === "boolean")
    return valueProblems(text === "true" ? true : text === "false" ? false : text, pointer, place);
  return valueProblems(text, pointer, place);
}

function valueProblems(value: unknown, pointer: string, place: string): readonly string[] {
  const validate = ajv.getSchema(`service#${pointer.split("/").map(encodeURIComponent).join("/")}`);
  if (!validate) throw new Error(`the document has nothing at ${pointer}`);
  return validate(value)
    ? []
    : (validate.errors ?? [])
        // The failed rule within is enough.
        .filter(({ keyword }) => keyword !== "if")
        .map(
          ({ instancePath, message, params }) => `${place}${instancePath}: ${message ?? ""} ${JSON.stringify(params)}`,
        );
}

function resolve(value: Json, pointer: string): Located<Json> {
  const target = value["$ref"];
  return typeof target === "string" ? { value: at(target.slice(1)), pointer: target.slice(1) } : { value, pointer };
}

function at(pointer: string): Json {
  const names = pointer
    .split("/")
    .slice(1)
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
  return names.reduce((value, name) => value[name] as Json, DOCUMENT as Json);
}

function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, closed(inner)] as const);
  const open = "properties" in value && "type" in value && value.type === "object";
  return { ...Object.fromEntries(entries), ...(open ? { additionalProperties: false } : {}) };
}

function escape(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

function pathOf(target: string): string {
  return target.split("?")[0] ?? "";
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
