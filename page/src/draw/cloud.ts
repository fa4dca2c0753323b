// Draws millions of points in double precision: counts how many fall on each pixel, and paints a pixel the stronger the more it holds.
//
// Points whose abscissas ascend, as those of a sweep do, are searched for the visible ones first, so that a magnified part costs what it shows.
export interface Place {
  // Pixels of the image, and the values at its edges.
  width: number;
  height: number;
  x0: number;
  x1: number;
  y0: number;
  y1: number;
}

const ascends = new WeakMap<Float64Array, boolean>();

function ascending(x: Float64Array): boolean {
  const known = ascends.get(x);
  if (known !== undefined) return known;
  let found = true;
  for (let i = 1; i < x.length; i++) {
    if (!(x[i]! >= x[i - 1]!)) {
      found = false;
      break;
    }
  }
  ascends.set(x, found);
  return found;
}

// The first index whose value is not below.
export function firstFrom(x: Float64Array, value: number): number {
  let low = 0;
  let high = x.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (x[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Counts the points on each pixel, `dot` pixels wide; the number of points that are visible.
export function countPoints(counts: Uint32Array, x: Float64Array, y: Float64Array, place: Place, dot: number): number {
  const { width, height, x0, y1 } = place;
  const sx = width / (place.x1 - x0);
  const sy = height / (y1 - place.y0);
  let from = 0;
  let to = x.length;
  if (ascending(x)) {
    from = firstFrom(x, x0);
    to = firstFrom(x, place.x1 + (place.x1 - x0) / width);
  }
  let visible = 0;
  const w = width - dot + 1;
  const h = height - dot + 1;
  const half = (dot - 1) / 2;
  for (let i = from; i < to; i++) {
    const px = (x[i]! - x0) * sx - half;
    const py = (y1 - y[i]!) * sy - half;
    // Not finite numbers fail these, too.
    if (!(px >= 0 && px < w && py >= 0 && py < h)) continue;
    visible += 1;
    const at = (py | 0) * width + (px | 0);
    counts[at]! += 1;
    if (dot > 1) {
      counts[at + 1]! += 1;
      counts[at + width]! += 1;
      counts[at + width + 1]! += 1;
    }
  }
  return visible;
}

// Paints the counts with a colour; a pixel with one point has the opacity `single`.
export function paint(pixels: Uint32Array, counts: Uint32Array, [red, green, blue]: [number, number, number, number], single: number): void {
  const shades = new Uint32Array(256);
  for (let n = 1; n < 256; n++) {
    const alpha = Math.round(255 * (1 - (1 - single) ** n));
    shades[n] = ((alpha << 24) | (blue << 16) | (green << 8) | red) >>> 0;
  }
  for (let i = 0; i < counts.length; i++) {
    const n = counts[i]!;
    pixels[i] = n === 0 ? 0 : shades[n > 255 ? 255 : n]!;
  }
}
