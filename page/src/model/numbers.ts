// The number that a parameter has now: the one that is typed, that of its formula as the server last said, or that of the model.
import { Signal } from "../parts/signal";
import { system, typedSet } from "./state";

// The values of parameters that follow others, or are formulas themselves, at the numbers that are set.
export const parameters = new Signal<Record<string, number>>({});
// The same for initial values.
export const start = new Signal<Record<string, number>>({});
// The least and the greatest value of every state that walls leave free.
export const walls = new Signal<Record<string, [number | null, number | null]>>({});

export function numberOf(name: string): number | undefined {
  const typed = typedSet.value[name];
  const number = typed === undefined || typed.trim() === "" ? NaN : Number(typed);
  if (Number.isFinite(number)) return number;
  return parameters.value[name] ?? system.value?.parameters.find((one) => one.name === name)?.value;
}
