// Reads the typed fields of a question: values to send, and sentences at the fields that are wrong.
import { entry, whole } from "../model/entry";
import { numberOf } from "../model/numbers";
import { evaluate } from "./formula";
import type { Typed } from "./form";

export class Reading {
  readonly wrong: Record<string, string> = {};

  constructor(private readonly typed: Typed) {}

  private text(name: string): string {
    return (this.typed[name] ?? "").trim();
  }

  // A number or a formula.
  value(name: string, limits: { min?: number; max?: number } = {}): number | string | undefined {
    return this.take(name, entry(this.text(name), { ...limits, parameter: numberOf }));
  }

  whole(name: string, least: number, most?: number): number {
    return (this.take(name, whole(this.text(name), least, most, numberOf)) as number | undefined) ?? NaN;
  }

  // A whole number, or nothing.
  optional(name: string, least: number, most?: number): number | undefined {
    return this.text(name) === "" ? undefined : this.whole(name, least, most);
  }

  // A number or a formula, or nothing.
  maybe(name: string, limits: { min?: number; max?: number } = {}): number | string | undefined {
    return this.text(name) === "" ? undefined : this.value(name, limits);
  }

  // Two numbers or formulas in ascending order.
  range(low: string, high: string): [number | string, number | string] {
    const found: [number | string, number | string] = [this.value(low) ?? NaN, this.value(high) ?? NaN];
    const [a, b] = found.map(valueOfEnd);
    if (a !== null && b !== null && !(a! < b!) && !this.wrong[low] && !this.wrong[high]) this.wrong[high] = "The end must be above the beginning.";
    return found;
  }

  private take(name: string, found: { value: number | string } | { mistake: string }): number | string | undefined {
    if ("mistake" in found) {
      this.wrong[name] = found.mistake;
      return undefined;
    }
    return found.value;
  }

  get right(): boolean {
    return Object.keys(this.wrong).length === 0;
  }
}

// The value of an end of a range, as far as the page can tell.
export const valueOfEnd = (end: number | string): number | null => (typeof end === "number" ? end : evaluate(end, numberOf));

// Both ends as numbers, or null where only the server knows them.
export function ends(range: unknown): [number, number] | null {
  if (!Array.isArray(range) || range.length !== 2) return null;
  const [a, b] = range.map((end) => valueOfEnd(end as number | string));
  return typeof a === "number" && typeof b === "number" && Number.isFinite(a) && Number.isFinite(b) ? [a, b] : null;
}

// Leaves out what is undefined.
export function given(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
}
