/** The number that an option of a test command gives. Anything else would test nothing, and pass. */
export function wholeNumber(option: string, text: string, least = 1): number {
  const number = Number(text);
  if (text.trim() === "" || !Number.isSafeInteger(number) || number < least)
    throw new Error(`${option} ${text}: not a whole number from ${String(least)}`);
  return number;
}
