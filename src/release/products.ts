import path from "node:path";
import { executableName } from "../frontends/cli/provider-mirror.ts";
import { VERSION } from "../operations/version.ts";
import { bundleExecutable } from "./bundle-executable.ts";
import { bundleProvider } from "./bundle-provider.ts";
import type { BundledProgram } from "./bundled-libraries.ts";

/** A program that is released as an executable for each platform. */
export interface Product {
  /** The names of a release's files begin with it. */
  readonly name: string;
  /** The executable in a package, without `.exe`. */
  readonly executable: string;
  readonly bundle: () => Promise<BundledProgram>;
  /** What Terraform's registry wants to know; null for what it does not distribute. */
  readonly manifest: string | null;
}

export const PRODUCTS = {
  provider: {
    name: "terraform-provider-outreach",
    executable: executableName(VERSION),
    bundle: () => bundleProvider("module"),
    manifest: path.join(import.meta.dirname, "../../terraform-registry-manifest.json"),
  },
  executable: { name: "outreach", executable: "outreach", bundle: bundleExecutable, manifest: null },
} as const satisfies { readonly [name: string]: Product };

export function isProduct(text: string): text is keyof typeof PRODUCTS {
  return Object.hasOwn(PRODUCTS, text);
}
