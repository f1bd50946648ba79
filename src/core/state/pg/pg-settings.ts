import type { SecretSource } from "../../model/declaration.ts";
import { DiagnosticsError, type Result } from "../../model/diagnostic.ts";
import { type ReadSettings, type StateSettings, invalidSetting } from "../settings.ts";
import type { OpenStore } from "../state-store.ts";

/** Longer names of schemas are cut off by the server, so that two of them could be one. */
const MAX_SCHEMA_BYTES = 63;

/** The settings of a URL as on a command line: its parameters `schema` and `name` are settings of their own. */
export function pgSettings(named: string): Result<StateSettings> {
  const [base = "", query = ""] = named.split(/\?(.*)/s);
  const parameters = new URLSearchParams(query);
  const { schema, name } = { schema: parameters.get("schema"), name: parameters.get("name") };
  parameters.delete("schema");
  parameters.delete("name");
  const value = parameters.size === 0 ? base : `${base}?${String(parameters)}`;
  return { value: { url: { value }, ...(schema === null ? {} : { schema }), ...(name === null ? {} : { name }) }, diagnostics: [] };
}

export function choosePg(settings: ReadSettings): Result<OpenStore | null> {
  const url = settings.secret("url");
  const { schema, name } = { schema: settings.text("schema") ?? "", name: settings.text("name") ?? "" };
  if (url === null) return { value: null, diagnostics: [] };
  const isLong = new TextEncoder().encode(schema).length > MAX_SCHEMA_BYTES;
  const problems = [
    ...(isLong ? [invalidSetting({ path: ["schema"], from: "schema" }, `It has more than ${String(MAX_SCHEMA_BYTES)} bytes.`)] : []),
    ...Object.entries({ schema, name }).flatMap(([setting, text]) =>
      text.includes("\0") ? [invalidSetting({ path: [setting], from: setting }, "It contains a null character.")] : [],
    ),
  ];
  if (problems.length > 0) return { value: null, diagnostics: problems };
  const open: OpenStore = async (ports) => {
    const [{ pgServer }, { pgStore }] = await Promise.all([import("./pg-server.ts"), import("./pg-store.ts")]);
    const revealed = await ports.reveal(url);
    const { value: server, diagnostics } = pgServer(revealed, ports.environment);
    if (server === null) throw new DiagnosticsError(diagnostics.map((one) => ({ ...one, detail: `${one.detail}${originOf(url)}` })));
    for (const secret of [server.password, passwordAsWritten(revealed)]) if (secret !== null && secret !== "") ports.hide(secret);
    return pgStore(server, { schema, name }, ports);
  };
  return { value: open, diagnostics: [] };
}

function originOf(url: SecretSource): string {
  return url.kind === "env" ? ` The environment variable ${url.name} holds it.` : url.kind === "file" ? ` The file ${url.path} holds it.` : "";
}

/** With its percent encoding. */
function passwordAsWritten(url: string): string | null {
  return /^[^/]*\/\/[^:@/]*:(.*)@/s.exec(url)?.[1] ?? null;
}
