/** What the command that Terraform was started with says about reads. */
export interface TerraformCommand {
  /** It reads objects and applies no configuration: `import`, `refresh`, `-refresh-only`. */
  readonly onlyReads: boolean;
  /** It plans without reading: `-refresh=false`. */
  readonly skipsReads: boolean;
}

const IS_TRUE = "(=(1|t|true))?";
const IS_FALSE = "=(0|f|false)";

/** `words` are the arguments of Terraform, its own name first; none if they are not known. It takes more from `TF_CLI_ARGS` and `TF_CLI_ARGS_NAME`. */
export function terraformCommand(words: readonly string[], environment: { readonly [name: string]: string | undefined }): TerraformCommand {
  const name = words.slice(1).find((word) => !word.startsWith("-")) ?? "";
  const more = ["TF_CLI_ARGS", `TF_CLI_ARGS_${name}`].flatMap((variable) => (environment[variable] ?? "").split(/\s+/));
  const has = (option: string): boolean => [...words, ...more].some((word) => new RegExp(`^--?${option}$`, "i").test(word));
  return { onlyReads: name === "import" || name === "refresh" || has(`refresh-only${IS_TRUE}`), skipsReads: has(`refresh${IS_FALSE}`) };
}
