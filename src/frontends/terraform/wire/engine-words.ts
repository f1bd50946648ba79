import type { WayOut } from "../../../core/model/way-out.ts";
import { pulumiText, pulumiWayOut } from "./pulumi-words.ts";
import { terraformWayOut } from "./terraform-way-outs.ts";

/** What runs the provider. OpenTofu has the words of Terraform. */
export type Engine = "terraform" | "pulumi";

/** `version` is how the engine names itself when it configures the provider. */
export function engineOf(version: string): Engine {
  return version.includes("pulumi") ? "pulumi" : "terraform";
}

/** The words of an engine. Messages are written in Terraform's. */
interface EngineWords {
  /** Null for what only the reconciler has: its state, its lock, its guards and its options. */
  readonly wayOut: (way: WayOut) => string | null;
  readonly text: (text: string) => string;
}

const WORDS: { readonly [engine in Engine]: EngineWords } = {
  terraform: { wayOut: terraformWayOut, text: (text) => text },
  pulumi: { wayOut: pulumiWayOut, text: pulumiText },
};

export function wordsOf(engine: Engine): EngineWords {
  return WORDS[engine];
}

/** The ways out of a diagnostic in the engine's syntax, a paragraph each; null without any. */
export function wayOutText(ways: readonly WayOut[], engine: Engine = "terraform"): string | null {
  const paragraphs = ways.flatMap((way) => WORDS[engine].wayOut(way) ?? []);
  return paragraphs.length === 0 ? null : paragraphs.join("\n\n");
}
