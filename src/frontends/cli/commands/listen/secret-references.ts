import path from "node:path";
import type { SecretSource } from "../../../../core/model/declaration.ts";
import { type Diagnostic, DiagnosticsError } from "../../../../core/model/diagnostic.ts";
import { resolveSecret } from "../../../../core/secrets/resolve-secret.ts";
import { VARIABLE_PREFIXES } from "../../../../operations/configuration/environment-names.ts";
import { forReceivers, ownVariables } from "../../../../operations/configuration/own-secrets.ts";
import { resolvePath } from "../../../../operations/configuration/named-file.ts";
import type { OperationContext } from "../../../../operations/context.ts";

/** What `--secret` accepts, for help. */
export const REFERENCE_FORMS = "env:NAME, file:PATH or command:PROGRAM ARGUMENT…";

/** Reads the secrets that references on the command line name, and redacts them in all output. Throws the diagnostics of all that cannot be read. */
export async function revealReferences(
  context: OperationContext,
  references: readonly string[],
): Promise<readonly string[]> {
  const sources = references.map(parseReference);
  const invalid = references[sources.indexOf(null)];
  if (invalid !== undefined) throw invalidReference(invalid, context.environment);
  const named = sources.flatMap((source) => (source?.kind === "env" ? [source.name] : []));
  const settings = Object.keys(context.environment).filter((name) =>
    VARIABLE_PREFIXES.some((prefix) => name.startsWith(prefix)),
  );
  const hidden = new Set([...ownVariables(context), ...named, ...settings]);
  const problems: Diagnostic[] = [];
  const secrets: string[] = [];
  for (const source of sources) {
    if (source === null) continue;
    const ports = {
      ...context,
      ...(await placeOf(source, context)),
      hiddenFromCommands: () => hidden,
      signal: context.stop,
    };
    const resolved = forReceivers(context, source, await resolveSecret(source, ports));
    if ("value" in resolved) {
      context.redactor.add(resolved.value);
      secrets.push(resolved.value);
    } else
      problems.push({ code: "secret_unavailable", severity: "error", summary: "Cannot read a secret", ...resolved });
  }
  if (problems.length > 0) throw new DiagnosticsError(problems);
  return [...new Set(secrets)];
}

/** Null if the text is not a reference. */
function parseReference(text: string): SecretSource | null {
  const [, kind, rest = ""] = /^(env|file|command):(.+)$/s.exec(text) ?? [];
  if (kind === "env") return /^[A-Za-z_]\w*$/.test(rest) ? { kind, name: rest } : null;
  if (kind === "file") return { kind, path: rest };
  const words = rest.split(/\s+/).filter((word) => word !== "");
  return kind === "command" && words.length > 0 ? { kind, command: words } : null;
}

/** A file of the command line may be anywhere, unlike those that a configuration names. */
async function placeOf(
  source: SecretSource,
  { files, folder }: OperationContext,
): Promise<{ readonly folder: string }> {
  if (source.kind !== "file") return { folder };
  const full = resolvePath(folder, source.path);
  const real = await files.realPath(full).catch(() => full);
  return { folder: path.dirname(real) };
}

/** Quotes only the name of a variable: anything else may be the secret itself. */
function invalidReference(text: string, environment: OperationContext["environment"]): DiagnosticsError {
  const isVariable = /^[A-Za-z_]\w*$/.test(text) && environment[text] !== undefined;
  return DiagnosticsError.of("secret_reference_invalid", "Invalid secret reference", {
    detail: "--secret takes a reference to a secret, not the secret itself: other programs can read command lines.",
    hint: isVariable
      ? `To use the environment variable, pass --secret env:${text}`
      : `Put the secret into an environment variable, and pass --secret env:NAME. The forms are ${REFERENCE_FORMS}.`,
  });
}
