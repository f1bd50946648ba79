import type { BundledLibrary } from "./bundled-libraries.ts";
import type { Runtime } from "./runtimes.ts";

export interface PackagedFile {
  readonly name: string;
  /** Hexadecimal SHA-256. */
  readonly sha256: string;
  readonly runtime: Pick<Runtime, "version" | "from">;
}

/**
 * The content of the packages of a program, as CycloneDX 1.6: its libraries, and the Node of each package. It has no time and
 * no serial number, so the same packages give the same SBOM.
 */
export function sbomOf(
  { name, version }: { readonly name: string; readonly version: string },
  {
    packages,
    libraries,
  }: { readonly packages: readonly PackagedFile[]; readonly libraries: readonly BundledLibrary[] },
): string {
  const program = {
    type: "application",
    name,
    version,
    "bom-ref": `${name}@${version}`,
    ...licensed("Apache-2.0"),
  };
  const nodes = new Map(packages.map(({ runtime }) => [nodeUrl(runtime), runtime]));
  const document = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: program },
    components: [
      ...packages.map(({ name: file, sha256 }) => ({
        type: "file",
        name: file,
        "bom-ref": file,
        hashes: [{ alg: "SHA-256", content: sha256 }],
      })),
      ...[...nodes].map(([purl, runtime]) => nodeComponent(purl, runtime)),
      ...libraries.map((library) => ({
        type: "library",
        name: library.name,
        version: library.version,
        ...named(libraryUrl(library)),
        ...licensed(library.licence),
      })),
    ],
    dependencies: [
      { ref: program["bom-ref"], dependsOn: packages.map((one) => one.name) },
      ...packages.map(({ name: file, runtime }) => ({
        ref: file,
        dependsOn: [nodeUrl(runtime), ...libraries.map(libraryUrl)],
      })),
    ],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function nodeComponent(purl: string, { version, from }: PackagedFile["runtime"]) {
  const [, hash = ""] = /^sha512-(.*)$/.exec(from.integrity) ?? [];
  return {
    type: "platform",
    name: "node",
    version,
    description: `Node.js, as the package ${from.name} of the npm registry has it; the hash is that package's`,
    ...named(purl),
    cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
    hashes: [{ alg: "SHA-512", content: Buffer.from(hash, "base64").toString("hex") }],
    ...licensed("MIT"),
  };
}

function named(purl: string) {
  return { purl, "bom-ref": purl };
}

function licensed(expression: string) {
  return { licenses: [{ expression }] };
}

function nodeUrl({ version, from }: PackagedFile["runtime"]): string {
  return `pkg:npm/${from.name}@${version}`;
}

function libraryUrl({ name, version }: BundledLibrary): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}
