import type { Result } from "../../model/diagnostic.ts";
import { s3Place } from "./s3-place.ts";
import { type ReadSettings, type StateSettings, invalidSetting } from "../settings.ts";
import type { OpenStore } from "../state-store.ts";

/** The settings of the URL `s3://BUCKET/KEY`. */
export function s3SettingsOfUrl(url: string): Result<StateSettings | null> {
  if (/[?#]/.test(url)) {
    const hint = "Set AWS_REGION and AWS_ENDPOINT_URL_S3, or configure the state in place of its URL.";
    return { value: null, diagnostics: [invalidSetting({ path: ["key"], from: "key" }, "In a URL, it must have no question mark and no number sign.", hint)] };
  }
  const [, bucket = "", key = ""] = /^s3:\/*([^/]*)\/?(.*)$/is.exec(url) ?? [];
  if (key === "") return { value: null, diagnostics: [invalidSetting({ path: ["key"], from: "key" }, "The URL names none.", "Write s3://BUCKET/KEY.")] };
  return { value: { bucket, key }, diagnostics: [] };
}

/** Errors `state_setting_invalid` and `state_setting_missing`. */
export function chooseS3(settings: ReadSettings): Result<OpenStore | null> {
  const { value: place, diagnostics } = s3Place(settings);
  return { value: place && (async (ports) => (await import("./s3-store.ts")).s3Store(place, ports)), diagnostics };
}
