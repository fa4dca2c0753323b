// The ticks of an axis: multiples of 1, 2 or 5 times a power of ten, with as many decimals as tell them apart.
export interface Tick {
  at: number;
  label: string;
}

export function ticks(low: number, high: number, most: number): Tick[] {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return [];
  const raw = span / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(raw));
  const ratio = raw / power;
  const step = (ratio <= 1 ? 1 : ratio <= 2 ? 2 : ratio <= 5 ? 5 : 10) * power;
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  const size = Math.max(Math.abs(low), Math.abs(high));
  const exponent = size >= 1e6 || size < 1e-3 ? Math.floor(Math.log10(size)) : 0;
  const found: Tick[] = [];
  for (let k = first; k <= last && found.length < 60; k++) {
    const at = k * step;
    found.push({ at, label: label(k === 0 ? 0 : at, decimals, exponent) });
  }
  return found;
}

function label(value: number, decimals: number, exponent: number): string {
  if (exponent === 0) return value.toFixed(Math.min(decimals, 17)).replace("-", "−");
  if (value === 0) return "0";
  const digits = Math.min(15, Math.max(0, decimals + exponent));
  return `${(value / 10 ** exponent).toFixed(digits)}e${exponent}`.replaceAll("-", "−");
}

// Ticks of an axis whose values are logarithms to base ten: whole powers, or 1, 2 and 5 between them.
export function powers(low: number, high: number, most: number): Tick[] {
  const span = high - low;
  const found: Tick[] = [];
  if (!(span > 0) || !Number.isFinite(span)) return found;
  if (span < 1.5) {
    for (let k = Math.floor(low); k <= high; k++) {
      for (const mantissa of span < 0.3 ? [1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9] : [1, 2, 5]) {
        const at = k + Math.log10(mantissa);
        if (at >= low && at <= high) found.push({ at, label: k > 4 || k < -3 ? `${mantissa}e${k}`.replace("-", "−") : String(Number((mantissa * 10 ** k).toPrecision(3))) });
      }
    }
    return found;
  }
  const step = Math.max(1, Math.ceil(span / Math.max(1, most)));
  for (let k = Math.ceil(low / step) * step; k <= high; k += step) found.push({ at: k, label: k > 4 || k < -3 ? `1e${k}`.replace("-", "−") : String(Number((10 ** k).toPrecision(3))) });
  return found;
}
