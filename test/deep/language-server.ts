import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

type Message = {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
};

/** The YAML language server that editors run. */
const SERVER = createRequire(import.meta.url).resolve("yaml-language-server/bin/yaml-language-server");

export interface Editor {
  /** What is offered where `|` stands in the text. */
  complete(text: string): Promise<readonly string[]>;
  /** What is inserted where `|` stands for an item that is offered there, and what is said about it. */
  offer(text: string, label: string): Promise<{ readonly inserted: string; readonly says: string }>;
  /** What is said about the word at `|`. */
  hover(text: string): Promise<string>;
  /** What is underlined, as `line: message`. */
  problems(text: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** An editor that completes YAML files with this schema, as far as the language server goes. */
export async function openEditor(schemaFile: string): Promise<Editor> {
  const child = spawn(process.execPath, [SERVER, "--stdio"], { stdio: "pipe" });
  const settings = {
    yaml: {
      schemas: { [pathToFileURL(schemaFile).href]: "*.yaml" },
      completion: true,
      hover: true,
      validate: true,
      schemaStore: { enable: false },
    },
  };
  const connection = connect(child, settings);
  await connection.request("initialize", {
    processId: process.pid,
    rootUri: null,
    capabilities: {
      textDocument: {
        completion: { completionItem: { snippetSupport: true, documentationFormat: ["markdown", "plaintext"] } },
        hover: {},
      },
      workspace: { configuration: true },
    },
  });
  connection.notify("initialized", {});
  connection.notify("workspace/didChangeConfiguration", { settings });
  await connection.configured;
  let opened = 0;
  const open = (marked: string) => {
    const at = marked.indexOf("|");
    const text = marked.replace("|", "");
    const before = marked.slice(0, Math.max(0, at)).split("\n");
    const uri = `file:///project/outreach-${String(opened++)}.yaml`;
    connection.notify("textDocument/didOpen", { textDocument: { uri, languageId: "yaml", version: 1, text } });
    return { textDocument: { uri }, position: { line: before.length - 1, character: before.at(-1)?.length ?? 0 } };
  };
  const offersAt = async (text: string): Promise<readonly Offer[]> =>
    ((await connection.request("textDocument/completion", open(text))) as { readonly items: readonly Offer[] }).items;
  return {
    complete: async (text) => (await offersAt(text)).map(({ label }) => label),
    offer: async (text, wanted) => {
      const {
        insertText = "",
        textEdit,
        documentation = "",
      } = (await offersAt(text)).find(({ label }) => label === wanted) ?? {};
      return {
        inserted: textEdit?.newText ?? insertText,
        says: typeof documentation === "string" ? documentation : documentation.value,
      };
    },
    hover: async (text) => {
      const found = (await connection.request("textDocument/hover", open(text))) as {
        readonly contents: { readonly value: string };
      } | null;
      return found?.contents.value ?? "";
    },
    problems: async (text) => {
      const { uri } = open(text).textDocument;
      const said = await connection.diagnosticsOf(uri);
      return said.map(({ range, message }) => `${String(range.start.line + 1)}: ${message}`);
    },
    close: async () => {
      const closed = new Promise((resolve) => child.on("close", resolve));
      child.kill();
      await closed;
    },
  };
}

interface Offer {
  readonly label: string;
  readonly insertText?: string;
  readonly textEdit?: { readonly newText: string };
  readonly documentation?: string | { readonly value: string };
}

interface Problem {
  readonly range: { readonly start: { readonly line: number } };
  readonly message: string;
}

/** The language server protocol over the standard streams: JSON behind a header that says how long it is. */
function connect({ stdin, stdout }: ChildProcessWithoutNullStreams, settings: { readonly [section: string]: unknown }) {
  const waiting = new Map<number | string, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  const problems = new Map<string, (found: readonly Problem[]) => void>();
  let next = 1;
  let isConfigured: () => void = () => undefined;
  const configured = new Promise<void>((resolve) => (isConfigured = resolve));
  const send = (message: Message): void => {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    stdin.write(`Content-Length: ${String(Buffer.byteLength(body))}\r\n\r\n${body}`);
  };
  const receive = ({ id, method, params, result, error }: Message): void => {
    if (method === "textDocument/publishDiagnostics") {
      const { uri, diagnostics } = params as { readonly uri: string; readonly diagnostics: readonly Problem[] };
      problems.get(uri)?.(diagnostics);
    } else if (method === "workspace/configuration" && id !== undefined) {
      const { items } = params as { readonly items: readonly { readonly section: string }[] };
      send({ id, result: items.map(({ section }) => settings[section] ?? null) });
      isConfigured();
    } else if (method !== undefined && id !== undefined) send({ id, result: null });
    else if (id !== undefined && error !== undefined) waiting.get(id)?.reject(new Error(JSON.stringify(error)));
    else if (id !== undefined) waiting.get(id)?.resolve(result);
  };
  let buffer = Buffer.alloc(0);
  stdout.on("data", (chunk: Buffer) => {
    buffer = Buffer.concat([buffer, chunk]);
    for (;;) {
      const header = /^Content-Length: (\d+)\r\n(?:.+\r\n)*\r\n/.exec(buffer.toString("latin1"));
      const length = Number(header?.[1]);
      const start = header?.[0].length ?? 0;
      if (!header || buffer.length < start + length) return;
      receive(JSON.parse(buffer.subarray(start, start + length).toString("utf8")) as Message);
      buffer = buffer.subarray(start + length);
    }
  });
  return {
    /** Once the server has asked for its settings. */
    configured,
    notify: (method: string, params: unknown): void => send({ method, params }),
    request: (method: string, params: unknown): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const id = next++;
        waiting.set(id, { resolve, reject });
        send({ id, method, params });
      }),
    diagnosticsOf: (uri: string): Promise<readonly Problem[]> => new Promise((resolve) => problems.set(uri, resolve)),
  };
}
