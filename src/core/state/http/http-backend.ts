import type { Result } from "../../model/diagnostic.ts";
import type { ReadSettings } from "../settings.ts";
import type { OpenStore } from "../state-store.ts";
import { httpSettings } from "./http-settings.ts";

/** Errors `state_setting_invalid` and `state_setting_missing`. */
export function chooseHttp(settings: ReadSettings): Result<OpenStore | null> {
  const { value: read, diagnostics } = httpSettings(settings);
  return { value: read && (async (ports) => (await import("./http-store.ts")).httpStore(read, ports)), diagnostics };
}
