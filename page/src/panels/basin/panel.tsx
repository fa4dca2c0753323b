// Basins of attraction: the plane of two initial values, coloured by the attractor on which the trajectory settles.
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { boxAround, even, imageOf } from "../../draw/cells";
import type { Layer, Picture } from "../../draw/layers";
import { short } from "../../draw/numbers";
import { PlaneView } from "../../draw/plane_view";
import { CATEGORIES } from "../../draw/palette";
import { bounds, help } from "../../model/asked";
import { axisOf, freeOfWalls } from "../../model/around";
import { load, sections, system } from "../../model/state";
import { Choose, Row, TextField } from "../../parts/fields";
import { form, useForm } from "../../parts/form";
import { exposed } from "../../parts/measured";
import { ends, Reading } from "../../parts/read";
import { Signal, useSignal } from "../../parts/signal";
import { Job, mistakeAt } from "../../server/job";
import type { Json } from "../../server/types";
import { motion, usualPlane } from "../motion/live";
import { tall } from "../../parts/tall";
import { counted } from "./counted";
import { Seconds, Status } from "../status";
import { Swatches } from "../swatches";
import { TakeHome } from "../take_home";

export const basin = new Job("basin");
const fields = form("basin", { x: "", y: "", x0: "", x1: "", y0: "", y1: "", points: "100", settle: "200" });
const loaded = new Signal<string | null>(null);
exposed("basin", () => basin.ran.value?.answer.answer ?? null);

function states(): string[] {
  return system.value?.states.map((one) => one.name) ?? [];
}

function axes(): [string, string] {
  const all = states();
  const plain = system.value?.states.filter((one) => one.kind !== "phase").map((one) => one.name) ?? [];
  const [first, second] = usualPlane();
  const x = all.includes(fields.get("x")) ? fields.get("x") : (first ?? all[0] ?? "");
  const y = all.includes(fields.get("y")) && fields.get("y") !== x ? fields.get("y") : ([second, ...plain, ...all].find((name) => name !== undefined && name !== x) ?? "");
  return [x, y];
}

// The extent of a state in the trajectory that is shown, a little widened.
function extent(name: string): [string, string] {
  const own = system.value?.states.find((one) => one.name === name);
  const curve = motion.value?.curves.curves.find((one) => one.name === name);
  const values = (curve?.value ?? []).filter((value): value is number => value !== null);
  if (own?.kind === "phase" && own.period) return ["0", String(Number(own.period.toPrecision(6)))];
  if (!values.length) return freeOfWalls(name, (own?.start ?? 0) - 1, (own?.start ?? 0) + 1).map(String) as [string, string];
  const [low, high] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  const wide = 0.1 * (high - low || 1);
  return freeOfWalls(name, Number((low - wide).toPrecision(3)), Number((high + wide).toPrecision(3))).map(String) as [string, string];
}

function propose(x: string, y: string): void {
  const [[x0, x1], [y0, y1]] = [extent(x), extent(y)];
  fields.fill({ x, y, x0, x1, y0, y1 });
}

function read(): { asked: Record<string, unknown>; wrong: Record<string, string>; right: boolean } {
  const reading = new Reading(fields.value);
  const [x, y] = axes();
  const points = reading.whole("points", 2, 5000);
  const asked = { starts: { grid: [{ name: x, range: reading.range("x0", "x1"), points }, { name: y, range: reading.range("y0", "y1"), points }] }, settle: reading.whole("settle", ...bounds("basin", "settle")) };
  return { asked, wrong: reading.wrong, right: reading.right };
}

async function ask(): Promise<void> {
  const { asked, right } = read();
  if (right) await basin.run(asked);
}

export function BasinPanel(): JSX.Element {
  const field = useForm(fields);
  const own = useSignal(system);
  const ran = useSignal(basin.ran);
  const running = useSignal(basin.running);
  const mistakes = useSignal(basin.mistakes);
  const said = useSignal(loaded);
  const [x, y] = axes();
  useEffect(() => {
    if (x && y && !fields.get("x0") && !fields.get("y0")) propose(x, y);
  }, [x, y]);
  if (!own) return <section class="panel" />;
  if (own.states.length < 2) return <section class="panel"><p class="soft">The model has one state only, so there is no plane of initial values.</p></section>;
  if (!sections().length) return <section class="panel"><p class="soft">The model has no phase and no section, so returns to an attractor cannot be counted. A section is added in [sections].</p></section>;
  const { wrong } = read();
  return (
    <section class="panel" aria-label="Basins">
      <Row>
        <Choose label="horizontal axis" test="basin-x" value={x} onChange={(next) => propose(next, y)} options={states()} />
        <TextField label="from" test="basin-x0" narrow {...field("x0")} wrong={wrong["x0"] ?? mistakeAt(mistakes, "starts")} />
        <TextField label="to" test="basin-x1" narrow {...field("x1")} wrong={wrong["x1"]} />
        <Choose label="vertical axis" test="basin-y" value={y} onChange={(next) => propose(x, next)} options={states().filter((name) => name !== x)} />
        <TextField label="from" test="basin-y0" narrow {...field("y0")} wrong={wrong["y0"]} />
        <TextField label="to" test="basin-y1" narrow {...field("y1")} wrong={wrong["y1"]} />
        <TextField label="initial values a side" test="basin-points" narrow {...field("points")} wrong={wrong["points"]} />
        <TextField label="transient" test="basin-settle" narrow hint={help("basin", "settle")} {...field("settle")} wrong={wrong["settle"]} />
        <button type="button" class="main" data-test="basin" onClick={() => void ask()}>Compute</button>
        <Seconds job={basin} />
        <TakeHome ran={ran} test="basin" />
      </Row>
      <Status job={basin} test="basin" again={() => void ask()} />
      {!ran && !running && <p class="soft">A colour for every initial value in the plane of {x} and {y}: that of the attractor on which its trajectory settles. The other initial values are those on the left.</p>}
      {running ? <Live /> : ran && <Image answer={ran.answer.answer} />}
      {said && <p class="soft" data-test="basin-loaded">{said}</p>}
    </section>
  );
}

// What the colours mean: an attractor in words, as in the figures.
function words(one: Json, k: number): string {
  const impacts = Object.entries((one.impacts ?? {}) as Record<string, number>).filter(([, number]) => number > 0).map(([name, number]) => `${number} at ${name}`);
  const kind = one.kind === "periodic" ? `period ${one.period}` : String(one.kind).replaceAll("_", " ");
  return `${k + 1}: ${[kind, ...impacts].join(", ")} (${short(100 * one.fraction, 3)} %)`;
}

function Live(): JSX.Element {
  const running = useSignal(basin.running);
  const heard = useSignal(basin.heard);
  const picture = useMemo((): Picture => {
    const grid = (running?.fields["starts"] as { grid: { name: string; range: [number, number]; points: number }[] } | undefined)?.grid;
    if (!grid) return { x: { label: "" }, y: { label: "" }, layers: [] };
    const [gx, gy] = grid.map((axis) => ({ ...axis, range: ends(axis.range) ?? ([NaN, NaN] as [number, number]) })) as [(typeof grid)[0], (typeof grid)[0]];
    // Ends that only the server knows: the picture comes with the answer.
    if (Number.isNaN(gx.range[0]) || Number.isNaN(gy.range[0])) return { x: axisOf(gx.name), y: axisOf(gy.name), layers: [] };
    const [columns, rows] = [gx.points, gy.points];
    const category = new Float64Array(columns * rows).fill(NaN);
    const at = (axis: typeof gx, value: number): number => Math.round(((value - axis.range[0]) / (axis.range[1] - axis.range[0])) * (axis.points - 1));
    // Until all trajectories are known, attractors are told apart by their period and their impacts.
    const kinds = new Map<string, number>();
    for (const { head, rows: cells } of basin.parts) {
      const [ix, iy, ip] = [head.indexOf(`start_${gx.name}`), head.indexOf(`start_${gy.name}`), head.indexOf("period")];
      const counts = head.map((name, i) => (name.startsWith("impacts_") ? i : -1)).filter((i) => i >= 0);
      if (ix < 0 || iy < 0) continue;
      for (const cell of cells) {
        const kind = [ip, ...counts].map((i) => cell[i]).join();
        if (!kinds.has(kind)) kinds.set(kind, kinds.size);
        if (cell[ip] !== null) category[at(gy, Number(cell[iy])) * columns + at(gx, Number(cell[ix]))] = kinds.get(kind)!;
      }
    }
    const box = boxAround(even(gx.range[0], gx.range[1], columns), even(gy.range[0], gy.range[1], rows));
    return { x: axisOf(gx.name), y: axisOf(gy.name), layers: [{ kind: "image", image: imageOf({ columns, rows, category, colours: CATEGORIES }), box }] };
  }, [running, heard]);
  return <PlaneView name="basin" hint="Basins while they are computed" picture={picture} height={tall()} />;
}

function Image({ answer }: { answer: Json }): JSX.Element | null {
  const made = useMemo(() => {
    if (!answer.grid) return null;
    const [xName, yName] = answer.grid.states as [string, string];
    const [x, y] = answer.grid.values as [number[], number[]];
    const cells = answer.grid.attractors as (number | null)[];
    // The first state of the grid varies fastest.
    const category = Float64Array.from(cells, (cell) => (cell === null ? NaN : Math.min(cell, CATEGORIES.length - 1)));
    const layers: Layer[] = [{ kind: "image", image: imageOf({ columns: x.length, rows: y.length, category, colours: CATEGORIES }), box: boxAround(x, y) }];
    const returns = (answer.attractors as Json[]).flatMap((one) => (one.returns ?? []) as Record<string, number>[]);
    for (const [colour, size] of [["#ffffff", 8], ["#000000", 5]] as const) {
      layers.push({ kind: "marks", shape: "circle", colour, size, marks: returns.map((one) => ({ x: one[xName] ?? NaN, y: one[yName] ?? NaN, title: `return of an attractor` })) });
    }
    const box = boxAround(x, y);
    const picture: Picture = { x: { ...axisOf(xName), fixed: [box.x0, box.x1] }, y: { ...axisOf(yName), fixed: [box.y0, box.y1] }, layers };
    return { picture, xName, yName };
  }, [answer]);
  if (!made) return null;
  return (
    <>
      <Swatches test="basin-legend" entries={(answer.attractors as Json[]).map((one, k) => ({ colour: CATEGORIES[Math.min(k, CATEGORIES.length - 1)]!, label: words(one, k), title: `${one.fraction}` }))} />
      <PlaneView name="basin" hint="Basins; a click loads the initial values" picture={made.picture} height={tall()} onClick={(vx, vy) => {
        load({}, { [made.xName]: vx, [made.yName]: vy });
        loaded.value = `Loaded the initial values ${made.xName} = ${short(vx)}, ${made.yName} = ${short(vy)}.`;
      }} />
      <p class="soft" data-test="basin-count">{counted(answer)} A click loads the initial values.</p>
    </>
  );
}
