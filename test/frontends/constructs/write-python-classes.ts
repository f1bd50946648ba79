/** Writes the Python classes of the provider into a folder, as `cdktf get` does: `tsx write-python-classes.ts FOLDER` */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Language, TerraformProviderConstraint } from "@cdktf/commons";

const [codeMakerOutput = ""] = process.argv.slice(2);
// It runs `terraform version` when it is imported.
process.env["TERRAFORM_BINARY_NAME"] = "/no/terraform";
const { ConstructsMaker } = await import("@cdktf/provider-generator/lib/get/constructs-maker.js");
const constraint = new TerraformProviderConstraint({
  name: "outreach",
  source: "outreach-as-code/outreach",
  version: "~> 0.1",
});
// In place of a run of `terraform providers schema`.
const schemas = await mkdtemp(path.join(tmpdir(), "outreach-schemas-"));
await cp(
  "schemas/provider-schema.json",
  path.join(schemas, `${[constraint.fqn, constraint.version ?? ""].map(encodeURIComponent).join("@")}.json`),
);
await new ConstructsMaker({ targetLanguage: Language.PYTHON, codeMakerOutput }, schemas).generate([constraint]);
await rm(schemas, { recursive: true });
