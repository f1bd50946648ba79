/**
 * Why a request is not accepted as an event:
 * - `invalid_json`: the body is empty, not UTF-8 or not JSON
 * - `not_an_event`: JSON without the `_id` and the `type` of an event, or nested deeper than any event
 * - `secret_missing`, `secret_wrong`: the sender did not prove that it is the service
 * - `body_too_large`: the body has more than `maxBytes` bytes
 * - `body_compressed`: the request has a `content-encoding`
 * - `body_already_read`: something read the request's body before the handler
 */
export type EventErrorCode =
  | "invalid_json"
  | "not_an_event"
  | "secret_missing"
  | "secret_wrong"
  | "body_too_large"
  | "body_compressed"
  | "body_already_read";

/** A request is not accepted as an event. The message never contains the body or a secret. */
export class EventError extends Error {
  override readonly name = "EventError";
  readonly code: EventErrorCode;

  constructor(code: EventErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
