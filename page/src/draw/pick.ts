// What a click means: a mark within reach, the visible ones first; else the nearest point of a line that can be picked, wherever on the line the click is.
import type { Layer, Mark } from "./layers";

// How far from a mark or a line a click may be, in pixels.
export const REACH = 12;

type Place = (mark: { x: number; y: number }) => [number, number];

// The distance from a place to a segment in pixels, and the share of the segment at its nearest point.
export function toSegment([px, py]: [number, number], [ax, ay]: [number, number], [bx, by]: [number, number]): { distance: number; share: number } {
  const [dx, dy] = [bx - ax, by - ay];
  const square = dx * dx + dy * dy;
  const share = square > 0 ? Math.min(1, Math.max(0, ((px - ax) * dx + (py - ay) * dy) / square)) : 0;
  return { distance: Math.hypot(px - ax - share * dx, py - ay - share * dy), share };
}

export function pickAt(layers: Layer[], at: [number, number], place: Place, within = REACH): Mark | null {
  let found: Mark | null = null;
  let least = within;
  for (const layer of layers) {
    if (layer.kind !== "marks") continue;
    for (const mark of layer.marks) {
      const [x, y] = place(mark);
      const distance = Math.hypot(x - at[0], y - at[1]);
      if (distance <= least) [least, found] = [distance, mark];
    }
  }
  if (found) return found;
  for (const layer of layers) {
    if (layer.kind !== "track") continue;
    layer.marks.forEach((mark, i) => {
      const here = place(mark);
      const next = layer.marks[i + 1];
      const { distance, share } = toSegment(at, here, next ? place(next) : here);
      // Not finite numbers fail this, too.
      if (distance <= least) [least, found] = [distance, next && share > 0.5 ? next : mark];
    });
  }
  return found;
}
