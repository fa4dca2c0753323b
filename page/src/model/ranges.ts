// The range of a slider: the limits of the parameter, else values around the present one.
export interface Range {
  low: number;
  high: number;
  step: number;
}

// The largest of 1, 2, 5 times a power of ten that is not above.
export function roundStep(size: number): number {
  const power = 10 ** Math.floor(Math.log10(size));
  const ratio = size / power;
  return (ratio >= 5 ? 5 : ratio >= 2 ? 2 : 1) * power;
}

export function range(value: number, min: number | null, max: number | null): Range {
  const size = Math.abs(value) || 1;
  let low = min ?? (value > 0 ? 0 : value - size);
  let high = max ?? (value < 0 && (max ?? 0) >= 0 ? 0 : value + size);
  if (max !== null && max > 0 && min === null && value < 0) high = max;
  if (min !== null && max === null) high = Math.max(value + size, min + 2 * (value - min));
  if (max !== null && min === null && value > 0) low = Math.min(0, value);
  if (!(high > low)) high = low + size;
  const step = roundStep((high - low) / 400);
  return { low, high, step };
}

// The range that also holds this value.
export function holding(range: Range, value: number): Range {
  if (value >= range.low && value <= range.high) return range;
  return { ...range, low: Math.min(range.low, value), high: Math.max(range.high, value) };
}

// A value of the slider, without the rounding of its multiples: as many decimals as its step has.
export function onStep(value: number, range: Range): number {
  const decimals = Math.min(15, Math.max(0, -Math.floor(Math.log10(range.step) + 1e-9) + 1));
  return Number(value.toFixed(decimals));
}
