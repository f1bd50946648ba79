import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { expect } from "vitest";

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });

/** Checks against one of the schemas, which were written from the documentation of Terraform's formats. */
function checker(name: string): (value: unknown) => void {
  const validate = ajv.compile(
    JSON.parse(readFileSync(new URL(`schemas/${name}.schema.json`, import.meta.url), "utf8")) as object,
  );
  return (value) => {
    validate(value);
    expect(validate.errors ?? [], JSON.stringify(value)).toEqual([]);
  };
}

export const expectPlan = checker("plan");
export const expectState = checker("state");
export const expectLine = checker("line");
export const expectValidation = checker("validation");
