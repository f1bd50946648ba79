import { constructs, FLAVOURS } from "../../src/generate/constructs.ts";
import { providerSchema } from "../../src/generate/provider-schema.ts";
import { catalog } from "../../src/service/resources/catalog.ts";
import type { Figure } from "./figure.ts";

/** Generating all constructs of both flavours, including the loading of the generator. */
export async function measureConstructs(): Promise<readonly Figure[]> {
  const start = performance.now();
  const schema = providerSchema(catalog);
  let files = 0;
  for (const flavour of FLAVOURS) files += (await constructs(flavour, { schema, versions: "~> 0.1" })).size;
  const seconds = (performance.now() - start) / 1000;
  return [
    {
      name: "generating all constructs in seconds",
      measured: `${seconds.toFixed(2)} s, ${String(files)} files`,
      ratio: seconds,
      goal: { atMost: 5 },
    },
  ];
}
