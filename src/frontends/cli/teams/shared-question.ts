import type { Input, Question } from "../command-context.ts";

/** One question for all teams: it is asked when every team has either asked it or ended. */
export interface SharedQuestion {
  /** The answer for all of them. */
  ask(team: string, question: Question): Promise<string>;
  /** This team will not ask any more. */
  end(): void;
}

interface Asking {
  readonly team: string;
  readonly question: Question;
  readonly resolve: (answer: string) => void;
  readonly reject: (error: unknown) => void;
}

/** `show` prints what the teams have to show so far. */
export function openSharedQuestion(teams: readonly string[], ask: NonNullable<Input["ask"]>, show: () => void): SharedQuestion {
  let asking: readonly Asking[] = [];
  let ended = 0;
  const askOnce = async (all: readonly Asking[], { text, prompt }: Question): Promise<void> => {
    show();
    const names = teams.filter((team) => all.some((one) => one.team === team)).join(", ");
    try {
      const answer = await ask({ text: `\nTo apply: ${names}\n${text}`, prompt });
      for (const { resolve } of all) resolve(answer);
    } catch (error) {
      for (const { reject } of all) reject(error);
    }
  };
  const askIfComplete = (): void => {
    const [first] = asking;
    if (!first || asking.length + ended < teams.length) return;
    const all = asking;
    asking = [];
    void askOnce(all, first.question);
  };
  return {
    ask: (team, question) =>
      new Promise((resolve, reject) => {
        asking = [...asking, { team, question, resolve, reject }];
        askIfComplete();
      }),
    end: () => {
      ended++;
      askIfComplete();
    },
  };
}
