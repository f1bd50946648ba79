import type { Declaration } from "../../model/declaration.ts";
import { type Diagnostic, type Result, errorOf } from "../../model/diagnostic.ts";
import type { RecordedInstance } from "../../model/instance.ts";
import { type Attributes, UNKNOWN, isSecretDigest } from "../../model/value.ts";
import type { RunPorts, SecretProblem } from "./run-ports.ts";

export interface WithSecrets {
  /** The declarations, with the digests of their secrets among the attributes. */
  readonly declarations: readonly Declaration[];
  /** The values by address and attribute. */
  readonly secrets: ReadonlyMap<string, { readonly [attribute: string]: string }>;
}

/** Resolves each secret and puts its digest among the attributes. */
export async function resolveSecrets(
  declarations: readonly Declaration[],
  salt: string,
  { reveal, fingerprint }: Pick<RunPorts, "reveal" | "fingerprint">,
): Promise<Result<WithSecrets>> {
  const secrets = new Map<string, { readonly [attribute: string]: string }>();
  const diagnostics: Diagnostic[] = [];
  const complete: Declaration[] = [];
  for (const declaration of declarations) {
    const sources = Object.entries(declaration.secrets);
    if (sources.length === 0) {
      complete.push(declaration);
      continue;
    }
    const values: Record<string, string> = {};
    const digests: Record<string, Attributes[string]> = {};
    for (const [name, source] of sources) {
      const revealed = await reveal(source);
      if ("value" in revealed) {
        values[name] = revealed.value;
        digests[name] = { $secret: await fingerprint(salt, revealed.value) };
      } else
        diagnostics.push({
          ...unavailable(declaration, name, revealed),
          cause: `unavailable ${JSON.stringify(source)}`,
        });
    }
    secrets.set(declaration.address, values);
    complete.push({ ...declaration, attributes: { ...declaration.attributes, ...digests } });
  }
  return { value: { declarations: complete, secrets }, diagnostics };
}

/** Declarations whose secrets nobody looks at: a recorded one counts as unchanged, another one is unknown. */
export function leaveSecrets(
  declarations: readonly Declaration[],
  instances: readonly RecordedInstance[],
): WithSecrets {
  const recorded = new Map(instances.map((instance) => [instance.address, instance]));
  const complete = declarations.map((declaration): Declaration => {
    const before = recorded.get(declaration.address)?.attributes ?? {};
    const digests = Object.keys(declaration.secrets).map((name) => [
      name,
      isSecretDigest(before[name]) ? before[name] : UNKNOWN,
    ]);
    return { ...declaration, attributes: { ...declaration.attributes, ...Object.fromEntries(digests) } };
  });
  return { declarations: complete, secrets: new Map() };
}

function unavailable({ address, locate }: Declaration, name: string, why: SecretProblem): Diagnostic {
  return errorOf("secret_unavailable", "A secret is not available", {
    ...why,
    address,
    path: [name],
    place: locate([name]),
  });
}
