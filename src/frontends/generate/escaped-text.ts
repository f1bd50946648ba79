/** Literal text, escaped for a template. */
export function escapedText(text: string): string {
  return text.replaceAll(/[$%](?=\{)/g, "$&$&");
}
