// A periodic orbit: found from the start, with its multipliers on the unit circle, its events, and its picture.
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { Legend } from "../../draw/legend";
import { many } from "../../draw/numbers";
import { PlaneView } from "../../draw/plane_view";
import { help } from "../../model/asked";
import { label } from "../../model/words";
import { sections, system } from "../../model/state";
import { Choose, Row, TextField } from "../../parts/fields";
import { useForm } from "../../parts/form";
import { Num } from "../../parts/number";
import { useSignal } from "../../parts/signal";
import { numbers } from "../../server/ask";
import { mistakeAt } from "../../server/job";
import type { Curve, Json } from "../../server/types";
import { overEachOther } from "../motion/layers";
import { axes } from "../motion/live";
import { Seconds, Status } from "../status";
import { TakeHome } from "../take_home";
import { Pairs, UnitCircle } from "./circle";
import { findOrbit, orbit, orbitFields, readOrbit, section } from "./questions";

export function OrbitPart(): JSX.Element {
  const field = useForm(orbitFields);
  useSignal(system);
  const ran = useSignal(orbit.ran);
  const mistakes = useSignal(orbit.mistakes);
  const { wrong } = readOrbit();
  return (
    <>
      <Row>
        <h3>Orbit</h3>
        <TextField label={label("orbit", "settle")} test="orbit-settle" narrow hint={help("orbit", "settle")} {...field("settle")} wrong={wrong["settle"] ?? mistakeAt(mistakes, "settle")} onEnter={() => void findOrbit()} />
        <TextField label={label("orbit", "period")} test="orbit-period" narrow hint={help("orbit", "period")} {...field("period")} wrong={wrong["period"] ?? mistakeAt(mistakes, "period")} onEnter={() => void findOrbit()} />
        {sections().length > 1 && <Choose label="section" test="orbit-section" value={section() ?? ""} onChange={field("section").onChange} options={[["", "default"], ...sections().map((name): [string, string] => [name, name])]} />}
        <button type="button" class="main" data-test="find" onClick={() => void findOrbit()}>Find</button>
        <Seconds job={orbit} />
        <TakeHome ran={ran} test="orbit" />
      </Row>
      <Status job={orbit} test="orbit" again={() => void findOrbit()} />
      {!ran && <p class="soft">The periodic orbit on which the trajectory from the initial values settles: its period, its Floquet multipliers, its events, and its picture.</p>}
      {ran?.answer.answer.state && <Found answer={ran.answer.answer} id={ran.answer.id} />}
    </>
  );
}

function Found({ answer, id }: { answer: Json; id: string }): JSX.Element {
  const [path, setPath] = useState<{ id: string; columns: Float64Array[] } | null>(null);
  const { x, y } = axes();
  const states = new Set(Object.keys(answer.state));
  const drawn = states.has(x) && states.has(y);
  useEffect(() => {
    if (!drawn) return undefined;
    let mine = true;
    void numbers(id, "path", ["time", x, y]).then(
      (columns) => mine && setPath({ id, columns }),
      () => mine && setPath(null),
    );
    return () => {
      mine = false;
    };
  }, [id, x, y]);
  const picture = useMemo(() => {
    if (path?.id !== id) return null;
    const time = Array.from(path.columns[0]!);
    const curve = (name: string, k: number): Curve => ({ name, unit: system.value?.states.find((one) => one.name === name)?.unit ?? null, time, value: Array.from(path.columns[k]!, (value) => (Number.isNaN(value) ? null : value)) });
    return overEachOther({ curves: x === y ? [curve(x, 1)] : [curve(x, 1), curve(y, 2)], modes: [] }, x, y, answer.events);
  }, [path, id]);
  return (
    <>
      <dl class="facts">
        <Fact name="period"><Num value={answer.period} test="orbit-T" /> <span class="soft">({many(answer.returns, "return")} to {answer.section})</span></Fact>
        <Fact name="stability"><b data-test="orbit-stable">{answer.neutral ? "neutral" : answer.stable ? "stable" : "unstable"}</b>{answer.admissible ? ", admissible" : ", not admissible"}</Fact>
        <Fact name="events">{(answer.signature as string[]).join(", ") || "none"}</Fact>
        <Fact name="periodicity residual"><Num value={answer.residual} test="orbit-residual" /></Fact>
        <Fact name="state">{Object.entries(answer.state as Record<string, number>).slice(0, 12).map(([name, value]) => <span key={name}>{name} = <Num value={value} test={`orbit-state-${name}`} /> </span>)}</Fact>
      </dl>
      <div class="pair">
        <div>
          {picture && (
            <>
              <Legend layers={picture.layers} />
              <PlaneView name="orbit" hint={`The orbit: ${y} over ${x}`} picture={picture} height={300} />
            </>
          )}
        </div>
        <div>
          <UnitCircle multipliers={answer.multipliers} />
          <div class="scroll" tabIndex={0}><Pairs pairs={answer.multipliers} test="multiplier" title="Floquet multiplier" /></div>
        </div>
      </div>
      <details class="table">
        <summary>{many(answer.events.length, "event")} of a period</summary>
        <div class="scroll" tabIndex={0}>
          <table data-test="orbit-events">
            <thead><tr><th>time</th><th>event</th><th>at</th><th>speed before</th><th>speed after</th></tr></thead>
            <tbody>
              {(answer.events as Json[]).slice(0, 500).map((event, i) => (
                <tr key={i}>
                  <td class="n"><Num value={event.time} /></td><td>{event.kind}</td><td>{event.contact ?? event.section ?? event.switch}</td>
                  <td class="n"><Num value={event.speed_before} /></td><td class="n"><Num value={event.speed_after} /></td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </>
  );
}

export function Fact({ name, children }: { name: string; children: preact.ComponentChildren }): JSX.Element {
  return <div><dt>{name}</dt><dd>{children}</dd></div>;
}
