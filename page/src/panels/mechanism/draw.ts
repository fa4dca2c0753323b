// Draws the mechanism at one time: walls, springs, dampers, bars, blocks, discs and arrows, in the places that the server computed.
import { ink } from "../../draw/theme";
import type { Frames, Shape } from "../../server/types";

type Place = [number, number];

export interface Film {
  shape: Shape;
  frames: Frames;
}

// The frame at a time, between two computed ones: places in proportion.
export function frameAt({ shape, frames }: Film, time: number): { points: number[]; radii: number[]; turns: number[] } {
  const { times } = frames;
  let low = 0;
  let high = times.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= time) low = middle;
    else high = middle;
  }
  const width = times[high]! - times[low]!;
  const share = width > 0 ? Math.min(1, Math.max(0, (time - times[low]!) / width)) : 0;
  const between = (rows: (number | null)[][], count: number): number[] =>
    Array.from({ length: count }, (_, i) => {
      const [a, b] = [rows[low]?.[i] ?? NaN, rows[high]?.[i] ?? NaN];
      return a + (b - a) * share;
    });
  return { points: between(frames.points, 2 * shape.points.length), radii: between(frames.radii, shape.discs.length), turns: between(frames.turns, shape.discs.length) };
}

// What is seen: a box about all frames; or, of a mechanism that goes far, a box of its own size that follows it.
interface View {
  width: number;
  height: number;
  centre: Place | null;
}

const FAR = 3;
const views = new WeakMap<Frames, View>();

function box(points: readonly (number | null)[], radii: readonly (number | null)[], shape: Shape): [number, number, number, number] | null {
  const sides: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  const take = (x: number | null | undefined, y: number | null | undefined, r: number): void => {
    if (x == null || y == null || !Number.isFinite(x + y + r)) return;
    sides[0] = Math.min(sides[0], x - r);
    sides[1] = Math.min(sides[1], y - r);
    sides[2] = Math.max(sides[2], x + r);
    sides[3] = Math.max(sides[3], y + r);
  };
  for (let i = 0; i < shape.points.length; i++) take(points[2 * i], points[2 * i + 1], 0);
  shape.discs.forEach(({ at }, i) => take(points[2 * at], points[2 * at + 1], radii[i] ?? 0));
  return sides[0] <= sides[2] ? sides : null;
}

export function viewOf({ shape, frames }: Film): View {
  const known = views.get(frames);
  if (known) return known;
  const [left, bottom, right, top] = frames.bounds ?? [0, 0, 1, 1];
  let view: View = { width: right - left, height: top - bottom, centre: [(left + right) / 2, (bottom + top) / 2] };
  const boxes = frames.points.flatMap((points, k) => box(points, frames.radii[k] ?? [], shape) ?? []);
  let [width, height] = [0, 0];
  for (let k = 0; k + 3 < boxes.length; k += 4) {
    width = Math.max(width, boxes[k + 2]! - boxes[k]!);
    height = Math.max(height, boxes[k + 3]! - boxes[k + 1]!);
  }
  if (Math.max(view.width, view.height) > FAR * Math.max(width, height) && Math.max(width, height) > 0) view = { width, height, centre: null };
  views.set(frames, view);
  return view;
}

export function drawMechanism(pen: CanvasRenderingContext2D, width: number, height: number, film: Film, time: number): void {
  const { shape } = film;
  const { points, radii, turns } = frameAt(film, time);
  const view = viewOf(film);
  const own = view.centre ? null : box(points, radii, shape);
  const centre: Place = view.centre ?? (own ? [(own[0] + own[2]) / 2, (own[1] + own[3]) / 2] : [0, 0]);
  const margin = 28;
  const scale = Math.min((width - 2 * margin) / (view.width || 1e-9), (height - 2 * margin) / (view.height || 1e-9));
  const px = (x: number): number => width / 2 + (x - centre[0]) * scale;
  const py = (y: number): number => height / 2 - (y - centre[1]) * scale;
  const place = (i: number): Place => [px(points[2 * i] ?? NaN), py(points[2 * i + 1] ?? NaN)];
  pen.fillStyle = ink("page");
  pen.fillRect(0, 0, width, height);
  pen.lineCap = "round";
  pen.lineJoin = "round";
  for (const { from, to } of shape.walls) wall(pen, place(from), place(to), [centre[0] * scale, -centre[1] * scale]);
  pen.strokeStyle = ink("soft");
  pen.lineWidth = 1.5;
  for (const { from, to } of shape.springs) spring(pen, place(from), place(to));
  for (const { from, to } of shape.dampers) damper(pen, place(from), place(to));
  for (const corners of shape.polygons) {
    path(pen, corners.map(place));
    pen.closePath();
    pen.fillStyle = ink("body");
    pen.fill();
    pen.strokeStyle = ink("edge");
    pen.lineWidth = 2;
    pen.stroke();
  }
  pen.strokeStyle = ink("edge");
  pen.lineWidth = 3.5;
  for (const { from, to } of shape.segments) {
    path(pen, [place(from), place(to)]);
    pen.stroke();
  }
  shape.discs.forEach(({ at, turns: shows }, i) => {
    const [x, y] = place(at);
    const r = Math.max(3, (radii[i] ?? 0) * scale);
    pen.beginPath();
    pen.arc(x, y, r, 0, 2 * Math.PI);
    pen.fillStyle = ink("body");
    pen.fill();
    pen.strokeStyle = ink("edge");
    pen.lineWidth = 2;
    pen.stroke();
    if (!shows) return;
    const turn = turns[i] ?? 0;
    path(pen, [[x, y], [x + r * Math.cos(turn), y - r * Math.sin(turn)]]);
    pen.stroke();
  });
  for (const { from, to } of shape.arrows ?? []) arrow(pen, place(from), place(to));
}

function arrow(pen: CanvasRenderingContext2D, a: Place, b: Place): void {
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
  if (!(length > 1)) return;
  const [ux, uy] = [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
  const head = Math.min(9, length);
  pen.strokeStyle = pen.fillStyle = ink("vermillion");
  pen.lineWidth = 2;
  path(pen, [a, [b[0] - ux * head, b[1] - uy * head]]);
  pen.stroke();
  path(pen, [b, [b[0] - ux * head - uy * head * 0.45, b[1] - uy * head + ux * head * 0.45], [b[0] - ux * head + uy * head * 0.45, b[1] - uy * head - ux * head * 0.45]]);
  pen.closePath();
  pen.fill();
}

function path(pen: CanvasRenderingContext2D, places: Place[]): void {
  pen.beginPath();
  places.forEach(([x, y], i) => (i ? pen.lineTo(x, y) : pen.moveTo(x, y)));
}

// A wall, hatched on the right-hand side of its way. The hatching keeps its place when the view follows the mechanism by `shift`.
function wall(pen: CanvasRenderingContext2D, a: Place, b: Place, shift: Place): void {
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
  if (!(length > 0)) return;
  const [ux, uy] = [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
  // Ordinates of a canvas go down, so that the right-hand side is (-uy, ux) there.
  const [nx, ny] = [-uy, ux];
  pen.strokeStyle = ink("frame");
  pen.lineWidth = 2;
  path(pen, [a, b]);
  pen.stroke();
  pen.lineWidth = 1;
  pen.beginPath();
  const along = -((a[0] + shift[0]) * ux + (a[1] + shift[1]) * uy);
  for (let s = ((along % 9) + 9) % 9; s <= length; s += 9) {
    const [x, y] = [a[0] + ux * s, a[1] + uy * s];
    pen.moveTo(x, y);
    pen.lineTo(x + 8 * (nx - ux * 0.7), y + 8 * (ny - uy * 0.7));
  }
  pen.stroke();
}

function spring(pen: CanvasRenderingContext2D, a: Place, b: Place): void {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const length = Math.hypot(dx, dy) || 1;
  const [nx, ny] = [(-dy / length) * 7, (dx / length) * 7];
  const turns = 10;
  const places: Place[] = [a, [a[0] + dx * 0.12, a[1] + dy * 0.12]];
  for (let k = 0; k < turns; k++) {
    const share = 0.12 + (0.76 * (k + 0.5)) / turns;
    const side = k % 2 ? 1 : -1;
    places.push([a[0] + dx * share + side * nx, a[1] + dy * share + side * ny]);
  }
  places.push([a[0] + dx * 0.88, a[1] + dy * 0.88], b);
  path(pen, places);
  pen.stroke();
}

function damper(pen: CanvasRenderingContext2D, a: Place, b: Place): void {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const length = Math.hypot(dx, dy) || 1;
  const [nx, ny] = [(-dy / length) * 7, (dx / length) * 7];
  const at = (share: number, side: number): Place => [a[0] + dx * share + side * nx, a[1] + dy * share + side * ny];
  for (const line of [[a, at(0.4, 0)], [at(0.6, 1), at(0.4, 1), at(0.4, -1), at(0.6, -1)], [at(0.52, 0.8), at(0.52, -0.8)], [at(0.52, 0), b]]) {
    path(pen, line);
    pen.stroke();
  }
}
