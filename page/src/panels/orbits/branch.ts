// A branch as a picture: lines by stability and admissibility, special points by kind, as in the figures of the library.
import type { Layer, Mark, Shape } from "../../draw/layers";
import { short } from "../../draw/numbers";
import type { Colour } from "../../draw/layers";
import type { Json, Part } from "../../server/types";

export interface Point {
  at: number;
  values: number[];
  stable: boolean;
  admissible: boolean;
  special: boolean;
  // Where it stands in the answer; parts of a running computation have none.
  branch: number;
  index: number;
  data: Json | null;
}

export interface Picked {
  branch: number;
  index: number;
  data: Json;
  // Its position among the special points of its branch.
  special: number | null;
}

const SPECIAL: Record<string, [Shape, Colour, number]> = {
  fold: ["square", "black", 8],
  period_doubling: ["circle", "green", 9],
  neimark_sacker: ["triangle", "green", 10],
  symmetry_breaking: ["square", "purple", 8],
  // It lies on the bifurcation at which the branch begins, which is to be seen around it.
  branch_point: ["circle", "black", 5],
  graze: ["circle", "orange", 7],
  stick_loss: ["triangle", "orange", 9],
  chatter_loss: ["triangle", "purple", 9],
  boundary: ["cross", "black", 9],
  homoclinic: ["circle", "purple", 9],
  hopf: ["triangle", "black", 9],
  end: ["cross", "grey", 9],
};

const WORDS: Record<string, string> = {
  fold: "saddle-node (fold)", graze: "grazing bifurcation", neimark_sacker: "Neimark–Sacker", hopf: "Hopf", stick_loss: "loss of persistent contact", chatter_loss: "loss of complete chattering",
  boundary: "border collision", homoclinic: "homoclinic orbit", end: "end of the branch",
};
export const kindWords = (kind: string): string => WORDS[kind] ?? kind.replaceAll("_", " ");

// What a special point is: of a border of friction which sliding bifurcation.
export const kindOf = (special: Json): string => kindWords((special.sliding as string | null | undefined) ?? special.kind);

// The periods in returns of the orbits of all branches: that of a branch which begins on another one follows from both periods there, in time.
export function returnsOf(answer: Json): number[] {
  const found: number[] = [];
  const branches = branchesOf(answer);
  for (const { parent, points, returns } of branches) {
    const birth = parent ? branches[parent.branch]?.special?.[parent.special] : null;
    const times = Math.round((points?.[0]?.period ?? NaN) / (birth?.period ?? NaN));
    found.push(parent ? (found[parent.branch] ?? 1) * (times >= 1 ? times : 1) : (returns ?? 1));
  }
  return found;
}

// The branches of an answer; the first is the one that was followed.
export function branchesOf(answer: Json): Json[] {
  return [answer, ...((answer.branches as Json[] | undefined) ?? [])];
}

export function ordinates(states: string[], equilibria: boolean, impacts: boolean): [string, string][] {
  const own: [string, string][] = states.map((name) => [`state:${name}`, name]);
  if (equilibria) return own;
  const speeds: [string, string][] = [["impact_speed", "impact speed"]];
  return [...(impacts ? speeds : []), ...own, ["period", "period"], ["multiplier", "modulus of multipliers"]];
}

function values(point: Json, ordinate: string): number[] {
  // Opening speeds at impacts are negative; speeds are drawn positive, as in the figures of the library.
  if (ordinate === "impact_speed") return ((point.impact_speeds ?? []) as (number | null)[]).map((speed) => (speed === null ? NaN : -speed));
  if (ordinate === "period") return point.period === undefined ? [] : [point.period ?? NaN];
  if (ordinate === "multiplier") return (point.multipliers ?? []).map(([re, im]: [number, number]) => Math.hypot(re, im)).sort((a: number, b: number) => b - a).slice(0, 1);
  return [point.state?.[ordinate.slice(6)] ?? NaN];
}

export function fromAnswer(answer: Json, along: string, ordinate: string): Point[][] {
  return branchesOf(answer).map((branch, b) => {
    const special = new Set<number>((branch.special ?? []).map((one: Json) => one.index));
    return (branch.points ?? []).map((point: Json, index: number): Point => ({ at: point.parameters?.[along] ?? NaN, values: values(point, ordinate), stable: point.stable, admissible: point.admissible, special: special.has(index), branch: b, index, data: point }));
  });
}

// The points that have arrived. Rows follow a branch in one direction, then in the other, then the next branch: a step wider than those of a branch begins a new line.
const WIDEST = 0.06;

export function fromParts(parts: Part[], along: string, ordinate: string, range: [number, number]): Point[][] {
  const found: Point[][] = [];
  for (const { head, rows } of parts) {
    const column = (name: string): number => head.indexOf(name);
    const at = column(along);
    if (at < 0) continue;
    const [stable, admissible, kind] = [column("stable"), column("admissible"), column("kind")];
    const speeds = ordinate === "impact_speed";
    const wanted = speeds ? head.map((name, i) => (name.startsWith("impact_speed") ? i : -1)).filter((i) => i >= 0) : [column(ordinate === "period" ? "period" : ordinate === "multiplier" ? "leading_modulus" : ordinate.slice(6))].filter((i) => i >= 0);
    for (const row of rows) {
      const truth = (i: number): boolean => i < 0 || Boolean(row[i]);
      const own = wanted.map((i) => (row[i] === null ? NaN : Number(row[i]))).map((value) => (speeds ? -value : value));
      let list = found[found.length - 1];
      const last = list?.[list.length - 1];
      if (!list || !last || Math.abs(Number(row[at]) - last.at) > WIDEST * (range[1] - range[0]) || last.values.length !== own.length) found.push((list = []));
      list.push({ at: Number(row[at]), values: own, stable: truth(stable), admissible: truth(admissible), special: kind >= 0 && row[kind] !== null, branch: 0, index: list.length, data: null });
    }
  }
  return found;
}

const STYLES: [admissible: boolean, stable: boolean, label: string][] = [
  [false, false, "unstable, not admissible"],
  [false, true, "stable, not admissible"],
  [true, false, "unstable"],
  [true, true, "stable"],
];

export function layersOf(branches: Point[][]): Layer[] {
  const layers: Layer[] = [];
  for (const [admissible, stable, label] of STYLES) {
    const x: number[] = [];
    const y: number[] = [];
    for (const points of branches) {
      const width = Math.max(0, ...points.map((point) => point.values.length));
      for (let k = 0; k < width; k++) {
        for (let i = 0; i + 1 < points.length; i++) {
          const [a, b] = [points[i]!, points[i + 1]!];
          const of = a.special && !b.special ? b : a;
          if (of.admissible !== admissible || of.stable !== stable) continue;
          if (a.values.length !== b.values.length && (a.values[k] === undefined || b.values[k] === undefined)) continue;
          if (x[x.length - 1] !== a.at || y[y.length - 1] !== a.values[k]) x.push(NaN, a.at), y.push(NaN, a.values[k] ?? NaN);
          x.push(b.at);
          y.push(b.values[k] ?? NaN);
        }
        x.push(NaN);
        y.push(NaN);
      }
    }
    if (x.some((value) => !Number.isNaN(value))) layers.push({ kind: "line", x, y, colour: stable ? "blue" : "vermillion", label, width: 1.8, ...(admissible ? {} : { dash: [6, 4], outside: true }) });
  }
  return layers;
}

// Marks of special points, and the lines as what a click picks.
// The lines of a branch as what a click picks: one for each of the values of its points.
const tracks = (along: string) => (points: Point[]): Layer[] =>
  Array.from({ length: Math.max(0, ...points.map((point) => point.values.length)) }, (_, k): Layer => ({
    kind: "track",
    marks: points.map((point): Mark => ({ x: point.at, y: point.values[k] ?? NaN, title: `${along} = ${short(point.at, 10)}, ${point.stable ? "stable" : "unstable"}${point.admissible ? "" : ", not admissible"}`, pick: { branch: point.branch, index: point.index, data: point.data, special: null } satisfies Picked })),
  }));

// A ring around what is picked.
export function ringOf(picked: Picked | null, along: string, ordinate: string): Layer[] {
  const x = picked?.data?.parameters?.[along];
  if (!picked || typeof x !== "number") return [];
  return [{ kind: "marks", shape: "ring", colour: "black", size: 16, label: "chosen", marks: values(picked.data, ordinate).map((y) => ({ x, y, title: "chosen", pick: picked })) }];
}

export function marksOf(answer: Json, branches: Point[][], along: string, ordinate: string): Layer[] {
  const layers: Layer[] = branches.flatMap(tracks(along));
  // A branch of one point is a dot.
  for (const [point] of branches.filter((points) => points.length === 1)) layers.push({ kind: "marks", shape: "circle", colour: point!.stable ? "blue" : "vermillion", size: 5, label: `${point!.stable ? "stable" : "unstable"}, one point`, marks: point!.values.map((y) => ({ x: point!.at, y, title: "the only point of its branch", pick: { branch: point!.branch, index: point!.index, data: point!.data, special: null } satisfies Picked })) });
  const kinds = new Map<string, Mark[]>();
  branchesOf(answer).forEach((branch, b) => {
    ((branch.special ?? []) as Json[]).forEach((special, k) => {
      const list = kinds.get(special.kind) ?? [];
      for (const y of values(special, ordinate)) list.push({ x: special.parameters?.[along] ?? NaN, y, title: `${kindOf(special)}${special.contact ? ` at ${special.contact}` : ""}, ${along} = ${short(special.parameters[along], 10)}`, pick: { branch: b, index: special.index, data: special, special: k } satisfies Picked });
      kinds.set(special.kind, list);
    });
  });
  // In the order of the library, so that smaller symbols are in front.
  for (const kind of [...Object.keys(SPECIAL), ...[...kinds.keys()].filter((one) => !(one in SPECIAL))]) {
    const marks = kinds.get(kind);
    const [shape, colour, size] = SPECIAL[kind] ?? (["cross", "black", 9] as [Shape, Colour, number]);
    if (marks) layers.push({ kind: "marks", marks, shape, colour, size, label: kindWords(kind) });
  }
  return layers;
}
