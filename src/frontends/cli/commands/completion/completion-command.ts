import { Argument, type Command, type Option } from "commander";
import { EVENT_TYPES } from "../../../../service/events/event-catalog.ts";
import type { OperationContext } from "../../../../operations/context.ts";
import type { ExitCode } from "../../command-context.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";

/** What a script gets in place of candidates where the shell completes paths. */
const FILES = ":files";

/** Bash 3.2 and later. It takes = for a word of its own, and does not quote candidates. */
const BASH = `# bash completion for outreach. Load it with: source <(outreach completion bash)
_outreach() {
  local cur=\${COMP_WORDS[COMP_CWORD]} line word
  [[ $cur == "=" ]] && cur=""
  COMPREPLY=()
  while IFS=$'\\t' read -r line _; do
    if [[ $line == ${FILES} ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$cur")
    else
      case $cur in [\\'\\"]*) word=$line cur=\${cur#[\\'\\"]} ;; *) printf -v word %q "$line" ;; esac
      [[ $word == "$cur"* || $line == "$cur"* ]] && COMPREPLY+=("$word")
    fi
  done < <("\${COMP_WORDS[0]}" completion bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _outreach outreach
`;

const ZSH = `#compdef outreach
# zsh completion for outreach. Load it with: source <(outreach completion zsh)
_outreach() {
  local name description
  local -a found
  while IFS=$'\\t' read -r name description; do
    if [[ $name == ${FILES} ]]; then
      compset -P '-*='
      _files
      return
    fi
    found+=("\${name//:/\\\\:}:$description")
  done < <("\${words[1]}" completion zsh -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)
  _describe outreach found
}
if [[ \${funcstack[1]} == _outreach ]]; then
  _outreach "$@"
else
  compdef _outreach outreach
fi
`;

const FISH = `# fish completion for outreach. Load it with: outreach completion fish | source
function __outreach_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l found ($words[1] completion fish -- $words[2..] 2>/dev/null)
    if test "$found" = ${FILES}
        __fish_complete_path (commandline -ct)
    else
        printf '%s\\n' $found
    end
end
complete -c outreach -f -a '(__outreach_complete)'
`;

const SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH } as const;

export const definition: CommandDefinition<unknown, readonly [shell: keyof typeof SCRIPTS, words: readonly string[]]> =
  {
    description: "prints a completion script for a shell",
    example: {
      purpose:
        "in ~/.bashrc. Shells complete outreach, not npx outreach-as-code: for a project's own command, put its node_modules/.bin on the PATH",
      lines: ["source <(outreach completion bash)"],
      needsPath: true,
    },
    declare: (command) =>
      void command
        .addArgument(new Argument("<shell>", "the shell").choices(Object.keys(SCRIPTS)))
        .argument("[words...]", "the words to complete, as the script passes them"),
    run: async (context, { operands: [shell, words], programFor }): Promise<ExitCode> => {
      if (words.length === 0) context.out(SCRIPTS[shell]);
      else
        for (const [name, description] of candidates(context, await programFor(words.slice(0, -1)), words))
          context.out(`${name}\t${description}\n`);
      return 0;
    },
  };

type Candidates = readonly (readonly [name: string, description: string])[];

/** What may stand in place of the last word. The shell leaves out what does not begin as it. */
function candidates(context: OperationContext, program: Command, words: readonly string[]): Candidates {
  const current = words.at(-1) ?? "";
  const { command, operands, option } = readWords(program, words.slice(0, -1));
  if (option && takes(option, current)) return valuesOf(context, option);
  const [flag, value] = flagAndValue(current);
  const named = optionNamed(command, flag);
  if (value !== undefined && named)
    return valuesOf(context, named).map(([name, about]) => [name === FILES ? name : `${flag}=${name}`, about]);
  if (current.startsWith("-"))
    return [...command.options.flatMap(describedFlags), ["--help", "print help"], ["-h", "print help"]];
  const last = command.registeredArguments.at(-1);
  const operand = command.registeredArguments[operands] ?? (last?.variadic ? last : undefined);
  if (operand) return wordsFor(context, operand.name(), operand.argChoices);
  return operands === 0 ? command.commands.map((one) => [one.name(), one.description()]) : [];
}

interface ReadWords {
  /** The command that the words name, and how many operands follow. */
  readonly command: Command;
  readonly operands: number;
  /** The option that has no value yet. */
  readonly option: Option | null;
}

function readWords(program: Command, words: readonly string[]): ReadWords {
  let [command, operands, option]: [Command, number, Option | null] = [program, 0, null];
  for (const word of words) {
    if (option && takes(option, word)) {
      // Bash takes it for a word.
      if (word !== "=") option = null;
    } else if (word.startsWith("-")) {
      const [flag, value] = flagAndValue(word);
      const named: Option | undefined = optionNamed(command, flag);
      if (value === undefined && (named?.required || named?.optional)) option = named;
    } else {
      const next: Command | undefined =
        operands === 0 ? command.commands.find((one) => one.name() === word) : undefined;
      if (next) command = next;
      else operands++;
    }
  }
  return { command, operands, option };
}

/** Whether a word behind an option is its value. */
function takes({ required }: Option, word: string): boolean {
  return required || !word.startsWith("-");
}

function flagAndValue(word: string): readonly [flag: string, value?: string] {
  const at = word.startsWith("--") ? word.indexOf("=") : -1;
  return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1)];
}

function optionNamed({ options }: Command, flag: string): Option | undefined {
  return options.find(({ long, short }) => long === flag || short === flag);
}

function describedFlags({ long, short, description, hidden }: Option): Candidates {
  return hidden ? [] : [long, short].flatMap((name) => (name === undefined ? [] : [[name, description] as const]));
}

function valuesOf(context: OperationContext, { flags, argChoices }: Option): Candidates {
  const [, name = ""] = /[<[]([^>\].]+)/.exec(flags) ?? [];
  return wordsFor(context, name, argChoices);
}

/** `name`: of an operand or of the value of an option, as help shows it. */
function wordsFor({ catalog }: OperationContext, name: string, choices: readonly string[] | undefined): Candidates {
  const described = (words: readonly string[]): Candidates => words.map((word) => [word, ""]);
  if (choices) return described(choices);
  if (name === "bool") return described(["true", "false"]);
  if (name === "event-type") return EVENT_TYPES.map((type) => [type.name, type.description]);
  if (name === "status")
    return described(
      catalog.dataSources.find(({ type }) => type === "outreach_campaigns")?.schema["status"]?.oneOf ?? [],
    );
  return ["path", "file", "planfile", "dir", "folder", "place"].includes(name) ? [[FILES, ""]] : [];
}
