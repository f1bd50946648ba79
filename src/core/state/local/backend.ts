import { defineBackend } from "../backend.ts";

export const localBackend = defineBackend({
  name: "local",
  description: "A file.",
  schemes: [],
  settings: {
    path: { kind: "text", description: "Path of the file, relative to the configuration.", isRequired: true },
  },
  open: ({ path }) => ({
    value: async (ports) => (await import("./local-store.ts")).localStore(path, ports),
    diagnostics: [],
  }),
});
