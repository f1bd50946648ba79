import type { BackendDefinition } from "./backend-definition.ts";
import { HTTP_BACKEND } from "./state-backends/http.ts";
import { S3_BACKEND } from "./state-backends/s3.ts";
import { PG_BACKEND } from "./state-backends/pg.ts";

export const LOCAL_BACKEND: BackendDefinition = {
  name: "local",
  description: "A file.",
  schemes: [],
  settings: [
    {
      name: "path",
      kind: "text",
      description: "Path of the file, relative to the configuration.",
      isRequired: true,
    },
  ],
};

/** Every backend there is. The JSON Schema, the reference and the checks of settings derive from it. */
export const STATE_BACKENDS: readonly BackendDefinition[] = [LOCAL_BACKEND, HTTP_BACKEND, S3_BACKEND, PG_BACKEND];
