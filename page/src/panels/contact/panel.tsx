// The contact problem: all solutions at the start, and the map of regions over two parameters or states.
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { boxAround, imageOf } from "../../draw/cells";
import { Legend } from "../../draw/legend";
import type { Layer, Picture } from "../../draw/layers";
import { short } from "../../draw/numbers";
import { PlaneView } from "../../draw/plane_view";
import { REGIONS } from "../../draw/theme";
import { around, axisOf, free, freeOfWalls, valueOf } from "../../model/around";
import { load, startOf, system } from "../../model/state";
import { Check, Choose, Row, TextField } from "../../parts/fields";
import { form, useForm } from "../../parts/form";
import { exposed } from "../../parts/measured";
import { Num } from "../../parts/number";
import { Reading } from "../../parts/read";
import { useSignal } from "../../parts/signal";
import { Job, mistakeAt } from "../../server/job";
import type { Json } from "../../server/types";
import { Fact } from "../orbits/orbit";
import { Seconds, Status } from "../status";
import { Swatches } from "../swatches";
import { TakeHome } from "../take_home";

export const contact = new Job("contact");
const fields = form("contact", { map: "", x: "", y: "", x0: "", x1: "", y0: "", y1: "", points: "100" });
exposed("contact", () => contact.ran.value?.answer.answer ?? null);

const names = (): string[] => [...free(), ...(system.value?.states.map((one) => one.name) ?? [])];

function axes(): [string, string] {
  const all = names();
  const x = all.includes(fields.get("x")) ? fields.get("x") : (all[0] ?? "");
  const y = all.includes(fields.get("y")) && fields.get("y") !== x ? fields.get("y") : (all.find((name) => name !== x) ?? "");
  return [x, y];
}

function extent(name: string): [string, string] {
  const one = system.value?.parameters.find((parameter) => parameter.name === name);
  const value = one ? valueOf(name) : startOf(name);
  const [low, high] = around(value, one?.min ?? null, one?.max ?? null, 0.9);
  const [a, b] = one ? [low, high] : freeOfWalls(name, low, high);
  return [String(a), String(b)];
}

function propose(x: string, y: string): void {
  const [[x0, x1], [y0, y1]] = [extent(x), extent(y)];
  fields.fill({ x, y, x0, x1, y0, y1 });
}

function read(): { asked: Record<string, unknown>; wrong: Record<string, string>; right: boolean } {
  if (fields.get("map") !== "yes") return { asked: {}, wrong: {}, right: true };
  const reading = new Reading(fields.value);
  const [x, y] = axes();
  const points = reading.whole("points", 2, 2000);
  const [xs, ys] = [reading.range("x0", "x1"), reading.range("y0", "y1")];
  return { asked: { map: [{ name: x, low: xs[0], high: xs[1], count: points }, { name: y, low: ys[0], high: ys[1], count: points }] }, wrong: reading.wrong, right: reading.right };
}

async function ask(): Promise<void> {
  const { asked, right } = read();
  if (right) await contact.run(asked);
}

export function ContactPanel(): JSX.Element {
  const field = useForm(fields);
  const own = useSignal(system);
  const ran = useSignal(contact.ran);
  const mistakes = useSignal(contact.mistakes);
  const [x, y] = axes();
  useEffect(() => {
    if (x && y && !fields.get("x0") && !fields.get("y0")) propose(x, y);
  }, [x, y]);
  if (!own) return <section class="panel" />;
  if (!own.contacts.some((one) => one.friction)) return <section class="panel"><p class="soft">The model has no contact with friction, so its contact forces are unique and there is nothing to map.</p></section>;
  const { wrong } = read();
  const mapped = fields.get("map") === "yes";
  return (
    <section class="panel" aria-label="Contact">
      <Row>
        <Check label="map of" test="contact-map" value={mapped} onChange={(on) => fields.set("map", on ? "yes" : "")} />
        {mapped && (
          <>
            <Choose label="horizontal axis" test="contact-x" value={x} onChange={(next) => propose(next, y)} options={names()} />
            <TextField label="from" test="contact-x0" narrow {...field("x0")} wrong={wrong["x0"] ?? mistakeAt(mistakes, "map")} />
            <TextField label="to" test="contact-x1" narrow {...field("x1")} wrong={wrong["x1"]} />
            <Choose label="vertical axis" test="contact-y" value={y} onChange={(next) => propose(x, next)} options={names().filter((name) => name !== x)} />
            <TextField label="from" test="contact-y0" narrow {...field("y0")} wrong={wrong["y0"]} />
            <TextField label="to" test="contact-y1" narrow {...field("y1")} wrong={wrong["y1"]} />
            <TextField label="values a side" test="contact-points" narrow {...field("points")} wrong={wrong["points"]} />
          </>
        )}
        <button type="button" class="main" data-test="contact" onClick={() => void ask()}>Solve</button>
        <Seconds job={contact} />
        <TakeHome ran={ran} test="contact" picture={Boolean(ran?.answer.answer.map)} />
      </Row>
      <Status job={contact} test="contact" again={() => void ask()} />
      {!ran && <p class="soft">All sets of contact forces that fulfil the laws of contact and friction at the initial values; with a map, how many there are over two quantities.</p>}
      {ran && <Solutions answer={ran.answer.answer} />}
      {ran?.answer.answer.map && <Map answer={ran.answer.answer} />}
    </section>
  );
}

function Solutions({ answer }: { answer: Json }): JSX.Element {
  const solutions = (answer.solutions ?? []) as Json[];
  const forces = (record: Record<string, number> | undefined, test: string): JSX.Element[] => Object.entries(record ?? {}).map(([name, value]) => <span key={name}>{name} <Num value={value} test={`${test}-${name}`} /> </span>);
  return (
    <>
      <dl class="facts">
        <Fact name="the contact problem of the start is"><b data-test="contact-status">{String(answer.status).replaceAll("_", " ")}</b></Fact>
        {((answer.contacts ?? []) as Json[]).map((one) => (
          <Fact key={one.contact} name={`${one.contact}: friction, and the critical one`}><Num value={one.mu} />, <Num value={one.mu_critical} test={`critical-${one.contact}`} /> <span class="soft">slip speed</span> <Num value={one.slip_speed} /></Fact>
        ))}
      </dl>
      {solutions.length > 0 && (
        <div class="scroll" tabIndex={0}>
          <table data-test="solutions">
            <thead><tr><th>solution</th><th>normal force</th><th>tangential force</th><th>opening acceleration</th></tr></thead>
            <tbody>
              {solutions.map((one, i) => (
                <tr key={i}><td>{one.mode}{one.borderline ? ", borderline" : ""}</td><td>{forces(one.normal_force, `normal-${i}`)}</td><td>{forces(one.tangential_force, `tangential-${i}`)}</td><td>{forces(one.opening_accelerations, `opening-${i}`)}</td></tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {solutions.length === 0 && <p>No set of contact forces fulfils all conditions.</p>}
    </>
  );
}

const STROKES = ["black", "vermillion", "purple", "green"] as const;

function Map({ answer }: { answer: Json }): JSX.Element | null {
  const made = useMemo(() => {
    const [x, y] = answer.map.values as [number[], number[] | undefined];
    const [xName, yName] = answer.map.names as [string, string | undefined];
    if (!y || !yName) return null;
    const status = answer.map.status as string[][];
    const kinds = Object.keys(REGIONS);
    // A row for each value of the second axis.
    const category = Float64Array.from(status.flat(), (one) => kinds.indexOf(one));
    const layers: Layer[] = [{ kind: "image", image: imageOf({ columns: x.length, rows: y.length, category, colours: kinds.map((kind) => REGIONS[kind]!) }), box: boxAround(x, y) }];
    const quantities = [...new Set((answer.map.curves as Json[]).map((one) => `${one.quantity} = 0 at ${one.contact}`))];
    for (const one of answer.map.curves as Json[]) {
      const label = `${one.quantity} = 0 at ${one.contact}`;
      const points = one.points as [number, number][];
      layers.push({ kind: "line", x: points.map(([a]) => a), y: points.map(([, b]) => b), colour: STROKES[quantities.indexOf(label) % STROKES.length]!, width: 1.6, label });
    }
    const box = boxAround(x, y);
    const picture: Picture = { x: { ...axisOf(xName), fixed: [box.x0, box.x1] }, y: { ...axisOf(yName), fixed: [box.y0, box.y1] }, layers };
    return { picture, xName, yName };
  }, [answer]);
  if (!made) return null;
  const shares = (answer.shares ?? {}) as Record<string, number>;
  return (
    <>
      <Swatches test="contact-legend" entries={Object.entries(shares).map(([kind, share]) => ({ colour: REGIONS[kind] ?? "#aaaaaa", label: `${kind} (${short(100 * share, 3)} %)`, title: String(share) }))} />
      <Legend layers={made.picture.layers} />
      <PlaneView name="contact" hint="Regions of the contact problem; a click loads the values" picture={made.picture} height={440} onClick={(a, b) => load({ [made.xName]: a, [made.yName]: b }, { [made.xName]: a, [made.yName]: b })} />
      <p class="soft">A click loads both values.</p>
    </>
  );
}
