import type { Value } from "../../../src/core/model/value.ts";
import type { Diagnostic } from "../../../src/core/model/diagnostic.ts";
import { personalMask } from "../../../src/core/secrets/personal.ts";
import { redactor } from "../../../src/core/secrets/redactor.ts";
import type { LoadedConfiguration } from "../../../src/doors/cli/load-configuration.ts";
import type { Terminal } from "../../../src/doors/cli/terminal.ts";
import { checkConfiguration as check } from "../../../src/doors/cli/validate.ts";
import { diagnosticText } from "../../../src/output/diagnostic-text.ts";
import { plain } from "../../../src/output/paint.ts";
import { nodeClock } from "../../../src/platform/node-clock.ts";
import { nodeFiles } from "../../../src/platform/node-files.ts";
import { nodeProcess } from "../../../src/platform/node-process.ts";
import { nodeRandom } from "../../../src/platform/node-random.ts";
import { catalog } from "../../../src/service/resources/catalog.ts";

export const FILE = "outreach.yaml";

export interface Given {
  readonly var?: readonly string[];
  readonly environment?: { readonly [name: string]: string };
  /** Other files beside the configuration, such as a variables file. */
  readonly files?: { readonly [path: string]: string };
  readonly varFile?: readonly string[];
  /** What -c names: the file itself when absent. */
  readonly config?: string;
  /** What was read of the service: then only the evaluation with it is checked. */
  readonly read?: ReadonlyMap<string, { readonly [attribute: string]: Value }>;
}

export interface Checked {
  readonly loaded: LoadedConfiguration;
  readonly diagnostics: readonly Diagnostic[];
  /** All of them as the command prints them. */
  readonly text: string;
}

/** What `outreach validate` finds in a configuration, without a file system. */
export async function checkConfiguration(source: string | Uint8Array, given: Given = {}): Promise<Checked> {
  const files = new Map<string, Uint8Array>([[FILE, typeof source === "string" ? new TextEncoder().encode(source) : source]]);
  for (const [path, text] of Object.entries(given.files ?? {})) files.set(path, new TextEncoder().encode(text));
  const clean = redactor();
  const below = (path: string): string => path.replace("/project/", "");
  const isFolder = (path: string): boolean => path === "/project" || [...files.keys()].some((file) => file.startsWith(`${below(path)}/`));
  const terminal: Terminal = {
    version: "0.0.0",
    catalog,
    environment: given.environment ?? {},
    folder: "/project",
    given: "",
    files: {
      ...nodeFiles(),
      read: (path) => Promise.resolve(files.get(below(path)) ?? null),
      kind: (path) => Promise.resolve(files.has(below(path)) ? "file" : isFolder(path) ? "folder" : null),
      list: (path) =>
        Promise.resolve([...files.keys()].filter((file) => `/project/${file}`.startsWith(`${path}/`)).map((file) => `/project/${file}`.slice(path.length + 1))),
      realPath: (path) =>
        files.has(below(path)) || isFolder(path)
          ? Promise.resolve(new URL(`file://${path}`).pathname)
          : Promise.reject(Object.assign(new Error(`no ${path}`), { code: "ENOENT" })),
    },
    clock: nodeClock,
    random: nodeRandom,
    process: nodeProcess,
    redactor: clean,
    personal: personalMask(""),
    hidesEmails: { out: false, err: false },
    out: () => undefined,
    err: () => undefined,
    isLive: false,
    paint: plain,
    paintErrors: plain,
    input: () => Promise.resolve(new Uint8Array()),
    ask: null,
    stop: new AbortController().signal,
  };
  const { value: loaded, diagnostics } = await check(terminal, {
    config: given.config ?? FILE,
    var: given.var ?? [],
    varFile: given.varFile ?? [],
    showEmails: true,
  });
  const all = given.read ? loaded.evaluate({ known: given.read, instances: [] }).diagnostics : diagnostics;
  return { loaded, diagnostics: all, text: clean.redact(all.map((one) => diagnosticText(one, plain)).join("\n")) };
}
