import type { Readable, Writable } from "node:stream";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import {
  type CallToolResult,
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from "@modelcontextprotocol/sdk/types.js";

/** A JSON Schema of an object. */
export interface ObjectSchema {
  readonly type: "object";
  readonly properties: { readonly [name: string]: object };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
}

/** One tool. All tools are read-only: the protocol says so of each. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: ObjectSchema;
  /** Whether it reads from the service, and not only files. */
  readonly isRemote: boolean;
  /** Never throws for mistakes: these are answers. The signal is aborted when the client cancels the call, or leaves. */
  call(given: { readonly [name: string]: unknown }, signal: AbortSignal): Promise<ToolAnswer>;
}

export interface ToolAnswer {
  readonly text: string;
  /** The same for programs. Absent: the call failed, or it is too long. */
  readonly structured?: { readonly [name: string]: unknown };
  /** Whether the call failed. */
  readonly isError: boolean;
}

export interface Served {
  readonly name: string;
  readonly version: string;
  /** What a model should know of all tools. */
  readonly instructions: string;
  readonly tools: readonly Tool[];
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** Ends the server. */
  readonly stop: AbortSignal;
}

/** Serves tools with the Model Context Protocol over stdio, until the client closes the input or `stop` is aborted. */
export async function serveTools({ name, version, instructions, tools, stdin, stdout, stop }: Served): Promise<void> {
  // oxlint-disable-next-line typescript/no-deprecated -- the other class takes no JSON Schemas
  const server = new Server(
    { name, version },
    { capabilities: { tools: {} }, instructions, jsonSchemaValidator: NO_QUESTIONS },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(listed) }));
  const left = new AbortController();
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) =>
    called(tools, params, AbortSignal.any([signal, stop, left.signal])),
  );
  const ended = new Promise<void>((resolve) => {
    for (const event of ["end", "close"]) stdin.once(event, resolve);
    stop.addEventListener("abort", () => resolve(), { once: true });
  });
  await server.connect(new StdioServerTransport(stdin, stdout));
  if (!stop.aborted) await ended;
  left.abort();
  await server.close();
}

/** We ask the client nothing, so there is no answer to check. Without it, the SDK loads a validator. */
const NO_QUESTIONS = {
  getValidator: () => {
    throw new Error("no answer is expected");
  },
};

function listed({ name, title, description, input, isRemote }: Tool) {
  return {
    name,
    title,
    description,
    inputSchema: { ...input, required: [...(input.required ?? [])] },
    annotations: { title, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: isRemote },
  };
}

async function called(
  tools: readonly Tool[],
  {
    name,
    arguments: given = {},
  }: { readonly name: string; readonly arguments?: { readonly [name: string]: unknown } | undefined },
  signal: AbortSignal,
): Promise<CallToolResult> {
  const tool = tools.find((one) => one.name === name);
  if (!tool)
    throw new McpError(
      ErrorCode.InvalidParams,
      `There is no tool of this name. The tools are ${tools.map((one) => one.name).join(", ")}; none of them writes.`,
    );
  const { text, structured, isError } = await tool.call(given, signal);
  return {
    content: [{ type: "text", text }],
    isError,
    ...(structured ? { structuredContent: { ...structured } } : {}),
  };
}
