/** The arguments that choose the configuration, and one of its teams. */
export const CHOICE = {
  configuration: {
    type: "string",
    description:
      "Path of the configuration in the working folder: a YAML file, a folder of YAML files, or a synthesized stack. Default: the one that the server was started with.",
  },
  team: { type: "string", description: "The team, if the configuration has several." },
} as const;
