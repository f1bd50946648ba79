export const LOG_LEVELS = ["error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** What an operation says while it works: of use only at once. Durations are in milliseconds. */
export type RunEvent =
  | { readonly kind: "waiting-for-lock"; readonly state: string; readonly holder: string; readonly timeoutMs: number }
  | { readonly kind: "waiting-for-list"; readonly durationMs: number }
  | { readonly kind: "log"; readonly level: LogLevel; /** Emails of leads are masked. */ readonly text: string };
