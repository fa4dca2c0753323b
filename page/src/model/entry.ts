// Reads what is typed into a field: a number within its limits, a formula, or a mistake in one sentence.
export type Entry = { value: number | string } | { mistake: string };

export interface Limits {
  min?: number | null;
  max?: number | null;
  formula?: boolean;
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

export function entry(text: string, { min, max, formula = true }: Limits = {}): Entry {
  const typed = text.trim();
  if (typed === "") return { mistake: "Enter a number." };
  if (/^[+-]?(nan|inf|infinity)$/i.test(typed)) return { mistake: `${typed} is not a finite number.` };
  if (!NUMBER.test(typed)) return formula ? { value: typed } : { mistake: `“${typed}” is not a number.` };
  const value = Number(typed);
  if (!Number.isFinite(value)) return { mistake: `${typed} is not a finite number.` };
  if (typeof min === "number" && value < min) return { mistake: `The least value is ${min}.` };
  if (typeof max === "number" && value > max) return { mistake: `The greatest value is ${max}.` };
  return { value };
}

// A whole number of at least `least`.
export function whole(text: string, least: number, most = 1e9): Entry {
  const read = entry(text, { formula: false });
  if ("mistake" in read) return read;
  const value = read.value as number;
  if (!Number.isInteger(value)) return { mistake: "Enter a whole number." };
  if (value < least) return { mistake: `The least value is ${least}.` };
  if (value > most) return { mistake: `The greatest value is ${most}.` };
  return { value };
}
