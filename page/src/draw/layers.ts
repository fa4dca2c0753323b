// What a plane shows, as data: lines, clouds, images, bands and marks, each with its colour and the words of the legend.
import type { Ink } from "./theme";

export type Numbers = ArrayLike<number>;

// A colour of the theme, or a colour that is the same in light and dark.
export type Colour = Ink | `#${string}`;

export type Shape = "circle" | "square" | "triangle" | "cross" | "ring";

export interface Mark {
  x: number;
  y: number;
  title: string;
  // What a click on it picks.
  pick?: unknown;
}

export type Layer =
  // A line; NaN breaks it.
  | { kind: "line"; x: Numbers; y: Numbers; colour: Colour; width?: number; dash?: number[]; label?: string; outside?: boolean }
  // Points, up to millions.
  | { kind: "cloud"; x: Float64Array; y: Float64Array; colour: Colour; label?: string }
  | { kind: "marks"; marks: Mark[]; shape: Shape; colour: Colour; size: number; label?: string }
  // Points in their order along a line that is drawn elsewhere: a click on the line picks the nearest of them.
  | { kind: "track"; marks: Mark[] }
  // Arrows of one length at their places, in the direction of the rates.
  | { kind: "arrows"; x: Numbers; y: Numbers; u: Numbers; v: Numbers; colour: Colour; label?: string }
  | { kind: "image"; image: HTMLCanvasElement; box: Box }
  | { kind: "bands"; bands: [number, number][]; colour: Ink; label?: string }
  // Vertical lines, or one horizontal one.
  | { kind: "verticals"; at: number[]; colour: Colour; label?: string }
  | { kind: "level"; at: number; colour: Colour };

export interface Box {
  x0: number;
  x1: number;
  y0: number;
  y1: number;
}

export interface Axis {
  label: string;
  unit?: string | null;
  // The values are logarithms to base ten.
  log?: boolean;
  fixed?: [number, number];
}

export interface Picture {
  x: Axis;
  y: Axis;
  layers: Layer[];
  // One unit is as long up as across.
  equal?: boolean;
}

// The least box that holds all layers, with a margin; lines that are marked `outside` do not count.
export function fit(picture: Picture): Box {
  let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
  const take = (x: number, y: number): void => {
    if (!Number.isFinite(x) || !Number.isFinite(y)) return;
    if (x < x0) x0 = x;
    if (x > x1) x1 = x;
    if (y < y0) y0 = y;
    if (y > y1) y1 = y;
  };
  let tight = false;
  for (const outside of [false, true]) {
    for (const layer of picture.layers) {
      if (layer.kind === "line" && (layer.outside ?? false) === outside) for (let i = 0; i < layer.x.length; i++) take(layer.x[i]!, layer.y[i]!);
      else if (outside) continue;
      else if (layer.kind === "cloud") for (let i = 0; i < layer.x.length; i++) take(layer.x[i]!, layer.y[i]!);
      else if (layer.kind === "marks" || layer.kind === "track") for (const mark of layer.marks) take(mark.x, mark.y);
      else if (layer.kind === "image") {
        tight = true;
        take(layer.box.x0, layer.box.y0);
        take(layer.box.x1, layer.box.y1);
      } else if (layer.kind === "level" && y0 <= y1) take(x0, layer.at);
    }
    if (x0 <= x1) break;
  }
  if (!(x0 <= x1)) [x0, x1, y0, y1] = [0, 1, 0, 1];
  const wide = (low: number, high: number, share: number): [number, number] => {
    // Values that differ by rounding only are one value.
    const size = Math.max(Math.abs(low), Math.abs(high));
    if (high - low <= 1e-13 * size || high === low) return [low - (0.1 * size || 1), high + (0.1 * size || 1)];
    return [low - share * (high - low), high + share * (high - low)];
  };
  const [a, b] = picture.x.fixed ?? wide(x0, x1, tight ? 0 : 0.02);
  const [c, d] = picture.y.fixed ?? wide(y0, y1, tight ? 0 : 0.06);
  return { x0: a, x1: b, y0: c, y1: d };
}
