/** The candidates for one word of a command line. */
export type Candidates =
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "files" }
  /** Recorded addresses. */
  | { readonly kind: "addresses" }
  /** Any text: nothing to complete. */
  | { readonly kind: "anything" };

export interface CompletedOption {
  /** `--config` before `-c`. */
  readonly names: readonly string[];
  readonly description: string;
  /** Null if it takes no value. */
  readonly value: Candidates | null;
}

/** One command, or the program itself, as completion needs it. */
export interface CompletedCommand {
  /** Empty for the program itself, `["state", "list"]` for a command of a command. */
  readonly path: readonly string[];
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly CompletedOption[];
  readonly operands: readonly Candidates[];
  /** Whether the last operand may be repeated. */
  readonly variadic: boolean;
}

/** Bash 3.2 and later. */
export function bashScript(commands: readonly CompletedCommand[]): string {
  return `# bash completion for outreach. Load it with: source <(outreach completion bash)
${tables(commands)}
_outreach() {
  local cur=\${COMP_WORDS[COMP_CWORD]} level="" count=0 option="" kind="" word line i
  local place=()
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case $word in
      -*)
        kind=$(_outreach_value "$level $word")
        if [[ -n $kind ]]; then
          [[ \${COMP_WORDS[i + 1]} == "=" ]] && ((i++))
          ((i++))
          if ((i >= COMP_CWORD)); then option=$word; else _outreach_is_place "$word" && place+=("$word" "\${COMP_WORDS[i]}"); fi
        fi
        ;;
      *) if _outreach_is_command "$level/$word"; then level="$level/$word"; else ((count++)); fi ;;
    esac
  done
  if [[ -n $option ]]; then
    kind=$(_outreach_value "$level $option")
    [[ $cur == "=" ]] && cur=""
  elif [[ $cur == -* ]]; then
    kind="words $(_outreach_options "$level" | cut -f 1 | tr '\\n' ' ')"
  else
    kind=$(_outreach_operand "$level" "$count")
    [[ -z $kind ]] && kind="words $(_outreach_commands "$level" | cut -f 1 | tr '\\n' ' ')"
  fi
  case $kind in
    "words "*) COMPREPLY=($(compgen -W "\${kind#words }" -- "$cur")) ;;
    files)
      compopt -o filenames 2>/dev/null
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$cur")
      ;;
    addresses)
      while IFS= read -r line; do
        case $cur in [\\'\\"]*) word=$line cur=\${cur#[\\'\\"]} ;; *) printf -v word %q "$line" ;; esac
        [[ $word == "$cur"* || $line == "$cur"* ]] && COMPREPLY+=("$word")
      done < <("\${COMP_WORDS[0]}" state list "\${place[@]}" 2>/dev/null | grep -v ' (deposed ')
      ;;
  esac
}
complete -F _outreach outreach
`;
}

export function zshScript(commands: readonly CompletedCommand[]): string {
  return `#compdef outreach
# zsh completion for outreach. Load it with: source <(outreach completion zsh)
${tables(commands)}
_outreach_describe() {
  local line
  local -a found
  while IFS=$'\\t' read -r name line; do found+=("\${name//:/\\\\:}:$line"); done
  _describe "$1" found
}
_outreach() {
  local level="" count=0 option="" kind="" word i
  local -a place addresses
  for ((i = 2; i < CURRENT; i++)); do
    word=\${words[i]}
    case $word in
      -*=*) _outreach_is_place "\${word%%=*}" && place+=("$word") ;;
      -*)
        if [[ -n $(_outreach_value "$level $word") ]]; then
          ((i++))
          if ((i >= CURRENT)); then option=$word; else _outreach_is_place "$word" && place+=("$word" "\${(Q)words[i]}"); fi
        fi
        ;;
      *) if _outreach_is_command "$level/$word"; then level="$level/$word"; else ((count++)); fi ;;
    esac
  done
  if [[ -z $option && \${words[CURRENT]} == --*=* ]]; then
    option=\${words[CURRENT]%%=*}
    compset -P '*='
  fi
  if [[ -n $option ]]; then
    kind=$(_outreach_value "$level $option")
  elif [[ \${words[CURRENT]} == -* ]]; then
    _outreach_options "$level" | _outreach_describe option
    return
  else
    kind=$(_outreach_operand "$level" "$count")
    if [[ -z $kind ]]; then
      _outreach_commands "$level" | _outreach_describe command
      return
    fi
  fi
  case $kind in
    "words "*) compadd -- \${=kind#words } ;;
    files) _files ;;
    addresses)
      addresses=("\${(@f)$("\${words[1]}" state list "\${place[@]}" 2>/dev/null | grep -v ' (deposed ')}")
      compadd -a addresses
      ;;
  esac
}
if [[ \${funcstack[1]} == _outreach ]]; then
  _outreach "$@"
else
  compdef _outreach outreach
fi
`;
}

export function fishScript(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap((command) => {
    const at = quote(`__outreach_at ${pathOf(command)}`.trim());
    return [
      ...command.commands.map(({ name, description }) => `complete -c outreach -n ${at} -a ${quote(name)} -d ${quote(description)}`),
      ...command.options.map(
        ({ names, description, value }) =>
          `complete -c outreach -n ${at} ${names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`)).join(" ")}${value ? ` ${fishValue(value)}` : ""} -d ${quote(description)}`,
      ),
      ...command.operands.map((operand, index) => {
        const where = quote(
          `__outreach_at ${pathOf(command)}; and __outreach_operands ${String(index)}${command.variadic && index === command.operands.length - 1 ? " more" : ""}`,
        );
        return `complete -c outreach -n ${where} ${fishValue(operand).replace("-x ", "").replace("-r ", "")}`.trimEnd();
      }),
    ];
  });
  const isCommand = commands.filter(({ path }) => path.length > 0).map((command) => quote(pathOf(command)));
  return `# fish completion for outreach. Load it with: outreach completion fish | source
function __outreach_words -d "The command so far, then what else was typed"
    set -l level
    set -l rest
    set -l skip 0
    for word in (commandline -opc)[2..]
        if test $skip = 1
            set skip 0
            continue
        end
        switch $word
            case '-*=*'
            case '-*'
                contains -- $word ${[...valueOptions(commands)].map(quote).join(" ")}; and set skip 1
            case '*'
                if test -z "$rest"; and contains -- (string join / $level $word) ${isCommand.join(" ")}
                    set -a level $word
                else
                    set -a rest $word
                end
        end
    end
    echo (string join / -- $level)
    count $rest
end
function __outreach_at
    set -l typed (__outreach_words)
    test "$typed[1]" = "$argv[1]"
end
function __outreach_operands
    set -l typed (__outreach_words)
    if test "$argv[2]" = more
        test $typed[2] -ge $argv[1]
    else
        test $typed[2] -eq $argv[1]
    end
end
function __outreach_addresses
    set -l place
    set -l words (commandline -opc)
    for i in (seq (count $words))
        contains -- $words[$i] -c --config --state; and set -a place $words[$i] $words[(math $i + 1)]
    end
    $words[1] state list $place 2>/dev/null | string match -v '* (deposed *'
end
complete -c outreach -f
${lines.join("\n")}
`;
}

function fishValue(value: Candidates): string {
  switch (value.kind) {
    case "words":
      return `-x -a ${quote(value.words.join(" "))}`;
    case "files":
      return "-r -F";
    case "addresses":
      return "-x -a '(__outreach_addresses)'";
    case "anything":
      return "-x";
  }
}

/** Lookup functions for bash and zsh. A level is `` for the program and `/state/list` for a command. */
function tables(commands: readonly CompletedCommand[]): string {
  const level = (command: CompletedCommand): string => command.path.map((word) => `/${word}`).join("");
  const described = (rows: readonly (readonly [string, string])[]): string =>
    `printf '%s\\n' ${rows.map(([name, description]) => quote(`${name}\t${description}`)).join(" ")}`;
  const values = commands.flatMap((command) =>
    command.options.flatMap(({ names, value }) => (value ? names.map((name) => [`${level(command)} ${name}`, kindText(value)] as const) : [])),
  );
  const operands = commands.flatMap((command) =>
    command.operands.map((operand, index) => {
      const repeated = command.variadic && index === command.operands.length - 1;
      return [`${quote(`${level(command)} `)}${repeated ? "*" : String(index)}`, kindText(operand)] as const;
    }),
  );
  return [
    shellCase("_outreach_is_command", '"$1"', [[commands.filter(({ path }) => path.length > 0).map((one) => quote(level(one))), "return 0"]], "return 1"),
    shellCase("_outreach_is_place", '"$1"', [[["-c", "--config", "--state"], "return 0"]], "return 1"),
    shellCase("_outreach_value", '"$1"', grouped(values.map(([key, kind]) => [quote(key), kind]))),
    shellCase("_outreach_operand", '"$1 $2"', grouped(operands)),
    shellCase(
      "_outreach_commands",
      '"$1"',
      commands
        .filter((one) => one.commands.length > 0)
        .map((one) => [[quote(level(one))], described(one.commands.map(({ name, description }) => [name, description]))]),
    ),
    shellCase(
      "_outreach_options",
      '"$1"',
      commands.map((one) => [
        [quote(level(one))],
        described(one.options.flatMap(({ names, description }) => names.map((name) => [name, description] as const))),
      ]),
    ),
  ].join("\n");
}

function kindText(value: Candidates): string {
  return value.kind === "words" ? `words ${value.words.join(" ")}` : value.kind;
}

/** Joins the patterns of each kind into one case that prints the kind. */
function grouped(entries: readonly (readonly [pattern: string, kind: string])[]): readonly (readonly [readonly string[], string])[] {
  return [...new Set(entries.map(([, kind]) => kind))].map(
    (kind) => [entries.flatMap(([pattern, other]) => (other === kind ? [pattern] : [])), `echo ${quote(kind)}`] as const,
  );
}

function shellCase(name: string, subject: string, cases: readonly (readonly [patterns: readonly string[], then: string])[], otherwise?: string): string {
  const all = [...cases.map(([patterns, then]) => `    ${patterns.join(" | ")}) ${then} ;;`), ...(otherwise === undefined ? [] : [`    *) ${otherwise} ;;`])];
  return `${name}() {\n  case ${subject} in\n${all.join("\n")}\n  esac\n}`;
}

/** The options that take a value, of any command: fish completes whole lines. */
function valueOptions(commands: readonly CompletedCommand[]): ReadonlySet<string> {
  return new Set(commands.flatMap(({ options }) => options.flatMap(({ names, value }) => (value ? names : []))));
}

function pathOf({ path }: CompletedCommand): string {
  return path.join("/");
}

/** A text in single quotes, which all three shells take literally. Only fish interprets a backslash in them, and the texts contain none. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
