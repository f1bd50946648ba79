import type { CommandContext } from "../command-context.ts";
import { type SecretSource, describeSource } from "../../../core/model/declaration.ts";
import { type Diagnostic, DiagnosticsError, noteOf, warningOf } from "../../../core/model/diagnostic.ts";
import { countOf, firstFew } from "../../../core/model/words.ts";
import { printArranged, printDiagnostics } from "../screen/print-diagnostics.ts";

const SHOWN = 10;
const LINES = { separator: "\n", last: "\n… and " };

/** What is said once, after all teams: who was skipped, who has the key of another one, and notes that many of them have. */
export class TeamFindings {
  readonly #teams: readonly string[];
  readonly #skipped = new Map<string, string>();
  /** The first note of each code and team. */
  readonly #notes = new Map<string, Map<string, Diagnostic>>();
  /** The sources of each key, by the names of their teams. */
  readonly #keys = new Map<string, Map<string, SecretSource>>();

  constructor(teams: readonly string[]) {
    this.#teams = teams;
  }

  skip(team: string, why: string): void {
    this.#skipped.set(team, why);
  }

  skippedTeams(): ReadonlySet<string> {
    return new Set(this.#skipped.keys());
  }

  keepNote(team: string, note: Diagnostic): void {
    const known = this.#notes.get(note.code) ?? new Map<string, Diagnostic>();
    this.#notes.set(note.code, known);
    if (!known.has(team)) known.set(team, note);
  }

  keyUsed(team: string, { key, source }: { readonly key: string; readonly source: SecretSource }): void {
    const known = this.#keys.get(key) ?? new Map<string, SecretSource>();
    this.#keys.set(key, known);
    known.set(team, source);
  }

  print(context: CommandContext): void {
    const found = [...this.#sameKeys(), ...(this.#skipped.size > 0 ? [this.#skippedNote()] : [])];
    if (found.length + this.#notes.size > 0) context.err("\n");
    printArranged(context, this.#sharedNotes());
    printDiagnostics(context, found);
  }

  nothingDone(): DiagnosticsError {
    return DiagnosticsError.of("team_skipped", "Nothing was planned: no team has an API key", {
      detail: `All ${countOf(this.#skipped.size, "team")} were skipped:\n${this.#skippedText()}`,
      hint: "Set the keys of the teams. A job that gets no secrets, as that of a fork, can run outreach validate.",
    });
  }

  #skippedNote(): Diagnostic {
    const { size } = this.#skipped;
    return noteOf("team_skipped", "Teams skipped", {
      detail: `${String(size)} of ${countOf(this.#teams.length, "team")} ${size === 1 ? "was" : "were"} not planned, because ${size === 1 ? "it has" : "they have"} no API key here:\n${this.#skippedText()}`,
      hint: "A team is planned once its key is set.",
    });
  }

  /** Teams with why they were skipped, one a line. */
  #skippedText(): string {
    return firstFew(
      [...this.#skipped].map(([team, why]) => `${team}: ${why}`),
      SHOWN,
      LINES,
    );
  }

  #sharedNotes(): readonly Diagnostic[] {
    return [...this.#notes.values()].flatMap((notes) => {
      const names = this.#teams.filter((team) => notes.has(team));
      const first = notes.get(names[0] ?? "");
      if (!first || names.length === 1) return first ?? [];
      return {
        ...first,
        detail: `${first.detail}\n${countOf(names.length, "team")} have such a note: ${firstFew(names, SHOWN)}.`,
      };
    });
  }

  /** The same key from different places is a mistake: who wants one key for two teams names it twice. */
  #sameKeys(): readonly Diagnostic[] {
    const shared = [...this.#keys.values()].filter(
      (sources) => new Set([...sources.values()].map((source) => JSON.stringify(source))).size > 1,
    );
    return shared.map((sources) => {
      const lines = this.#teams.flatMap((team) => {
        const source = sources.get(team);
        return source ? [`${team}: ${describeSource(source)}`] : [];
      });
      return warningOf("team_same_key", "Teams with the same API key", {
        detail: `The keys of these teams come from different places, and are the same key:\n${firstFew(lines, SHOWN, LINES)}`,
        hint: "Each of them manages the webhooks of one team of the service. Set the key of each team to its own.",
      });
    });
  }
}
