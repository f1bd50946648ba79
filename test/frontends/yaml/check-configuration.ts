import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Value } from "../../../src/core/model/value.ts";
import type { Diagnostic } from "../../../src/core/model/diagnostic.ts";
import { fingerprinter } from "../../../src/core/secrets/fingerprint.ts";
import { personalMask } from "../../../src/core/secrets/personal-mask.ts";
import { runSecrets } from "../../../src/core/secrets/run-secrets.ts";
import type { LoadedConfiguration } from "../../../src/operations/configuration/load-configuration.ts";
import { noConfigurations, type OperationContext } from "../../../src/operations/context.ts";
import { checkConfiguration as check } from "../../../src/operations/configuration/check-configuration.ts";
import { arrangedDiagnostics } from "../../../src/operations/messages/arrange-diagnostics.ts";
import { diagnosticText } from "../../../src/output/content/diagnostic-text.ts";
import { plain } from "../../../src/output/content/paint.ts";
import { nodeClock } from "../../../src/platform/node-clock.ts";
import { nodeKeyedDigest } from "../../../src/platform/node-digest.ts";
import { nodeFiles } from "../../../src/platform/node-files.ts";
import { nodeProcess } from "../../../src/platform/node-process.ts";
import { nodeRandom } from "../../../src/platform/node-random.ts";
import { catalog } from "../../../src/service/resources/catalog.ts";

export const FILE = "outreach.yaml";

export interface Given {
  readonly var?: readonly string[];
  readonly environment?: { readonly [name: string]: string };
  /** Other files next to the configuration, such as a variables file. */
  readonly files?: { readonly [path: string]: string | Uint8Array };
  readonly links?: { readonly [path: string]: string };
  readonly varFile?: readonly string[];
  readonly team?: readonly string[];
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

/** What `outreach validate` finds in a configuration, in a folder of its own. */
export async function checkConfiguration(source: string | Uint8Array, given: Given = {}): Promise<Checked> {
  const folder = await mkdtemp(path.join(tmpdir(), "outreach-check-"));
  try {
    const files = Object.entries({ [FILE]: source, ...given.files });
    for (const [file, content] of files) await writeBelow(folder, file, content);
    for (const [link, target] of Object.entries(given.links ?? {})) await symlink(target, path.join(folder, link));
    return await checkFolder(folder, given);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeBelow(folder: string, file: string, content: string | Uint8Array): Promise<void> {
  const full = path.join(folder, file);
  await mkdir(path.dirname(full), { recursive: true });
  await writeFile(full, content);
}

/** What the short examples of these tests have on purpose; `ignore.test.ts` has tests of it. */
const OF_STYLE = new Set(["webhook_without_secret", "unused_variable"]);

async function checkFolder(folder: string, given: Given): Promise<Checked> {
  const secrets = runSecrets();
  const context: OperationContext = {
    version: "0.0.0",
    catalog,
    environment: given.environment ?? {},
    folder,
    asCalled: (text) => text,
    given: "",
    files: nodeFiles(),
    ...secrets,
    configurations: noConfigurations(),
    process: nodeProcess,
    clock: nodeClock,
    random: nodeRandom,
    fingerprinter,
    notify: () => undefined,
    atEnd: () => undefined,
    stop: new AbortController().signal,
    personal: personalMask(() => "", nodeKeyedDigest),
  };
  const { value: loaded, diagnostics } = await check(context, {
    config: given.config ?? FILE,
    var: given.var ?? [],
    varFile: given.varFile ?? [],
    team: given.team ?? [],
  });
  const found = given.read ? loaded.evaluate({ known: given.read, instances: [] }).diagnostics : diagnostics;
  const mistakes = found.filter(({ code }) => !OF_STYLE.has(code));
  const all = arrangedDiagnostics(context, mistakes, { hidesEmails: false });
  return {
    loaded,
    diagnostics: all,
    text: secrets.redactor.redact(all.map((one) => diagnosticText(one, plain)).join("\n")),
  };
}
