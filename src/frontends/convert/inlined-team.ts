import type { Argument, Configuration } from "../../core/config/block.ts";
import { referencesIn } from "../../core/config/blocks/references.ts";
import { type Replace, rewriteArgument } from "./rewrite.ts";

/** The configuration of one team with the team's name in place of `team.name`, which only YAML has. */
export function withInlinedTeam(configuration: Configuration): Configuration {
  const { team, blocks, outputs, checks = [], imports, service } = configuration;
  if (team === undefined) return configuration;
  const replace: Replace = ({ steps: [root, name] }) => (root === "team" && name === "name" ? { steps: 2, by: { kind: "literal", value: team } } : null);
  const inlined = (argument: Argument): Argument =>
    referencesIn(argument).some(({ steps: [root] }) => root === "team") ? rewriteArgument(argument, replace) : argument;
  return {
    ...configuration,
    blocks: blocks.map(({ arguments: given, fanOut, ...block }) => ({
      ...block,
      arguments: Object.fromEntries(Object.entries(given).map(([name, argument]) => [name, inlined(argument)])),
      ...(fanOut ? { fanOut: fanOut.map((part) => ({ ...part, values: inlined(part.values) })) } : {}),
    })),
    outputs: outputs.map((output) => ({ ...output, value: inlined(output.value) })),
    checks: checks.map((check) => ({
      ...check,
      asserts: check.asserts.map((one) => ({ ...one, condition: inlined(one.condition), message: inlined(one.message) })),
    })),
    imports: imports.map((one) => ({ ...one, id: inlined(one.id) })),
    service: { ...service, baseUrl: service.baseUrl && inlined(service.baseUrl) },
  };
}
