// What the server says about the fields of a question: their help, their bounds and their words.
import type { Field } from "../server/types";
import { system } from "./state";
import { plain } from "./words";

function field(question: string, name: string): Field | undefined {
  return system.value?.questions[question]?.form.find((one) => one.name === name);
}

// What a field means, and what holds without it.
export function help(question: string, name: string): string {
  const found = field(question, name);
  if (!found) return "";
  const text = found.here || found.help + (found.usual ? `; by default ${found.usual}` : "");
  return plain(question, text).replace(/`/g, "");
}

// The least and the greatest value of a whole number.
export function bounds(question: string, name: string): [number, number] {
  const found = field(question, name);
  return [found?.least ?? 0, found?.most ?? Number.MAX_SAFE_INTEGER];
}

// What holds without a field.
export function usual(question: string, name: string): string {
  return field(question, name)?.usual ?? "";
}

// The words of a field.
export function words(question: string, name: string): string[] {
  return field(question, name)?.words ?? [];
}
