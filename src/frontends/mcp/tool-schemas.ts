import { TEXT } from "../../output/json/json-schema.ts";

/** A part of the schemas of results. */
export const DIAGNOSTICS = {
  type: "array",
  items: { type: "object", properties: { severity: TEXT, summary: TEXT, detail: TEXT, address: TEXT }, required: ["severity", "summary", "detail"] },
  description: "Errors, warnings and notes, with the place in the file, and what to do.",
} as const;

/** The arguments that choose the configuration, and one of its teams. */
export const CHOICE = {
  configuration: {
    type: "string",
    description:
      "Path of the configuration in the working folder: a YAML file, a folder of YAML files, or a synthesized stack. Default: the one that the server was started with.",
  },
  team: { type: "string", description: "The team, if the configuration has several." },
} as const;
