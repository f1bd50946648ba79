/** Colours a text, or returns it unchanged. */
export type Paint = (colour: Colour, text: string) => string;
export type Colour = "green" | "red" | "yellow" | "cyan" | "bold" | "dim";

const CODES: { readonly [colour in Colour]: readonly [number, number] } = {
  green: [32, 39],
  red: [31, 39],
  yellow: [33, 39],
  cyan: [36, 39],
  bold: [1, 22],
  dim: [2, 22],
};

export const plain: Paint = (_colour, text) => text;

export const ansi: Paint = (colour, text) => {
  const [on, off] = CODES[colour];
  return `\u001b[${String(on)}m${text}\u001b[${String(off)}m`;
};
