// The picture of a trajectory: curves, events, and the times of contact, stick, slip and sliding, in the colours of the library.
import type { Layer, Mark, Picture, Shape } from "../../draw/layers";
import { short } from "../../draw/numbers";
import type { Ink } from "../../draw/theme";
import type { Curve, Curves, Json, System } from "../../server/types";

// In the order in which they are drawn: smaller ones in front.
export const KINDS: [kind: string, shape: Shape, colour: Ink, size: number, label: string][] = [
  ["impact_without_collision", "triangle", "black", 10, "impact without collision"],
  ["chatter", "triangle", "green", 9, "end of chattering"],
  ["graze", "cross", "purple", 8, "graze"],
  ["release", "square", "orange", 7, "release"],
  ["slip", "square", "sky", 7, "slip begins or turns"],
  ["slide", "square", "purple", 7, "sliding begins"],
  ["leave", "triangle", "purple", 8, "sliding ends"],
  ["impact", "circle", "vermillion", 6, "impact"],
];

const MOST_SECTIONS = 60;
const MOST_MARKS = 3000;

// The bands of the times in which a contact lasts, or all contacts, and of sliding along switches.
export function bands(modes: Curves["modes"], system: System, contact: string | null): Layer[] {
  const rubs = new Map(system.contacts.map((one) => [one.name, one.friction]));
  const found: Record<string, [number, number][]> = {};
  const add = (kind: string, from: number, to: number): void => {
    const list = (found[kind] ??= []);
    const last = list[list.length - 1];
    if (last && last[1] >= from) last[1] = Math.max(last[1], to);
    else list.push([from, to]);
  };
  for (const { from, to, mode, contact: own } of modes) {
    if (mode === "sliding" || mode === "slide") add("sliding", from, to);
    if (!own || !rubs.has(own) || (contact !== null && contact !== own)) continue;
    if (mode === "slip+") add("slip forwards", from, to);
    else if (mode === "slip-") add("slip backwards", from, to);
    else add(mode === "stick" && rubs.get(own) ? "stick" : "persistent contact", from, to);
  }
  const colours: Record<string, Ink> = { sliding: "slides", "persistent contact": "lasts", stick: "sticks", "slip forwards": "forwards", "slip backwards": "backwards" };
  return Object.entries(found).map(([label, list]) => ({ kind: "bands", bands: list, colour: colours[label]!, label }));
}

const NAN = (value: number | null): number => value ?? NaN;

// One quantity over time.
export function overTime(curve: Curve, events: Json[], modes: Curves["modes"], system: System, timeUnit: string | null): Picture {
  const [kind, name] = curve.name.includes(":") ? (curve.name.split(":") as [string, string]) : ["state", curve.name];
  const contact = kind === "gap" || kind === "force" ? name : null;
  const layers: Layer[] = bands(modes, system, contact);
  const crossings = events.filter((event) => event.kind === "section");
  if (crossings.length && crossings.length <= MOST_SECTIONS) {
    for (const one of new Set<string>(crossings.map((event) => event.section))) layers.push({ kind: "verticals", at: crossings.filter((event) => event.section === one).map((event) => event.time), colour: "purple", label: `section ${one}` });
  }
  if (kind === "gap") layers.push({ kind: "level", at: 0, colour: "zero" });
  const value = Float64Array.from(curve.value, NAN);
  jumps(layers, curve.time, value);
  layers.push({ kind: "line", x: curve.time, y: value, colour: "blue" });
  if (kind === "gap") layers.push(...marks(events.filter((event) => event.contact === name)));
  return { x: { label: "time", unit: timeUnit }, y: { label: kind === "gap" ? `gap: ${name}` : kind === "force" ? `force: ${name}` : name, unit: curve.unit }, layers };
}

// Thin lines join what a jump parts: the values on both sides of an empty one at one time.
function jumps(layers: Layer[], time: number[], value: Float64Array): void {
  const x: number[] = [];
  const y: number[] = [];
  for (let i = 1; i + 1 < value.length; i++) {
    if (!Number.isNaN(value[i]!) || Number.isNaN(value[i - 1]!) || Number.isNaN(value[i + 1]!)) continue;
    if (time[i + 1]! - time[i - 1]! > 1e-9 * Math.abs(time[i]!)) continue;
    x.push(time[i - 1]!, time[i + 1]!, NaN);
    y.push(value[i - 1]!, value[i + 1]!, NaN);
  }
  if (x.length) layers.push({ kind: "line", x, y, colour: "jump", width: 1 });
}

export const at = (event: Json): number => (event.kind === "chatter" ? event.time + event.duration : event.time);

function marks(events: Json[]): Layer[] {
  const found: Layer[] = [];
  for (const [kind, shape, colour, size, label] of KINDS) {
    const own = events.filter((event) => event.kind === kind);
    if (!own.length) continue;
    const many = own.length > 150;
    found.push({ kind: "marks", shape, colour, size: many ? 0.6 * size : size, label, marks: own.slice(0, MOST_MARKS).map((event): Mark => ({ x: at(event), y: 0, title: `${label} at ${event.contact}, time ${short(event.time, 10)}`, pick: event })) });
  }
  return found;
}

// Two quantities over each other; times at which both are known.
export function overEachOther(curves: Curves, xName: string, yName: string, events: Json[]): Picture {
  const x = curves.curves.find((one) => one.name === xName);
  const y = curves.curves.find((one) => one.name === yName);
  const axis = (curve: Curve | undefined, name: string): { label: string; unit: string | null } => ({ label: name.replace(":", ": "), unit: curve?.unit ?? null });
  if (!x || !y) return { x: axis(x, xName), y: axis(y, yName), layers: [] };
  const [px, py] = paired(x, y);
  const layers: Layer[] = [{ kind: "line", x: px, y: py, colour: "blue", width: 1.2 }];
  const states = new Set(Object.keys(events[0]?.before ?? {}));
  if (states.has(xName) && states.has(yName)) {
    const impacts = events.filter((event) => event.kind === "impact").slice(0, MOST_MARKS);
    const jump: Layer = { kind: "line", x: impacts.flatMap((event) => [event.before[xName] ?? NaN, event.after[xName] ?? NaN, NaN]), y: impacts.flatMap((event) => [event.before[yName] ?? NaN, event.after[yName] ?? NaN, NaN]), colour: "jump", width: 1, label: "jump at impact" };
    if (impacts.length) layers.unshift(jump);
    const crossings = events.filter((event) => event.kind === "section").slice(0, MOST_MARKS);
    if (crossings.length) layers.push({ kind: "marks", shape: "circle", colour: "purple", size: 5, label: "section", marks: crossings.map((event) => ({ x: event.after[xName] ?? NaN, y: event.after[yName] ?? NaN, title: `section ${event.section}, time ${short(event.time, 10)}` })) });
  }
  return { x: axis(x, xName), y: axis(y, yName), layers };
}

// The values of both at the times of either. Where one of them jumps, a time stands for the values before and after, with a break between.
export function paired(x: Curve, y: Curve): [Float64Array, Float64Array] {
  const times = Float64Array.from([...x.time, ...y.time]).sort();
  const xs: number[] = [];
  const ys: number[] = [];
  let last = NaN;
  for (const time of times) {
    if (time === last) continue;
    last = time;
    const [x0, x1] = sides(x, time);
    const [y0, y1] = sides(y, time);
    xs.push(x0);
    ys.push(y0);
    if (Object.is(x0, x1) && Object.is(y0, y1)) continue;
    xs.push(NaN, x1);
    ys.push(NaN, y1);
  }
  return [Float64Array.from(xs), Float64Array.from(ys)];
}

// The values just before and just after a time.
export function sides(curve: Curve, time: number): [number, number] {
  const { time: t, value } = curve;
  const after = valueAt(curve, time);
  let first = from(t, time);
  if (t[first] !== time) return [after, after];
  let end = first;
  while (t[end + 1] === time) end += 1;
  while (first < end && value[first] === null) first += 1;
  return [NAN(value[first]!), after];
}

// The first index whose time is not below.
function from(t: number[], time: number): number {
  let low = 0;
  let high = t.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (t[middle]! < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function valueAt(curve: Curve, time: number): number {
  const { time: t, value } = curve;
  let low = 0;
  let high = t.length - 1;
  if (high < 0 || time < t[0]! || time > t[high]!) return NaN;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (t[middle]! <= time) low = middle;
    else high = middle;
  }
  const [a, b] = [NAN(value[low]!), NAN(value[high] ?? null)];
  if (time === t[high]) return b;
  if (time === t[low]) return a;
  return a + ((b - a) * (time - t[low]!)) / (t[high]! - t[low]!);
}
