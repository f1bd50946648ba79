import type { Delivery } from "./delivery-log.ts";

/** The unfinished deliveries of one webhook. */
export class WebhookQueue {
  readonly webhookId: string;
  /** Attempts under way. */
  inFlight = 0;
  #waiting: Delivery[] = [];
  #head = 0;
  /** A binary heap: the next due retry is first. */
  #retries: Delivery[] = [];

  constructor(webhookId: string) {
    this.webhookId = webhookId;
  }

  /** Deliveries that can be attempted now. */
  get waiting(): number {
    return this.#waiting.length - this.#head;
  }

  /** Deliveries without an attempt under way. */
  get length(): number {
    return this.waiting + this.#retries.length;
  }

  /** When the next retry is due, in milliseconds since 1970; infinity: none is. */
  get nextRetryAt(): number {
    return this.#retries[0]?.nextAttemptAt ?? Number.POSITIVE_INFINITY;
  }

  push(delivery: Delivery): void {
    this.#waiting.push(delivery);
  }

  /** The oldest delivery that can be attempted now. */
  shift(): Delivery | undefined {
    const delivery = this.#waiting[this.#head];
    if (delivery === undefined) return undefined;
    this.#head++;
    if (this.#head === this.#waiting.length || this.#head > 1024) {
      this.#waiting = this.#waiting.slice(this.#head);
      this.#head = 0;
    }
    return delivery;
  }

  /** Adds a delivery with a `nextAttemptAt`. */
  pushRetry(delivery: Delivery): void {
    const retries = this.#retries;
    let place = retries.push(delivery) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (dueAt(retries[parent]) <= dueAt(delivery)) break;
      swap(retries, place, parent);
      place = parent;
    }
  }

  /** Moves the retries that are due at `now` behind the waiting deliveries. */
  moveDue(now: number): void {
    while (this.nextRetryAt <= now) {
      const due = this.#shiftRetry();
      if (due === undefined) return;
      due.state = "pending";
      due.nextAttemptAt = null;
      this.push(due);
    }
  }

  /** Removes one retry. Takes time in proportion to their number. */
  removeRetry(delivery: Delivery): void {
    const others = this.#retries.filter((one) => one !== delivery);
    this.#retries = [];
    for (const other of others) this.pushRetry(other);
  }

  /** Removes the newest waiting delivery, or else one of the latest retries. */
  pop(): Delivery | undefined {
    return this.waiting > 0 ? this.#waiting.pop() : this.#retries.pop();
  }

  /** Removes all deliveries without an attempt under way. */
  takeAll(): readonly Delivery[] {
    const all = [...this.#waiting.slice(this.#head), ...this.#retries];
    this.#waiting = [];
    this.#head = 0;
    this.#retries = [];
    return all;
  }

  #shiftRetry(): Delivery | undefined {
    const retries = this.#retries;
    const first = retries[0];
    const last = retries.pop();
    if (last === undefined || retries.length === 0) return first;
    retries[0] = last;
    for (let place = 0; ;) {
      const left = 2 * place + 1;
      const lesser = dueAt(retries[left + 1]) < dueAt(retries[left]) ? left + 1 : left;
      if (dueAt(retries[lesser]) >= dueAt(last)) return first;
      swap(retries, place, lesser);
      place = lesser;
    }
  }
}

/** Infinity beyond the end of a heap. */
function dueAt(delivery: Delivery | undefined): number {
  return delivery?.nextAttemptAt ?? Number.POSITIVE_INFINITY;
}

function swap(heap: Delivery[], one: number, other: number): void {
  const [first, second] = [heap[one], heap[other]];
  if (first === undefined || second === undefined) return;
  heap[one] = second;
  heap[other] = first;
}
