/** What the single executable runs. */
import { getAsset, getRawAsset } from "node:sea";
import { runCommandFrom } from "./executable-loader.ts";

runCommandFrom({
  textOf: (name) => getAsset(name, "utf8"),
  cacheOf: (name) => Buffer.from(getRawAsset(`${name}.cache`) as ArrayBuffer),
});
