import { type Block, type Configuration, NOTHING_DECLARED } from "../../core/config/block.ts";
import type { Catalog } from "../../core/model/definition.ts";
import { type Diagnostic, MAX_FOUND, type Result, checkEnded } from "../../core/model/diagnostic.ts";
import { type ConfigFile, type Source, readConfigFile } from "./config-file.ts";
import { attributeForms, configurationForm } from "./configuration-form.ts";
import { type DeclaredBlocks, blocksIn, declaredInTwoFiles } from "./merge-files.ts";
import { type BlockInput, type DataBlocks, readBlock } from "./read-yaml-block.ts";
import { readService, readSettings, readState } from "./read-yaml-settings.ts";
import { SECTIONS, type Section } from "./sections.ts";
import { isTree, treeAt } from "./plain-values.ts";

/**
 * Reads a YAML configuration of one file or several, which count as one: blocks of one file can refer to another's. Every
 * mistake is a diagnostic with its place. Valid parts are returned anyway, unless a file cannot be parsed.
 */
export function readYaml(
  sources: readonly Source[],
  { folder, catalog }: { readonly folder: string; readonly catalog: Catalog },
): Result<Configuration> {
  const form = configurationForm(catalog);
  const files = sources.map((source) => readConfigFile(source, { form, catalog }));
  const [first] = files;
  if (!first) throw new Error("a configuration without files");
  const diagnostics = files.flatMap((file) => file.diagnostics);
  if (files.some(({ root }) => root === null)) return { value: nothing(first, folder), diagnostics };
  const dataBlocks = dataBlocksIn(files);
  const blocks = SECTIONS.flatMap((section) =>
    files.map((file) => readSection(section, { file, catalog, dataBlocks })),
  );
  const inBlocks = blocks.flatMap((read): readonly Diagnostic[] => read.diagnostics);
  if (inBlocks.length >= MAX_FOUND)
    return { value: nothing(first, folder), diagnostics: [...diagnostics, ...inBlocks, checkEnded()] };
  const settings = readSettings(files, first);
  return {
    value: { ...settings.value, blocks: blocks.flatMap(({ value }) => value), folder },
    diagnostics: [...diagnostics, ...declaredInTwoFiles(files, form), ...inBlocks, ...settings.diagnostics],
  };
}

function nothing(file: ConfigFile, folder: string): Configuration {
  return { ...NOTHING_DECLARED, service: readService(undefined, file), state: readState(undefined, file), folder };
}

function dataBlocksIn(files: readonly ConfigFile[]): DataBlocks {
  const known = new Map<string, DeclaredBlocks>();
  return (section) => {
    const blocks = known.get(section) ?? blocksIn(files, ["data", section]);
    known.set(section, blocks);
    return blocks;
  };
}

function readSection(
  section: Section,
  { catalog, ...rest }: Pick<BlockInput, "file" | "dataBlocks"> & { readonly catalog: Catalog },
): Result<readonly Block[]> {
  const attributes = attributeForms(section, catalog);
  const blocks: Block[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [name, body] of Object.entries(treeAt(rest.file.root, section.path))) {
    if (diagnostics.length >= MAX_FOUND) break;
    if (!isTree(body)) continue;
    const read = readBlock({ section, attributes, name, body, ...rest });
    blocks.push(read.value);
    diagnostics.push(...read.diagnostics);
  }
  return { value: blocks, diagnostics };
}
