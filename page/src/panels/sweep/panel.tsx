// Sweeps: the bifurcation diagram along one parameter, or the map of periods over two.
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { boxAround, imageOf } from "../../draw/cells";
import { Legend } from "../../draw/legend";
import type { Box, Layer, Picture } from "../../draw/layers";
import { count, many, short } from "../../draw/numbers";
import { PlaneView } from "../../draw/plane_view";
import { colourOfPeriod } from "../../draw/palette";
import { isDark } from "../../draw/theme";
import { bounds, help, words } from "../../model/asked";
import { aroundParameter, axisOf, free, valueOf } from "../../model/around";
import { load, sections, system } from "../../model/state";
import { Check, Choose, Row, TextField } from "../../parts/fields";
import { form, useForm } from "../../parts/form";
import { exposed } from "../../parts/measured";
import { ends, Reading, given } from "../../parts/read";
import { Signal, useSignal } from "../../parts/signal";
import { Job, mistakeAt, type Ran } from "../../server/job";
import type { Json } from "../../server/types";
import { tall } from "../../parts/tall";
import { fromAnswer, layersOf, marksOf, returnsOf } from "../orbits/branch";
import { branch } from "../orbits/questions";
import { Seconds, Status } from "../status";
import { Swatches } from "../swatches";
import { TakeHome } from "../take_home";
import { Growing, nearest, pieceOf, pieces, pointsOf, type Piece } from "./diagram";

export const sweep = new Job("sweep");
const fields = form("sweep", { along: "", low: "", high: "", points: "400", settle: "300", record: "60", carry: "none", second: "", low2: "", high2: "", points2: "80", quantity: "", over: "yes" });
const view = new Signal<Box | null>(null);
// The return that was loaded: its place in the diagram, and what is said of it.
const loaded = new Signal<{ x: number; y: number; words: string } | null>(null);
// Periods up to this one have a colour of their own in a map, as in the figures of the library.
const MOST_COLOURS = 12;
// So many records at most are kept by the program and drawn here.
const MOST_RECORDS = 4e6;
let growing = { returns: new Growing("returns"), impacts: new Growing("impacts") };
// The piece that is being swept again, or null for the whole.
let finer = false;

sweep.ran.listen(() => {
  if (sweep.ran.value) void add(sweep.ran.value);
  else pieces.value = [];
});
exposed("sweep", () => ({ points: pieces.value.reduce((sum, one) => sum + (Object.values(one.returns)[0]?.length ?? 0), 0), pieces: pieces.value.length, answer: sweep.ran.value?.answer.answer ?? null }));

const alongOf = (): string => (free().includes(fields.get("along")) ? fields.get("along") : (free()[0] ?? ""));

function propose(name: string): void {
  const [low, high] = aroundParameter(name, valueOf(name), 0.2);
  fields.fill({ along: name, low: String(low), high: String(high) });
}

function proposeSecond(name: string): void {
  if (!name) return fields.set("second", "");
  const [low, high] = aroundParameter(name, valueOf(name), 0.2);
  fields.fill({ second: name, low2: String(low), high2: String(high) });
}

function read(): { asked: Record<string, unknown>; wrong: Record<string, string>; right: boolean } {
  const reading = new Reading(fields.value);
  const second = fields.get("second");
  const along = [{ name: alongOf(), range: reading.range("low", "high"), points: reading.whole("points", 2, 1e6) }];
  if (second) along.push({ name: second, range: reading.range("low2", "high2"), points: reading.whole("points2", 2, 1e5) });
  const record = reading.whole("record", ...bounds("sweep", "record"));
  const records = along.reduce((product, one) => product * one.points, record);
  if (records > MOST_RECORDS && reading.right) reading.wrong["record"] = `These are ${count(records)} records; the page takes ${count(MOST_RECORDS)} at most, and the command any number.`;
  const asked = given({ along, settle: reading.whole("settle", ...bounds("sweep", "settle")), record, carry: second || fields.get("carry") === "none" ? undefined : fields.get("carry") });
  return { asked, wrong: reading.wrong, right: reading.right };
}

export async function ask(range?: [number, number]): Promise<void> {
  const { asked, right } = read();
  if (!right) return;
  finer = range !== undefined;
  if (range) (asked["along"] as { range: number[] }[])[0]!.range = range;
  growing = { returns: new Growing("returns"), impacts: new Growing("impacts") };
  if (!finer) {
    pieces.value = [];
    view.value = null;
  }
  await sweep.run(asked);
}

// Adds the records of an answer to the diagram: over those of a wider range of the same parameter, or in place of all others.
async function add(ran: Ran): Promise<void> {
  const along = ran.request.fields["along"] as { name: string }[];
  if (along.length !== 1) return;
  try {
    const piece = await pieceOf(ran, along[0]!.name, quantityOf().value);
    if (sweep.ran.value !== ran) return;
    // A piece that another covers is not needed any more.
    const wider = pieces.value.filter((one) => one.parameter === piece.parameter && one.ran?.text === ran.text && !(one.low >= piece.low && one.high <= piece.high));
    pieces.value = wider.some((one) => one.low <= piece.low && one.high >= piece.high) ? [...wider, piece] : [piece];
  } catch (error) {
    sweep.mistakes.value = [{ message: `The records did not arrive: ${error instanceof Error ? error.message : String(error)}.` }];
  }
}

function quantityOf(): { value: string; options: [string, string][] } {
  const own = system.value;
  const states = own?.states.filter((one) => one.kind !== "phase").map((one): [string, string] => [one.name, one.name]) ?? [];
  const options: [string, string][] = [...states, ...(own?.contacts.length ? [["impact_speed", "impact speed"] as [string, string]] : [])];
  const wanted = fields.get("quantity");
  return { value: options.some(([key]) => key === wanted) ? wanted : (options[0]?.[0] ?? ""), options };
}

export function SweepPanel(): JSX.Element {
  const field = useForm(fields);
  const own = useSignal(system);
  const ran = useSignal(sweep.ran);
  const running = useSignal(sweep.running);
  const mistakes = useSignal(sweep.mistakes);
  const all = useSignal(pieces);
  const box = useSignal(view);
  const said = useSignal(loaded);
  const names = free();
  const name = alongOf();
  useEffect(() => {
    if (name && !fields.get("low") && !fields.get("high")) propose(name);
  }, [name]);
  if (!own) return <section class="panel" />;
  if (!names.length) return <section class="panel"><p class="soft">The model has no parameter that could vary.</p></section>;
  if (!sections().length) return <section class="panel"><p class="soft">The model has no phase and no section, so there are no returns to record. A section is added in [sections].</p></section>;
  const { wrong } = read();
  const second = fields.get("second");
  const { value: quantity, options } = quantityOf();
  const isMap = running ? (running.fields["along"] as unknown[]).length > 1 : Boolean(ran?.answer.answer.second);
  return (
    <section class="panel" aria-label="Sweep">
      <Row>
        <Choose label="along" test="sweep-along" value={name} onChange={propose} options={names} wrong={mistakeAt(mistakes, "along")} />
        <TextField label="from" test="sweep-low" narrow {...field("low")} wrong={wrong["low"]} />
        <TextField label="to" test="sweep-high" narrow {...field("high")} wrong={wrong["high"]} />
        <TextField label="values" test="sweep-points" narrow {...field("points")} wrong={wrong["points"]} />
        <TextField label="transient" test="sweep-settle" narrow hint={help("sweep", "settle")} {...field("settle")} wrong={wrong["settle"] ?? mistakeAt(mistakes, "settle")} />
        <TextField label="record" test="sweep-record" narrow hint={help("sweep", "record")} {...field("record")} wrong={wrong["record"] ?? mistakeAt(mistakes, "record")} />
        {!second && <Choose label="carry" test="sweep-carry" hint={help("sweep", "carry")} {...field("carry")} options={words("sweep", "carry")} wrong={mistakeAt(mistakes, "carry")} />}
        <Choose label="and" test="sweep-second" value={second} onChange={proposeSecond} options={[["", "no second parameter"], ...names.filter((one) => one !== name).map((one): [string, string] => [one, one])]} />
        {second && (
          <>
            <TextField label="from" test="sweep-low2" narrow {...field("low2")} wrong={wrong["low2"]} />
            <TextField label="to" test="sweep-high2" narrow {...field("high2")} wrong={wrong["high2"]} />
            <TextField label="values" test="sweep-points2" narrow {...field("points2")} wrong={wrong["points2"]} />
          </>
        )}
        <button type="button" class="main" data-test="sweep" onClick={() => void ask()}>Sweep</button>
        {!isMap && <Choose label="vertical axis" test="sweep-quantity" value={quantity} onChange={field("quantity").onChange} options={options} />}
        {!isMap && <button type="button" data-test="refine" disabled={!box || running !== null || !all.length} title="Sweep the range that is shown with as many values" onClick={() => box && void ask([Math.max(box.x0, all[0]?.low ?? box.x0), Math.min(box.x1, all[0]?.high ?? box.x1)])}>Refine here</button>}
        <Seconds job={sweep} />
        <TakeHome ran={ran} test="sweep" how={isMap ? {} : { ordinate: quantity }} />
      </Row>
      <Status job={sweep} test="sweep" again={() => void ask()} />
      {!ran && !running && <p class="soft">{second ? `The period of the attractor over ${name} and ${second}, a colour for each period` : `The bifurcation diagram: returns of the attractor over ${name}, as dots`}, of trajectories from the initial values after the transient.</p>}
      {isMap ? <PeriodMap ran={ran} /> : <Diagram quantity={quantity} name={name} />}
      {said && <p class="soft" data-test="sweep-loaded">{said.words}</p>}
    </section>
  );
}

function Diagram({ quantity, name }: { quantity: string; name: string }): JSX.Element | null {
  const all = useSignal(pieces);
  const running = useSignal(sweep.running);
  const heard = useSignal(sweep.heard);
  const live = useMemo((): Piece | null => {
    if (!running || !sweep.parts.length) return null;
    const [axis] = running.fields["along"] as { name: string; range: [number, number] }[];
    const [low, high] = ends(axis!.range) ?? [NaN, NaN];
    return { ran: null, parameter: axis!.name, low, high, returns: growing.returns.take(sweep.parts), impacts: growing.impacts.take(sweep.parts) };
  }, [running, heard]);
  const shown = live ? [...(finer ? all : []), live] : all;
  const parameter = shown[0]?.parameter ?? name;
  const followed = useSignal(branch.ran);
  const chosen = useSignal(loaded);
  const own = useForm(fields);
  const fits = followed?.answer.answer.along === parameter && (followed.answer.answer.points ?? []).length > 0;
  const over = fits && fields.get("over") === "yes" ? followed : null;
  const picture = useMemo((): Picture => {
    const axis = running && !finer ? ends((running.fields["along"] as { range: unknown }[])[0]!.range) : null;
    return {
      x: { ...axisOf(parameter), ...(axis ? { fixed: axis } : {}) },
      y: quantity === "impact_speed" ? { label: "impact speed" } : axisOf(quantity),
      layers: [
        ...pointsOf(shown, quantity).map(({ x, y }): Layer => ({ kind: "cloud", x, y, colour: "black" })),
        ...(over ? branchOver(over.answer.answer, quantity) : []),
        ...(chosen ? [{ kind: "marks", shape: "ring", colour: "vermillion", size: 14, marks: [{ ...chosen, title: chosen.words }] } as Layer] : []),
      ],
    };
  }, [all, live, quantity, parameter, running, over, chosen]);
  const points = picture.layers.reduce((sum, layer) => sum + (layer.kind === "cloud" ? layer.x.length : 0), 0);
  if (!shown.length) return null;
  if (!points && !over && !running) return <p class="soft" data-test="sweep-count">There are no points.</p>;
  const take = (x: number, y: number): void => {
    const box = view.value;
    const first = picture.layers[0];
    const wide = box ? box.x1 - box.x0 : (shown[0]!.high - shown[0]!.low || 1);
    const high = box ? box.y1 - box.y0 : first?.kind === "cloud" ? spread(first.y) : 1;
    const found = nearest(shown, quantity, x, y, wide, high);
    if (!found) return;
    load({ [found.parameter]: found.value }, found.state);
    loaded.value = { x: found.value, y: found.state[quantity] ?? NaN, words: `Loaded ${found.parameter} = ${short(found.value)} and the state of this return.` };
  };
  return (
    <>
      {fits && <Check label="the branch of Orbits and branches over it" test="sweep-over" value={over !== null} onChange={(on) => own("over").onChange(on ? "yes" : "")} />}
      {over && <Legend layers={picture.layers} />}
      <PlaneView name="sweep" hint="The bifurcation diagram; a click loads the parameter and the state" picture={picture} height={tall()} view={view} onClick={take} />
      <p class="soft"><span data-test="sweep-count">{many(points, "point")}</span>. A click loads the parameter and the state.</p>
    </>
  );
}

// The branch over a diagram: a state is that of the first return of an orbit, impact speeds are all of them.
function branchOver(answer: Json, quantity: string): Layer[] {
  const ordinate = quantity === "impact_speed" ? quantity : `state:${quantity}`;
  const all = fromAnswer(answer, answer.along, ordinate);
  const returns = quantity === "impact_speed" ? all.map(() => 1) : returnsOf(answer);
  const lines = [...new Set(returns)].flatMap((period) => {
    const part = period > 1 ? ` (1 of its ${period} returns)` : "";
    return layersOf(all.filter((_, b) => returns[b] === period)).map((layer): Layer => (layer.kind === "line" ? { ...layer, label: `branch, ${layer.label}${part}`, outside: true } : layer));
  });
  return [...lines, ...marksOf(answer, all, answer.along, ordinate).filter((layer) => layer.kind !== "track")];
}

function spread(y: Float64Array): number {
  let [low, high] = [Infinity, -Infinity];
  for (const value of y) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return high > low ? high - low : 1;
}

function PeriodMap({ ran }: { ran: Ran | null }): JSX.Element | null {
  const running = useSignal(sweep.running);
  useSignal(isDark);
  const [chosen, choose] = useState<string | null>(null);
  const answer: Json = running ? null : ran?.answer.answer;
  const made = useMemo(() => {
    if (!answer?.second) return null;
    const tasks = (answer.tasks ?? []) as Json[];
    const [x, y] = [answer.values as number[], answer.second_values as number[]];
    const periods: number[] = tasks.map((task) => (task.ended === "complete" ? (task.period ?? 0) : NaN));
    const found = [...new Set(periods.filter((period) => period > 0 && period <= MOST_COLOURS))].sort((a, b) => a - b);
    const [column, row] = [new Map(x.map((value, i) => [value, i])), new Map(y.map((value, i) => [value, i]))];
    const cell = (task: Json): number => (row.get(task.parameters[answer.second]) ?? NaN) * x.length + (column.get(task.parameters[answer.parameter]) ?? NaN);
    const category = new Float64Array(x.length * y.length).fill(NaN);
    periods.forEach((period, i) => {
      category[cell(tasks[i])] = Number.isNaN(period) ? NaN : period > 0 ? (found.includes(period) ? found.indexOf(period) : found.length) : found.length + 1;
    });
    const colours = [...found.map(colourOfPeriod), colourOfPeriod(MOST_COLOURS + 1), "#000000"];
    const labels = [...found.map((period) => `period ${period}`), "longer", "no period found"];
    const picture: Picture = { x: axisOf(answer.parameter), y: axisOf(answer.second), layers: [{ kind: "image", image: imageOf({ columns: x.length, rows: y.length, category, colours }), box: boxAround(x, y) }] };
    const present = new Set(category);
    const at = new Map(tasks.map((task) => [cell(task), task]));
    return { picture, entries: labels.map((label, k) => ({ label, colour: colours[k]! })).filter((_, k) => present.has(k)), x, y, at };
  }, [answer]);
  if (!made) return null;
  const take = (vx: number, vy: number): void => {
    const near = (values: number[], value: number): number => values.reduce((best, one, i) => (Math.abs(one - value) < Math.abs(values[best]! - value) ? i : best), 0);
    const [column, row] = [near(made.x, vx), near(made.y, vy)];
    const task = made.at.get(row * made.x.length + column);
    load({ [answer.parameter]: made.x[column]!, [answer.second]: made.y[row]! }, task?.state ?? {});
    choose(`Loaded ${answer.parameter} = ${short(made.x[column])}, ${answer.second} = ${short(made.y[row])}${task ? `; ${task.period ? `period ${task.period}` : "no period found"}` : ""}.`);
  };
  return (
    <>
      <Swatches entries={made.entries} test="map-legend" />
      <PlaneView name="map" hint="The map of periods; a click loads both parameters" picture={made.picture} height={tall()} onClick={take} />
      <p class="soft">{many(answer.done, "trajectory", "trajectories")}. {chosen ?? "A click loads both parameters and the last state."}</p>
    </>
  );
}
