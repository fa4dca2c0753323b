// The pictures of a fit: sampled columns with the fitted trajectory, and the residuals of every column, in the colours of the library.
import type { Layer, Mark, Numbers, Picture } from "../../draw/layers";
import { short } from "../../draw/numbers";
import type { Ink } from "../../draw/theme";
import type { Json } from "../../server/types";

// More data than this are dots.
const MANY = 300;
// The band of residuals, in standard deviations.
const BAND = 2;

// The fitted trajectory of a column at its times.
export interface Trajectory {
  times: Numbers;
  values: Record<string, Numbers>;
}

// A picture for every sampled column, and one for the residuals of every column.
export function pictures(answer: Json, trajectory: Trajectory | null, timeUnit: string | null): { name: string; picture: Picture; residuals: boolean }[] {
  const { column, time, measured, model } = answer.residuals as { column: string[]; time: number[]; measured: number[]; model: number[] };
  const x = { label: "time", unit: timeUnit };
  return (answer.columns as Json[]).flatMap((one) => {
    const own = column.flatMap((name, i) => (name === one.name ? [i] : []));
    const at = own.map((i) => time[i]!);
    const band = BAND * (one.sigma ?? NaN);
    const found = [];
    const line = trajectory?.values[one.name];
    if (trajectory && line) {
      const layers: Layer[] = [points(at, own.map((i) => measured[i]!), "orange", "data"), { kind: "line", x: trajectory.times, y: line, colour: "blue", width: 1.3, label: "model" }];
      found.push({ name: one.name as string, picture: { x, y: { label: one.name }, layers }, residuals: false });
    }
    const layers: Layer[] = [{ kind: "level", at: 0, colour: "zero" }];
    if (Number.isFinite(band)) for (const level of [-band, band]) layers.push({ kind: "level", at: level, colour: "grey" });
    layers.unshift(points(at, own.map((i) => measured[i]! - model[i]!), "vermillion", "residuals, and twice their standard deviation"));
    for (const [times, colour, label] of [[one.missing, "purple", "measured only"], [one.extra, "green", "model only"]] as [number[] | undefined, Ink, string][]) {
      if (times?.length) layers.push({ kind: "marks", shape: "cross", colour, size: 8, label, marks: times.map((at): Mark => ({ x: at, y: 0, title: `${label}, time ${short(at, 10)}` })) });
    }
    found.push({ name: one.name as string, picture: { x, y: { label: `residual of ${one.name}` }, layers }, residuals: true });
    return found;
  });
}

function points(x: number[], y: number[], colour: Ink, label: string): Layer {
  if (x.length > MANY) return { kind: "cloud", x: Float64Array.from(x), y: Float64Array.from(y), colour, label };
  return { kind: "marks", shape: "circle", colour, size: 5, label, marks: x.map((at, i): Mark => ({ x: at, y: y[i]!, title: `time ${short(at, 10)}: ${short(y[i]!, 10)}` })) };
}
