import { isRecord } from "../../core/model/shape.ts";

/**
 * The files of the events that failed, by the lines that `outreach listen --save` and `outreach listen replay` print as JSON. The last line
 * about a file counts.
 */
export function failedFiles(lines: string): readonly string[] {
  const outcomes = new Map<string, boolean>();
  for (const line of lines.split("\n")) {
    const { file, savedAs, status } = fieldsOf(line);
    const saved = file ?? savedAs;
    if (typeof saved === "string") outcomes.set(saved, isAccepted(status));
  }
  return [...outcomes].flatMap(([file, accepted]) => (accepted ? [] : [file]));
}

/** Whether the answer of a receiver accepts an event. */
export function isAccepted(status: unknown): boolean {
  return typeof status === "number" && status >= 200 && status < 300;
}

function fieldsOf(line: string): { readonly [name: string]: unknown } {
  try {
    const fields: unknown = JSON.parse(line);
    return isRecord(fields) ? fields : {};
  } catch {
    // A line of something else.
    return {};
  }
}
