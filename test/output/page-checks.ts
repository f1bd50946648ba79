/** WCAG's level AA for text. */
export const LEAST_CONTRAST = 4.5;

/** Each text with a contrast to its background that is too low: WCAG's relative luminance, with the background of the nearest ancestor that has one. */
export function lowContrasts(least: number): readonly string[] {
  const numbers = (colour: string): readonly number[] => (colour.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = (colour: string): number => {
    const [red = 0, green = 0, blue = 0] = numbers(colour).map((part) =>
      part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const isOpaque = (colour: string): boolean => numbers(colour).length === 3 || numbers(colour)[3] === 1;
  const found: string[] = [];
  for (const element of document.querySelectorAll("body *")) {
    const text = [...element.childNodes]
      .filter((node) => node.nodeType === Node.TEXT_NODE)
      .map((node) => node.textContent ?? "")
      .join("")
      .trim();
    if (text === "" || !element.checkVisibility()) continue;
    let behind: Element | null = element;
    while (behind && !isOpaque(getComputedStyle(behind).backgroundColor)) behind = behind.parentElement;
    const levels = [
      getComputedStyle(element).color,
      behind ? getComputedStyle(behind).backgroundColor : "rgb(255, 255, 255)",
    ]
      .map(luminance)
      .toSorted((a, b) => b - a);
    const contrast = ((levels[0] ?? 0) + 0.05) / ((levels[1] ?? 0) + 0.05);
    if (contrast < least)
      found.push(`${contrast.toFixed(2)} ${element.tagName}.${element.className}: ${text.slice(0, 40)}`);
  }
  return found;
}

/** By how many pixels the page is wider than the window. Runs in the page. */
export const overflow = (): number => document.documentElement.scrollWidth - window.innerWidth;
