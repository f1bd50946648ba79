import { type Attributes, isSecretDigest } from "../model/value.ts";
import type { AnyResource } from "../model/definition.ts";

/** The settings of ours that the planner goes by, whatever the resource. */

export function isProtected(attributes: Attributes): boolean {
  return attributes["protect"] === true;
}

export function allowsDuplicate(attributes: Attributes): boolean {
  return attributes["allow_duplicate"] === true;
}

export function replaceOrder(attributes: Attributes): "delete-first" | "create-first" {
  return attributes["rotation"] === "create_first" ? "create-first" : "delete-first";
}

/** Whether nothing but a secret forces a replace. */
export function isRotation({ schema }: AnyResource, because: readonly string[], after: Attributes): boolean {
  return because.length > 0 && because.every((name) => schema[name]?.sensitive === true || isSecretDigest(after[name]));
}
