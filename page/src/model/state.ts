// What is set: the text of the model, its checked system, and the values of parameters and start that differ from it.
import { Signal } from "../parts/signal";
import { json, Refused } from "../server/http";
import type { Mistake, System, Values } from "../server/types";
import { entry } from "./entry";

type Typed = Record<string, string>;

export const name = new Signal("");
export const text = new Signal("");
export const system = new Signal<System | null>(null);
export const mistakes = new Signal<Mistake[]>([]);
export const checking = new Signal(false);
// What is typed into the fields, by name; only what differs from the model.
export const typedSet = new Signal<Typed>({});
export const typedStart = new Signal<Typed>({});
// What the server says about a value, by name.
export const refusals = new Signal<Record<string, string>>({});
// The text of the model that the system is of.
export const checkedText = new Signal("");
// The text as it was opened or last saved: what differs from it are edits.
export const original = new Signal("");

export interface Asking {
  text: string;
  set: Values;
  start: Values;
}

function read(typed: Typed, limits: (name: string) => { min: number | null; max: number | null }): { values: Values; wrong: Record<string, string> } {
  const values: Values = {};
  const wrong: Record<string, string> = {};
  for (const [name, text] of Object.entries(typed)) {
    const found = entry(text, limits(name));
    if ("mistake" in found) wrong[name] = found.mistake;
    else values[name] = found.value;
  }
  return { values, wrong };
}

const free = { min: null, max: null };

export function parametersRead(): ReturnType<typeof read> {
  const all = system.value?.parameters ?? [];
  return read(typedSet.value, (name) => all.find((one) => one.name === name) ?? free);
}

export function startRead(): ReturnType<typeof read> {
  return read(typedStart.value, () => free);
}

// What questions are asked about; null while the model or a field is wrong.
export function asking(): Asking | null {
  if (!system.value || mistakes.value.length || checking.value || text.value !== checkedText.value) return null;
  const parameters = parametersRead();
  const start = startRead();
  if (Object.keys(parameters.wrong).length || Object.keys(start.wrong).length) return null;
  return { text: checkedText.value, set: parameters.values, start: start.values };
}

// At what returns can be counted: the phases of the forcing, and the sections of the model.
export function sections(): string[] {
  const own = system.value;
  if (!own) return [];
  return [...new Set([...own.states.filter((one) => one.kind === "phase").map((one) => one.name), ...own.sections])];
}

// Why nothing can be asked, in one sentence.
export function whyNot(): string | null {
  if (mistakes.value.length) return "The model has a mistake; see Model.";
  if (checking.value || text.value !== checkedText.value) return "The model is being checked.";
  const wrong = { ...parametersRead().wrong, ...startRead().wrong };
  const [first] = Object.entries(wrong);
  if (first) return `${first[0]}: ${first[1]}`;
  return system.value ? null : "There is no model.";
}

export function startOf(name: string): number {
  const state = system.value?.states.find((one) => one.name === name);
  const set = startRead().values[name];
  return typeof set === "number" ? set : (state?.start ?? NaN);
}

const without = <T>(record: Record<string, T>, name: string): Record<string, T> => Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));

export function setParameter(name: string, typed: string | null): void {
  refusals.value = without(refusals.value, name);
  typedSet.value = typed === null ? without(typedSet.value, name) : { ...typedSet.value, [name]: typed };
}

export function setStart(name: string, typed: string | null): void {
  refusals.value = without(refusals.value, name);
  typedStart.value = typed === null ? without(typedStart.value, name) : { ...typedStart.value, [name]: typed };
}

// Loads numbers of an answer: parameters and a state.
export function load(parameters: Record<string, number>, state: Record<string, number>): void {
  const own = system.value;
  if (!own) return;
  const set = { ...typedSet.value };
  for (const one of own.parameters) {
    const value = parameters[one.name];
    if (typeof value !== "number" || one.formula !== null) continue;
    if (value === one.value) delete set[one.name];
    else set[one.name] = String(value);
  }
  const start = { ...typedStart.value };
  for (const one of own.states) {
    const value = state[one.name];
    if (typeof value !== "number") continue;
    if (value === one.start) delete start[one.name];
    else start[one.name] = String(value);
  }
  refusals.value = {};
  typedStart.value = start;
  typedSet.value = set;
}

export function resetValues(): void {
  refusals.value = {};
  typedSet.value = {};
  typedStart.value = {};
}

let newest = 0;
// What a new system is: another model, another text of the same model, or the same text again.
export type News = "model" | "text" | "same";
const onChange = new Set<(news: News) => void>();

// Called with each new system.
export function whenChecked(listener: (news: News) => void): void {
  onChange.add(listener);
}

export async function check(body: { text: string } | { gallery: string }, newName?: string): Promise<void> {
  const mine = ++newest;
  if ("text" in body) text.value = body.text;
  checking.value = true;
  try {
    const answer = await json<{ text: string; system: System }>("system", body);
    if (mine !== newest) return;
    const other = newName !== undefined;
    if (other) resetValues();
    // A text that says another name is another model to those who look for it.
    name.value = answer.system.name;
    const news = other ? "model" : answer.text === checkedText.value ? "same" : "text";
    if (other) original.value = answer.text;
    text.value = answer.text;
    checkedText.value = answer.text;
    mistakes.value = [];
    const names = new Set([...answer.system.parameters, ...answer.system.states].map((one) => one.name));
    const kept = (typed: Typed): Typed => Object.fromEntries(Object.entries(typed).filter(([key]) => names.has(key)));
    typedSet.value = kept(typedSet.value);
    typedStart.value = kept(typedStart.value);
    checking.value = false;
    system.value = answer.system;
    for (const listener of onChange) listener(news);
  } catch (error) {
    if (mine !== newest) return;
    checking.value = false;
    if (error instanceof Refused) {
      if (newName !== undefined) {
        name.value = newName;
        original.value = text.value;
      }
      mistakes.value = error.mistakes.length ? error.mistakes : [{ message: error.message }];
    }
    else mistakes.value = [{ message: error instanceof Error ? error.message : String(error) }];
  }
}
