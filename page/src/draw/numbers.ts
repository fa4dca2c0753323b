// Numbers as text: six significant digits for reading, all digits on demand.
export function short(value: number | null | undefined, digits = 6): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 1e6 || size < 1e-4 ? value.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("e+", "e") : trimmed(value.toPrecision(digits));
  return text.replace(/-/g, "−");
}

function trimmed(text: string): string {
  return text.includes(".") && !text.includes("e") ? text.replace(/\.?0+$/, "") : text;
}

export const full = (value: number | null | undefined): string => (value === null || value === undefined ? "" : String(value));

export function complex([re, im]: [number, number], digits = 6): string {
  if (im === 0) return short(re, digits);
  return `${short(re, digits)} ${im < 0 ? "−" : "+"} ${short(Math.abs(im), digits)}i`;
}

export function count(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, " ");
}

// `1 impact`, `2 impacts`.
export const many = (number: number, one: string, more = `${one}s`): string => `${count(number)} ${number === 1 ? one : more}`;
