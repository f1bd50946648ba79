export type Json = { readonly [name: string]: unknown };

/** The synthesis's metadata about a block's construct. */
export function from(path: string): Json {
  return { "//": { metadata: { path, uniqueId: path.replaceAll("/", "_") } } };
}

/** A stack as the synthesis writes it. */
export function stackOf(parts: Json): string {
  return JSON.stringify(
    {
      "//": { metadata: { backend: "local", stackName: "hooks", version: "0.21.0" }, outputs: {} },
      provider: { outreach: [{}] },
      terraform: {
        backend: { local: { path: "terraform.hooks.tfstate" } },
        required_providers: { outreach: { source: "outreach-as-code/outreach" } },
      },
      ...parts,
    },
    null,
    2,
  );
}

export const webhooks = (named: Json): Json => ({ resource: { outreach_webhook: named } });
