import type { WebRequest } from "../../../src/core/model/web.ts";

export interface ServerAnswer {
  readonly status: number;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: Uint8Array;
}

/** A server that keeps states, as plain data: it answers at once, and always does what is right. */
export interface StateServer {
  copy(): StateServer;
  key(): string;
  /** `isStale`: of the state, what was there before the last write. */
  answer(request: WebRequest, isStale: boolean): ServerAnswer;
  /** What a request is about; `read` changes nothing. */
  kindOf(request: WebRequest): "read" | "look" | "lock" | "write" | "unlock";
  /** Whether there is an older state to show. */
  readonly hasOlder: boolean;
  state(): Uint8Array | null;
  /** All texts that lie there. */
  texts(): readonly string[];
  unlock(): void;
  putBack(state: Uint8Array): void;
}

const decoder = new TextDecoder();

export function textOf(bytes: Uint8Array | null): string {
  return decoder.decode(bytes ?? undefined);
}
