import { DiagnosticsError } from "../model/diagnostic.ts";
import type { StateLock } from "./state-store.ts";
import { lockLost } from "./store-errors.ts";

/** The lock of this run, as its store knows it. */
interface OwnLock extends Omit<StateLock, "release"> {
  /** Aborts `lost`, and returns its reason. */
  lose(): DiagnosticsError;
  isOwn(signal: AbortSignal): Promise<boolean>;
}

/** The lock that a store holds for its run. */
export class OwnLocks {
  readonly #name: string;
  #current: OwnLock | null = null;

  /** `name` is that of the state, for messages. */
  constructor(name: string) {
    this.#name = name;
  }

  /** Null before the lock is taken, and from the beginning of its release. */
  get current(): OwnLock | null {
    return this.#current;
  }

  /**
   * Notes that the lock with this id is this run's. `remove` is not called for a lock that was lost. `isOwn` looks whether it still
   * is this run's; absent where nothing but a refused write tells.
   */
  hold(
    id: string,
    {
      remove,
      isOwn = () => Promise.resolve(true),
    }: Partial<Pick<OwnLock, "isOwn">> & { readonly remove: () => Promise<void> },
  ): StateLock {
    const lost = new AbortController();
    const lose = (): DiagnosticsError => {
      lost.abort(new DiagnosticsError([lockLost(this.#name, id)]));
      return lost.signal.reason as DiagnosticsError;
    };
    const own = { id, lost: lost.signal, lose, isOwn };
    this.#current = own;
    let isReleased = false;
    const release = async (): Promise<void> => {
      if (this.#current === own) this.#current = null;
      if (isReleased || lost.signal.aborted) return;
      await remove();
      isReleased = true;
    };
    return { id, lost: lost.signal, release };
  }

  /** Throws `lock_lost`, and aborts `lost`, if the lock of this run is gone or another run's. */
  async assertOwn(signal: AbortSignal): Promise<void> {
    const own = this.#current;
    own?.lost.throwIfAborted();
    if (own && !(await own.isOwn(signal))) throw own.lose();
  }
}
