// The ranges that fields propose for a parameter or a state.
import { system } from "./state";

// A tenth of the value to both sides, within the limits of the parameter.
export function around(value: number, min: number | null = null, max: number | null = null, share = 0.1): [number, number] {
  const size = Math.abs(value) * share || share;
  return [trim(Math.max(min ?? -Infinity, value - size)), trim(Math.min(max ?? Infinity, value + size))];
}

export function aroundParameter(name: string, value: number, share = 0.1): [number, number] {
  const one = system.value?.parameters.find((parameter) => parameter.name === name);
  return around(value, one?.min ?? null, one?.max ?? null, share);
}

const trim = (value: number): number => Number(value.toPrecision(6));

// The parameters that can vary: those that are numbers.
export function free(): string[] {
  return (system.value?.parameters ?? []).filter((one) => one.formula === null).map((one) => one.name);
}

// The description of a parameter or state on an axis.
export function axisOf(name: string): { label: string; unit: string | null } {
  const parameter = system.value?.parameters.find((one) => one.name === name);
  const state = system.value?.states.find((one) => one.name === name);
  const label = parameter?.about ? `${parameter.about}, ${parameter.symbol ?? name}` : (parameter?.symbol ?? name);
  return { label, unit: parameter?.unit ?? state?.unit ?? null };
}
