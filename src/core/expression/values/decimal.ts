/** A decimal fraction: `digits` with the point after the first one, times ten to the `exponent`. */
interface Decimal {
  readonly negative: boolean;
  readonly digits: string;
  readonly exponent: number;
}

/** The shortest decimal fraction that identifies this number. */
function decimalOf(value: number): Decimal {
  const [mantissa = "0", exponent = "0"] = Math.abs(value).toExponential().split("e");
  return { negative: value < 0, digits: mantissa.replace(".", ""), exponent: Number(exponent) };
}

/** A number as Terraform converts it to a string: never with an exponent. */
export function numberText(value: number): string {
  if (Number.isSafeInteger(value)) return String(value);
  const { negative, digits, exponent } = decimalOf(value);
  const unsigned =
    exponent < 0
      ? `0.${"0".repeat(-exponent - 1)}${digits}`
      : digits.length <= exponent + 1
        ? digits.padEnd(exponent + 1, "0")
        : `${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`;
  return `${negative ? "-" : ""}${unsigned}`;
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The number that a text stands for where Terraform converts it; null if it is none, or larger than a number here can be. */
export function numberIn(text: string): number | null {
  const value = NUMBER.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : null;
}

/**
 * Arithmetic on decimal fractions: 0.1 + 0.2 is 0.3. A quotient has at least 40 exact digits before rounding. A remainder has
 * the dividend's sign. The divisor must not be 0.
 */
export function calculate(operator: "+" | "-" | "*" | "/" | "%", a: number, b: number): number {
  const whole = Number.isSafeInteger(a) && Number.isSafeInteger(b) ? calculateWhole(operator, a, b) : null;
  if (whole !== null && Number.isSafeInteger(whole)) return whole;
  const [left, right] = [scaled(a), scaled(b)];
  if (operator === "*") return unscaled(left.units * right.units, left.exponent + right.exponent);
  if (operator === "/") {
    const more = QUOTIENT_DIGITS + String(right.units).length;
    return unscaled((left.units * 10n ** BigInt(more)) / right.units, left.exponent - right.exponent - more);
  }
  const exponent = Math.min(left.exponent, right.exponent);
  const x = left.units * 10n ** BigInt(left.exponent - exponent);
  const y = right.units * 10n ** BigInt(right.exponent - exponent);
  return unscaled(operator === "+" ? x + y : operator === "-" ? x - y : x % y, exponent);
}

const QUOTIENT_DIGITS = 40;

/** The common case: whole numbers without conversion. */
function calculateWhole(operator: "+" | "-" | "*" | "/" | "%", a: number, b: number): number | null {
  if (operator === "/") return null;
  if (operator === "%") return a % b;
  return operator === "*" ? a * b : operator === "+" ? a + b : a - b;
}

interface Scaled {
  readonly units: bigint;
  readonly exponent: number;
}

function scaled(value: number): Scaled {
  const { negative, digits, exponent } = decimalOf(value);
  return { units: BigInt(negative ? `-${digits}` : digits), exponent: exponent - digits.length + 1 };
}

function unscaled(units: bigint, exponent: number): number {
  return Number(`${String(units)}e${String(exponent)}`);
}

/** `places` digits after the point; rounds halves to even. */
export function fixedText(value: number, places: number): string {
  const { negative, digits, exponent } = decimalOf(value);
  const kept = exponent + 1 + places;
  const units = kept < 0 ? 0n : roundDigits(digits, kept);
  const padded = String(units).padStart(places + 1, "0");
  const whole = padded.slice(0, padded.length - places);
  return `${negative ? "-" : ""}${whole}${places > 0 ? `.${padded.slice(-places)}` : ""}`;
}

/** One digit before the point and `places` after it, with an exponent of at least two digits. */
export function exponentText(value: number, places: number): string {
  const { negative, digits, exponent } = decimalOf(value);
  const units = String(roundDigits(digits, places + 1));
  const carried = units.length > places + 1;
  const shown = carried ? units.slice(0, -1) : units.padStart(places + 1, "0");
  const power = exponent + (carried ? 1 : 0);
  const fraction = places > 0 ? `.${shown.slice(1)}` : "";
  return `${negative ? "-" : ""}${shown.slice(0, 1)}${fraction}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}

/** The digits of a number, with an exponent only if it is below -4 or at least the precision. `precision` null shows all digits and counts as 6. */
export function generalText(value: number, precision: number | null): string {
  const wanted = precision === 0 ? 1 : precision;
  const rounded = wanted === null ? value : Number(exponentText(value, wanted - 1));
  const { digits, exponent } = decimalOf(rounded);
  const limit = wanted === null ? 6 : wanted > digits.length && digits.length >= exponent + 1 ? digits.length : wanted;
  return exponent < -4 || exponent >= limit ? exponentText(rounded, digits.length - 1) : numberText(rounded);
}

/** The first `count` digits as a whole number, rounded. */
function roundDigits(digits: string, count: number): bigint {
  if (digits.length <= count) return BigInt(digits.padEnd(count, "0"));
  const kept = BigInt(digits.slice(0, count) || "0");
  const rest = digits.slice(count);
  const half = `5${"0".repeat(rest.length - 1)}`;
  const up = rest > half || (rest === half && kept % 2n === 1n);
  return up ? kept + 1n : kept;
}
