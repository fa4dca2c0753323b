// The ranges that fields propose for a parameter or a state.
import { numberOf, walls } from "./numbers";
import { system } from "./state";

// A tenth of the value to both sides, within the limits of the parameter.
export function around(value: number, min: number | null = null, max: number | null = null, share = 0.1): [number, number] {
  const size = Math.abs(value) * share || share;
  return within(trim(value - size), trim(value + size), min, max);
}

// A range within limits; one that lies outside of them begins at the limit and is as wide.
export function within(low: number, high: number, min: number | null, max: number | null): [number, number] {
  const width = high - low;
  const [a, b] = [Math.max(min ?? -Infinity, low), Math.min(max ?? Infinity, high)];
  if (a < b) return [a, b];
  return min !== null && low <= min ? [min, Math.min(max ?? Infinity, min + width)] : [Math.max(min ?? -Infinity, (max ?? high) - width), max ?? high];
}

export function aroundParameter(name: string, value: number, share = 0.1): [number, number] {
  const one = system.value?.parameters.find((parameter) => parameter.name === name);
  return around(value, one?.min ?? null, one?.max ?? null, share);
}

// A range of a state that lies in front of the walls.
export function freeOfWalls(name: string, low: number, high: number): [number, number] {
  const [min, max] = walls.value[name] ?? [null, null];
  return within(low, high, min, max);
}

const trim = (value: number): number => Number(value.toPrecision(6));

// The parameters that can vary: those that are numbers; the amplitude and the frequency of the forcing come first.
export function free(): string[] {
  const own = system.value;
  const names = (own?.parameters ?? []).filter((one) => one.formula === null).map((one) => one.name);
  const forcing = (own?.forcing ?? []).filter((name) => names.includes(name));
  return [...forcing, ...names.filter((name) => !forcing.includes(name))];
}

// The number of a parameter; NaN of an unknown one.
export const valueOf = (name: string): number => numberOf(name) ?? NaN;

// The description of a parameter or state on an axis.
export function axisOf(name: string): { label: string; unit: string | null } {
  const parameter = system.value?.parameters.find((one) => one.name === name);
  const state = system.value?.states.find((one) => one.name === name);
  const label = parameter?.about ? `${parameter.about}, ${parameter.symbol ?? name}` : (parameter?.symbol ?? name);
  return { label, unit: parameter?.unit ?? state?.unit ?? null };
}
