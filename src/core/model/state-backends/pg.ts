import type { BackendDefinition } from "../backend-definition.ts";

export const PG_BACKEND: BackendDefinition = {
  name: "pg",
  description: "A PostgreSQL database.",
  schemes: ["postgres", "postgresql"],
  settings: [
    {
      name: "url",
      kind: "secret",
      description:
        "A reference to the URL of the database: postgres://USER:PASSWORD@HOST:PORT/DATABASE. Beyond this machine, the connection is encrypted and the server's certificate verified, unless `sslmode` says otherwise.",
      isRequired: true,
      environment: ["PG_CONN_STR"],
    },
    {
      name: "schema",
      kind: "text",
      description: "The schema of the tables. It is created if it does not exist.",
      default: "outreach",
    },
    {
      name: "name",
      kind: "text",
      description: "The name of the state within the schema.",
      default: "default",
    },
  ],
};
