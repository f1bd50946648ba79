import type { SecretSource } from "../../model/declaration.ts";
import { DiagnosticsError } from "../../model/diagnostic.ts";
import { defineBackend } from "../backend.ts";
import { invalidSetting } from "../store-errors.ts";

/** Longer names of schemas are cut off by the server, so that two of them could be one. */
const MAX_SCHEMA_BYTES = 63;

export const pgBackend = defineBackend({
  name: "pg",
  description: "A PostgreSQL database.",
  schemes: ["postgres", "postgresql"],
  settings: {
    url: {
      kind: "secret",
      description:
        "A reference to the URL of the database: postgres://USER:PASSWORD@HOST:PORT/DATABASE. Beyond this machine, the connection is encrypted and the server's certificate verified, unless `sslmode` says otherwise.",
      isRequired: true,
      environment: ["PG_CONN_STR"],
    },
    schema: {
      kind: "text",
      description: "The schema of the tables. It is created if it does not exist.",
      default: "outreach",
    },
    name: { kind: "text", description: "The name of the state within the schema.", default: "default" },
  },
  fromUrl: (named) => {
    const [base = "", query = ""] = named.split(/\?(.*)/s);
    const parameters = new URLSearchParams(query);
    const own = ["schema", "name"].flatMap((name) => {
      const value = parameters.get(name);
      parameters.delete(name);
      return value === null ? [] : [[name, value] as const];
    });
    const value = parameters.size === 0 ? base : `${base}?${String(parameters)}`;
    return { value: { url: { value }, ...Object.fromEntries(own) }, diagnostics: [] };
  },
  open: ({ url, schema, name }) => {
    const isLong = new TextEncoder().encode(schema).length > MAX_SCHEMA_BYTES;
    const problems = [
      ...(isLong
        ? [invalidSetting({ path: ["schema"], from: "schema" }, `It has more than ${String(MAX_SCHEMA_BYTES)} bytes.`)]
        : []),
      ...Object.entries({ schema, name }).flatMap(([setting, text]) =>
        text.includes("\0")
          ? [invalidSetting({ path: [setting], from: setting }, "It contains a null character.")]
          : [],
      ),
    ];
    if (problems.length > 0) return { value: null, diagnostics: problems };
    return {
      value: async (ports) => {
        const [{ pgServer }, { pgStore }] = await Promise.all([import("./pg-server.ts"), import("./pg-store.ts")]);
        const revealed = await ports.reveal(url);
        const { value: server, diagnostics } = pgServer(revealed, ports.environment);
        if (server === null)
          throw new DiagnosticsError(diagnostics.map((one) => ({ ...one, detail: `${one.detail}${originOf(url)}` })));
        for (const secret of [server.password, passwordAsWritten(revealed)])
          if (secret !== null && secret !== "") ports.hide(secret);
        return pgStore(server, { schema, name }, ports);
      },
      diagnostics: [],
    };
  },
});

function originOf(url: SecretSource): string {
  return url.kind === "env"
    ? ` The environment variable ${url.name} holds it.`
    : url.kind === "file"
      ? ` The file ${url.path} holds it.`
      : "";
}

/** The password with its percent encoding. */
function passwordAsWritten(url: string): string | null {
  return /^[^/]*\/\/[^:@/]*:(.*)@/s.exec(url)?.[1] ?? null;
}
