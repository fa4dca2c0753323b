// Reads the typed fields of a question: values to send, and sentences at the fields that are wrong.
import { entry, whole } from "../model/entry";
import type { Typed } from "./form";

export class Reading {
  readonly wrong: Record<string, string> = {};

  constructor(private readonly typed: Typed) {}

  private text(name: string): string {
    return (this.typed[name] ?? "").trim();
  }

  // A number or a formula.
  value(name: string): number | string | undefined {
    return this.take(name, entry(this.text(name)));
  }

  number(name: string): number {
    return (this.take(name, entry(this.text(name), { formula: false })) as number | undefined) ?? NaN;
  }

  whole(name: string, least: number, most?: number): number {
    return (this.take(name, whole(this.text(name), least, most)) as number | undefined) ?? NaN;
  }

  // A whole number, or nothing.
  optional(name: string, least: number, most?: number): number | undefined {
    return this.text(name) === "" ? undefined : this.whole(name, least, most);
  }

  // A number or a formula, or nothing.
  maybe(name: string): number | string | undefined {
    return this.text(name) === "" ? undefined : this.value(name);
  }

  // Two numbers in ascending order.
  range(low: string, high: string): [number | string, number | string] {
    const found: [number | string, number | string] = [this.value(low) ?? NaN, this.value(high) ?? NaN];
    const [a, b] = found;
    if (typeof a === "number" && typeof b === "number" && !(a < b) && !this.wrong[low] && !this.wrong[high]) this.wrong[high] = "The end must be above the beginning.";
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

// Leaves out what is undefined.
export function given(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
}
