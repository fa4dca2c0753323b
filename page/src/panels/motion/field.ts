// The vector field of a plane of two states, its nullclines, the surfaces of switches and the walls, as the server has them, and as layers of a picture.
import type { Box, Layer } from "../../draw/layers";
import type { Ink } from "../../draw/theme";
import { asking } from "../../model/state";
import { Signal } from "../../parts/signal";
import { json, Refused } from "../../server/http";

type Points = [number, number][];

export interface Field {
  states: [string, string];
  planar: boolean;
  held: Record<string, number>;
  x: number[];
  y: number[];
  rates: ([number, number] | null)[];
  nullclines: { state: string; points: Points }[];
  nullclines_left_out: boolean;
  surfaces: { switch: string; kind: "crossing" | "sliding" | "escaping" | "event"; points: Points }[];
  walls: { contact: string; points: Points }[];
}

export const field = new Signal<Field | null>(null);
export const why = new Signal<string | null>(null);
// Arrows across and up.
const ARROWS = 25;
let known = "";
let newest = 0;

// Looks at the field in a box, once for the same values.
export async function look(states: [string, string], box: Box): Promise<void> {
  const now = asking();
  if (!now) return;
  const plane = { states, ranges: [[box.x0, box.x1], [box.y0, box.y1]], arrows: ARROWS };
  const wanted = JSON.stringify([now, plane]);
  if (wanted === known) return;
  known = wanted;
  const mine = ++newest;
  try {
    const found = await json<{ plane: Field }>("look", { text: now.text, set: now.set, start: now.start, plane });
    if (mine !== newest) return;
    field.value = found.plane;
    why.value = null;
  } catch (error) {
    if (mine !== newest) return;
    known = "";
    field.value = null;
    why.value = error instanceof Refused || error instanceof Error ? error.message : String(error);
  }
}

interface Style {
  colour: Ink;
  width: number;
  dash?: number[];
  label: string;
}

const SURFACES: Record<Field["surfaces"][number]["kind"], Style> = {
  crossing: { colour: "grey", width: 1.4, dash: [5, 4], label: "switching surface" },
  event: { colour: "grey", width: 1.4, dash: [2, 3], label: "surface of an event" },
  sliding: { colour: "purple", width: 3.5, label: "sliding" },
  escaping: { colour: "purple", width: 2, dash: [3, 3], label: "escaping" },
};

const line = (points: Points, more: Style): Layer => ({ kind: "line", x: points.map(([x]) => x), y: points.map(([, y]) => y), outside: true, ...more });

export function layersOf(own: Field, arrows: boolean, curves: boolean): Layer[] {
  const layers: Layer[] = [];
  if (arrows) {
    const at = own.rates.flatMap((rate, k) => (rate ? [{ x: own.x[k % own.x.length]!, y: own.y[Math.floor(k / own.x.length)]!, u: rate[0], v: rate[1] }] : []));
    layers.push({ kind: "arrows", x: at.map((one) => one.x), y: at.map((one) => one.y), u: at.map((one) => one.u), v: at.map((one) => one.v), colour: "grey", label: "vector field" });
  }
  if (curves) for (const { state, points } of own.nullclines) layers.push(line(points, { colour: state === own.states[0] ? "green" : "orange", width: 1.6, label: `nullcline of ${state}` }));
  for (const one of own.surfaces) layers.push(line(one.points, SURFACES[one.kind]));
  for (const { contact, points } of own.walls) layers.push(line(points, { colour: "black", width: 2.5, label: `wall: ${contact}` }));
  return layers;
}
