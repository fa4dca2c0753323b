// Sweeps: the bifurcation diagram along one parameter, or the map of periods over two.
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { boxAround, imageOf } from "../../draw/cells";
import type { Box, Picture } from "../../draw/layers";
import { count, many, short } from "../../draw/numbers";
import { PlaneView } from "../../draw/plane_view";
import { CATEGORIES, isDark } from "../../draw/theme";
import { bounds, help, words } from "../../model/asked";
import { aroundParameter, axisOf, free } from "../../model/around";
import { load, sections, system, valueOf } from "../../model/state";
import { Choose, Row, TextField } from "../../parts/fields";
import { form, useForm } from "../../parts/form";
import { exposed } from "../../parts/measured";
import { Reading, given } from "../../parts/read";
import { Signal, useSignal } from "../../parts/signal";
import { Job, mistakeAt, type Ran } from "../../server/job";
import type { Json } from "../../server/types";
import { tall } from "../motion/panel";
import { Seconds, Status } from "../status";
import { Swatches } from "../swatches";
import { TakeHome } from "../take_home";
import { Growing, nearest, pieceOf, pieces, pointsOf, type Piece } from "./diagram";

export const sweep = new Job("sweep");
const fields = form("sweep", { along: "", low: "", high: "", points: "400", settle: "300", record: "60", carry: "none", second: "", low2: "", high2: "", points2: "80", quantity: "" });
const view = new Signal<Box | null>(null);
const loaded = new Signal<string | null>(null);
let growing = { returns: new Growing("returns"), impacts: new Growing("impacts") };
// The piece that is being swept again, or null for the whole.
let finer = false;

sweep.ran.listen(() => {
  if (!sweep.ran.value) pieces.value = [];
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
  const asked = given({ along, settle: reading.whole("settle", ...bounds("sweep", "settle")), record: reading.whole("record", ...bounds("sweep", "record")), carry: second || fields.get("carry") === "none" ? undefined : fields.get("carry") });
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
  const before = finer ? pieces.value : [];
  const ran = await sweep.run(asked);
  if (!ran || fields.get("second")) return;
  try {
    const name = (asked["along"] as { name: string }[])[0]!.name;
    const piece = await pieceOf(ran, name, quantityOf().value);
    // A piece that another covers is not needed any more.
    pieces.value = [...before.filter((one) => one.parameter === name && !(one.low >= piece.low && one.high <= piece.high)), piece];
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
        {!isMap && <Choose label="up" test="sweep-quantity" value={quantity} onChange={field("quantity").onChange} options={options} />}
        {!isMap && <button type="button" data-test="refine" disabled={!box || running !== null || !all.length} title="Sweep the range that is shown with as many values" onClick={() => box && void ask([Math.max(box.x0, all[0]?.low ?? box.x0), Math.min(box.x1, all[0]?.high ?? box.x1)])}>Refine here</button>}
        <Seconds job={sweep} />
        <TakeHome ran={ran} test="sweep" how={isMap ? {} : { ordinate: quantity }} />
      </Row>
      <Status job={sweep} test="sweep" />
      {isMap ? <PeriodMap ran={ran} /> : <Diagram quantity={quantity} name={name} />}
      {said && <p class="soft" data-test="sweep-loaded">{said}</p>}
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
    return { ran: null, parameter: axis!.name, low: axis!.range[0], high: axis!.range[1], returns: growing.returns.take(sweep.parts), impacts: growing.impacts.take(sweep.parts) };
  }, [running, heard]);
  const shown = live ? [...(finer ? all : []), live] : all;
  const parameter = shown[0]?.parameter ?? name;
  const picture = useMemo((): Picture => {
    const axis = running && !finer ? (running.fields["along"] as { range: [number, number] }[])[0]!.range : null;
    return {
      x: { ...axisOf(parameter), ...(axis && axis.every((value) => typeof value === "number") ? { fixed: axis } : {}) },
      y: quantity === "impact_speed" ? { label: "impact speed" } : axisOf(quantity),
      layers: pointsOf(shown, quantity).map(({ x, y }) => ({ kind: "cloud", x, y, colour: "blue" })),
    };
  }, [all, live, quantity, parameter, running]);
  const points = picture.layers.reduce((sum, layer) => sum + (layer.kind === "cloud" ? layer.x.length : 0), 0);
  if (!shown.length) return null;
  const take = (x: number, y: number): void => {
    const box = view.value;
    const first = picture.layers[0];
    const wide = box ? box.x1 - box.x0 : (shown[0]!.high - shown[0]!.low || 1);
    const high = box ? box.y1 - box.y0 : first?.kind === "cloud" ? spread(first.y) : 1;
    const found = nearest(shown, quantity, x, y, wide, high);
    if (!found) return;
    load({ [found.parameter]: found.value }, found.state);
    loaded.value = `Loaded ${found.parameter} = ${short(found.value)} and the state of this return.`;
  };
  return (
    <>
      <PlaneView name="sweep" hint="The bifurcation diagram; a click loads the parameter and the state" picture={picture} height={tall()} view={view} onClick={take} />
      <p class="soft"><span data-test="sweep-count">{many(points, "point")}</span>. A click loads the parameter and the state.</p>
    </>
  );
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
    const found = [...new Set(periods.filter((period) => period > 0))].sort((a, b) => a - b).slice(0, 14);
    const [column, row] = [new Map(x.map((value, i) => [value, i])), new Map(y.map((value, i) => [value, i]))];
    const cell = (task: Json): number => (row.get(task.parameters[answer.second]) ?? NaN) * x.length + (column.get(task.parameters[answer.parameter]) ?? NaN);
    const category = new Float64Array(x.length * y.length).fill(NaN);
    periods.forEach((period, i) => {
      category[cell(tasks[i])] = Number.isNaN(period) ? NaN : period > 0 ? (found.includes(period) ? found.indexOf(period) : found.length) : found.length + 1;
    });
    const colours = [...found.map((_, k) => CATEGORIES[k]!), CATEGORIES[15]!, "#000000"];
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
      <p class="soft">{count(answer.done)} motions. {chosen ?? "A click loads both parameters and the last state."}</p>
    </>
  );
}
