// Reads what is typed into a field: a number within its limits, a formula, or a mistake in one sentence.
import { evaluate } from "../parts/formula";

export type Entry = { value: number | string } | { mistake: string };

export interface Limits {
  min?: number | null;
  max?: number | null;
  // The values of parameters in formulas.
  parameter?: (name: string) => number | undefined;
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

export function entry(text: string, { min, max, parameter }: Limits = {}): Entry {
  const typed = text.trim();
  if (typed === "") return { mistake: "Enter a number." };
  if (/^[+-]?(nan|inf|infinity)$/i.test(typed)) return { mistake: `${typed} is not a finite number.` };
  const isNumber = NUMBER.test(typed);
  const value = isNumber ? Number(typed) : evaluate(typed, parameter);
  // What only the server can read it judges.
  if (value === null) return { value: typed };
  if (!Number.isFinite(value)) return { mistake: `${typed} is not a finite number.` };
  if (typeof min === "number" && value < min) return { mistake: `The least value is ${min}.` };
  if (typeof max === "number" && value > max) return { mistake: `The greatest value is ${max}.` };
  return { value: isNumber ? value : typed };
}

// A whole number of at least `least`; a formula stands for its value.
export function whole(text: string, least: number, most = 1e9, parameter?: Limits["parameter"]): Entry {
  const typed = text.trim();
  const read = entry(typed, parameter ? { parameter } : {});
  if ("mistake" in read) return read;
  const value = typeof read.value === "number" ? read.value : evaluate(read.value, parameter);
  if (value === null) return { mistake: `“${typed}” is not a number.` };
  if (!Number.isInteger(value)) return { mistake: "Enter a whole number." };
  if (value < least) return { mistake: `The least value is ${least}.` };
  if (value > most) return { mistake: `The greatest value is ${most}.` };
  return { value };
}
