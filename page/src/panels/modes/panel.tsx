// Nonsmooth modes: energy against frequency, and the periodic trajectories found, as a table.
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { Legend } from "../../draw/legend";
import type { Layer, Mark, Picture } from "../../draw/layers";
import { many, short } from "../../draw/numbers";
import { PlaneView } from "../../draw/plane_view";
import { bounds, help } from "../../model/asked";
import { load, system } from "../../model/state";
import { Check, Row, TextField } from "../../parts/fields";
import { form, useForm } from "../../parts/form";
import { exposed } from "../../parts/measured";
import { Num } from "../../parts/number";
import { Reading, given } from "../../parts/read";
import { useSignal } from "../../parts/signal";
import { Job, mistakeAt } from "../../server/job";
import type { Json } from "../../server/types";
import { Seconds, Status } from "../status";
import { TakeHome } from "../take_home";

export const modes = new Job("modes");
const fields = form("modes", { ipp: "1", low: "", high: "", near: "", family: "yes" });
const MOST_ROWS = 400;
exposed("modes", () => modes.ran.value?.answer.answer ?? null);

function read(): { asked: Record<string, unknown>; wrong: Record<string, string>; right: boolean } {
  const reading = new Reading(fields.value);
  const ranged = fields.get("low").trim() !== "" || fields.get("high").trim() !== "";
  const asked = given({ ipp: reading.whole("ipp", ...bounds("modes", "ipp")), periods: ranged ? reading.range("low", "high") : undefined, near: reading.maybe("near"), family: fields.get("family") === "yes" ? true : undefined });
  return { asked, wrong: reading.wrong, right: reading.right };
}

async function ask(): Promise<void> {
  const { asked, right } = read();
  if (right) await modes.run(asked);
}

export function ModesPanel(): JSX.Element {
  const field = useForm(fields);
  const own = useSignal(system);
  const ran = useSignal(modes.ran);
  const mistakes = useSignal(modes.mistakes);
  if (!own) return <section class="panel" />;
  const why = !own.contacts.length ? "The model has no contact, so it has no nonsmooth modes." : !own.linear ? "Nonsmooth modes are those of linear structures; this model is not linear between events." : null;
  if (why) return <section class="panel"><p class="soft">{why}</p></section>;
  const { wrong } = read();
  return (
    <section class="panel" aria-label="Modes">
      <Row>
        <TextField label="impacts per period" test="modes-ipp" narrow {...field("ipp")} wrong={wrong["ipp"] ?? mistakeAt(mistakes, "ipp")} />
        <TextField label="periods from" test="modes-low" narrow placeholder="default" {...field("low")} wrong={wrong["low"] ?? mistakeAt(mistakes, "periods")} />
        <TextField label="to" test="modes-high" narrow placeholder="default" {...field("high")} wrong={wrong["high"]} />
        <TextField label="or near" test="modes-near" narrow hint={help("modes", "near")} {...field("near")} wrong={wrong["near"] ?? mistakeAt(mistakes, "near")} />
        <Check label="families" test="modes-family" hint={help("modes", "family")} value={fields.get("family") === "yes"} onChange={(on) => fields.set("family", on ? "yes" : "")} />
        <button type="button" class="main" data-test="modes" onClick={() => void ask()}>Find</button>
        <Seconds job={modes} />
        <TakeHome ran={ran} test="modes" />
      </Row>
      <Status job={modes} test="modes" again={() => void ask()} />
      {!ran && <p class="soft">Periodic trajectories of the unforced structure with the given impacts per period: energy over frequency, and a table of them.</p>}
      {ran && <Found answer={ran.answer.answer} />}
    </section>
  );
}

const frequency = (one: Json): number => (typeof one.frequency === "number" ? one.frequency : (2 * Math.PI) / one.period);

// The lines of families: of intervals of periods, or of what was followed.
function families(answer: Json): Json[][] {
  const sampled = ((answer.samples ?? []) as Json[][]).filter((list) => Array.isArray(list));
  const followed = ((answer.families ?? []) as Json[]).map((one) => (Array.isArray(one) ? one : (one.points ?? one.motions ?? one.samples ?? []))) as Json[][];
  return [...sampled, ...followed];
}

function Found({ answer }: { answer: Json }): JSX.Element {
  const picture = useMemo((): Picture => {
    const layers: Layer[] = [];
    for (const admissible of [false, true]) {
      const x: number[] = [];
      const y: number[] = [];
      for (const list of families(answer)) {
        for (let i = 0; i < list.length; i++) {
          const one = list[i];
          const both = one.admissible === admissible || list[i - 1]?.admissible === admissible;
          x.push(both && one.energy > 0 ? frequency(one) : NaN);
          y.push(both && one.energy > 0 ? Math.log10(one.energy) : NaN);
        }
        x.push(NaN);
        y.push(NaN);
      }
      if (x.some((value) => !Number.isNaN(value))) layers.push({ kind: "line", x, y, colour: admissible ? "blue" : "grey", label: admissible ? "family" : "family, not admissible", ...(admissible ? {} : { dash: [5, 4] }) });
    }
    const found = (answer.modes ?? []) as Json[];
    for (const admissible of [false, true]) {
      const marks = found.filter((one) => one.admissible === admissible && one.energy > 0).map((one): Mark => ({ x: frequency(one), y: Math.log10(one.energy), title: `period ${short(one.period)}, energy ${short(one.energy)}, ${one.verdict}`, pick: one }));
      if (marks.length) layers.push({ kind: "marks", marks, shape: "circle", colour: admissible ? "blue" : "grey", size: 5, label: admissible ? "periodic trajectory" : "periodic trajectory, not admissible" });
    }
    const linear = (answer.frequencies ?? []) as number[];
    if (linear.length && linear.length <= 60) layers.push({ kind: "verticals", at: linear, colour: "grid", label: "linear mode" });
    return { x: { label: "frequency" }, y: { label: "energy", log: true }, layers };
  }, [answer]);
  const found = (answer.modes ?? []) as Json[];
  return (
    <>
      <Legend layers={picture.layers} />
      <PlaneView name="modes" hint="Energy against frequency; a click loads a periodic trajectory" picture={picture} height={420} onPick={(mark) => load({}, (mark.pick as Json).state ?? {})} />
      <p class="soft" data-test="modes-count">{many(found.length, "periodic trajectory", "periodic trajectories")} with {many(answer.ipp, "impact")} per period, {found.filter((one) => one.admissible).length} admissible; {many((answer.frequencies ?? []).length, "linear mode")}, the lowest frequency <Num value={answer.frequencies?.[0]} test="modes-frequency" />. A click on a mark loads its state.</p>
      <details class="table" open>
        <summary>Periodic trajectories</summary>
        <div class="scroll" tabIndex={0}>
          <table data-test="modes-table">
            <thead><tr><th class="n">period</th><th class="n">frequency</th><th class="n">energy</th><th class="n">spectral radius</th><th>verdict</th><th /></tr></thead>
            <tbody>
              {found.slice(0, MOST_ROWS).map((one, i) => (
                <tr key={i}>
                  <td class="n"><Num value={one.period} test={`mode-period-${i}`} /></td><td class="n"><Num value={frequency(one)} /></td><td class="n"><Num value={one.energy} /></td><td class="n"><Num value={one.spectral_radius} /></td>
                  <td>{one.verdict}</td>
                  <td><button type="button" class="link" onClick={() => load({}, one.state ?? {})}>Load its state</button></td>
                </tr>
              ))}
            </tbody>
          </table>
          {found.length > MOST_ROWS && <p class="soft">The first {MOST_ROWS} of {found.length}; JSON has all.</p>}
        </div>
      </details>
    </>
  );
}
