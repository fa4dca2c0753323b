// The trajectory: quantities over time, over each other, or where it returns to a section; it follows the values.
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { Legend } from "../../draw/legend";
import type { Mark, Picture } from "../../draw/layers";
import { count, many, short } from "../../draw/numbers";
import { PlaneView } from "../../draw/plane_view";
import { help } from "../../model/asked";
import { sections, system } from "../../model/state";
import { Choose, TextField } from "../../parts/fields";
import { useForm } from "../../parts/form";
import { exposed } from "../../parts/measured";
import { Num } from "../../parts/number";
import { Signal, useSignal } from "../../parts/signal";
import { mistakeAt } from "../../server/job";
import type { Json } from "../../server/types";
import { Seconds, Status } from "../status";
import { TakeHome } from "../take_home";
import { tall } from "../../parts/tall";
import { overTime } from "./layers";
import { axes, chosen, fields, job, motion, readReturns, readUntil, section, sectionName, shown as visible, trouble, underway, wish } from "./live";
import { Plane } from "./plane";

const span = new Signal<[number, number] | null>(null);
const cursor = new Signal<number | null>(null);
const left = new Signal(0);
const MOST_ROWS = 500;

exposed("motion", () => ({ answer: motion.value?.ran.answer.answer ?? null, id: motion.value?.ran.answer.id ?? null, coarse: motion.value?.of ?? null, underway: underway() }));

export function MotionPanel(): JSX.Element {
  const field = useForm(fields);
  const own = useSignal(system);
  const shown = useSignal(motion);
  const picked = useSignal(chosen);
  // The beginning of a trajectory that is still computed is nothing to take home.
  const ran = shown && shown.of === null ? shown.ran : null;
  const points = useSignal(section.ran);
  const failed = useSignal(trouble);
  const mistakes = useSignal(job.mistakes);
  const { view, x, y, until, section: named, returns, settle } = fields.value;
  useEffect(wish, [view, x, y, until, named, returns, settle, picked]);
  if (!own) return <section class="panel" />;
  const names = visible(shown);
  const { x: xName, y: yName } = axes();
  const choices = own.quantities.length ? own.quantities : own.states.map((one) => one.name);
  const toggle = (name: string): void => {
    chosen.value = names.includes(name) ? names.filter((one) => one !== name) : choices.filter((one) => one === name || names.includes(one));
  };
  return (
    <section class="panel" aria-label="Trajectory">
      <div class="row">
        <Choose label="Show" test="motion-view" {...field("view")} options={[["time", "over time"], ["plane", "phase plane"], ["section", "Poincaré section"]]} />
        {view !== "section" && <TextField label="until" test="motion-until" narrow placeholder="default" hint={help("simulate", "until")} {...field("until")} wrong={readUntil().wrong["until"] ?? mistakeAt(mistakes, "until")} />}
        {view === "section" && sections().length > 0 && (
          <>
            <Choose label="section" test="motion-section" value={sectionName() ?? ""} onChange={field("section").onChange} options={sections()} />
            <TextField label="returns" test="motion-returns" narrow hint={help("simulate", "returns")} {...field("returns")} wrong={readReturns().wrong["returns"] ?? mistakeAt(mistakes, "returns")} />
            <TextField label="leave out the first" test="motion-settle" narrow hint={help("simulate", "settle")} {...field("settle")} wrong={readReturns().wrong["settle"] ?? null} />
          </>
        )}
        {view !== "time" && (
          <>
            <Choose label="horizontal axis" test="motion-x" value={xName} onChange={field("x").onChange} options={view === "section" ? own.states.map((one) => one.name) : choices} />
            <Choose label="vertical axis" test="motion-y" value={yName} onChange={field("y").onChange} options={view === "section" ? own.states.map((one) => one.name) : choices} />
          </>
        )}
        <Seconds job={view === "section" ? section : job} />
        {shown?.of && view !== "section" ? <span class="soft" data-test="coarse">the beginning; the whole follows</span> : null}
        <TakeHome ran={view === "section" ? points : ran} test="motion" how={view === "time" ? {} : { plane: [xName, yName] }} />
      </div>
      {view === "time" && (
        <div class="chips" role="group" aria-label="Quantities">
          {choices.slice(0, 80).map((name) => (
            <button key={name} type="button" class={names.includes(name) ? "chip on" : "chip"} aria-pressed={names.includes(name)} data-test={`show-${name}`} onClick={() => toggle(name)}>{name.replace(":", ": ")}</button>
          ))}
        </div>
      )}
      <Status job={view === "section" ? section : job} test="motion" quiet />
      {failed && <p class="notice bad">{failed}</p>}
      {view === "time" && shown && <OverTime names={names} />}
      {view === "plane" && shown && <Plane xName={xName} yName={yName} />}
      {view === "section" && (sections().length ? <Returns xName={xName} yName={yName} name={sectionName() ?? ""} /> : <p class="soft">The model has no section and no phase, so there is nothing to return to. A section is added in [sections].</p>)}
      {shown && view !== "section" && <Facts answer={shown.ran.answer.answer} />}
    </section>
  );
}

function OverTime({ names }: { names: string[] }): JSX.Element {
  const shown = useSignal(motion)!;
  const own = useSignal(system)!;
  const [event, pick] = useState<Json | null>(null);
  const [focus, setFocus] = useState(window.innerHeight);
  useEffect(() => {
    const size = (): void => setFocus(window.innerHeight);
    window.addEventListener("resize", size);
    return () => window.removeEventListener("resize", size);
  }, []);
  const curves = names.map((name) => shown.curves.curves.find((one) => one.name === name)).filter((one) => one !== undefined);
  const pictures = useMemo(() => {
    left.value = 0;
    return curves.map((curve): [string, Picture] => {
      const picture = overTime(curve, shown.ran.answer.answer.events ?? [], shown.curves.modes, own, own.time_unit ?? null);
      const end = shown.of ?? shown.ran.answer.answer.end?.time;
      return [curve.name, { ...picture, x: { ...picture.x, ...(typeof end === "number" && end > 0 ? { fixed: [0, end] as [number, number] } : {}) } }];
    });
  }, [shown, names.join()]);
  if (!pictures.length) return <p class="soft">Choose a quantity above.</p>;
  const height = Math.max(96, Math.min(pictures.length === 1 ? 420 : 220, (focus - 250) / pictures.length));
  return (
    <>
      <Legend layers={pictures.flatMap(([, picture]) => picture.layers)} />
      {pictures.map(([name, picture], i) => (
        <PlaneView key={name} name={`motion-${name}`} hint={`${name} over time`} picture={picture} height={i === pictures.length - 1 ? height + 32 : height} bottomTicks={i === pictures.length - 1} shared={span} cursor={cursor} left={left} onPick={(mark: Mark) => pick(mark.pick as Json)} />
      ))}
      {event && <EventWords event={event} />}
    </>
  );
}

function EventWords({ event }: { event: Json }): JSX.Element {
  return (
    <p class="picked" data-test="picked-event">
      <b>{String(event.kind).replaceAll("_", " ")}</b> at {event.contact}, time <Num value={event.time} />, speed before <Num value={event.speed_before} />, after <Num value={event.speed_after} />;{" "}
      {Object.entries(event.after as Record<string, number>).map(([name, value]) => <span key={name}>{name} = <Num value={value} /> </span>)}
    </p>
  );
}

function Returns({ xName, yName, name }: { xName: string; yName: string; name: string }): JSX.Element {
  const ran = useSignal(section.ran);
  const own = useSignal(system)!;
  const picture = useMemo((): Picture => {
    const settled = Number(ran?.request.fields["settle"] ?? 0);
    const events: Json[] = (ran?.answer.answer.events ?? []).filter((event: Json) => event.kind === "section" && event.section === name).slice(settled);
    const unit = (state: string): string | null => own.states.find((one) => one.name === state)?.unit ?? null;
    return {
      x: { label: xName, unit: unit(xName) },
      y: { label: yName, unit: unit(yName) },
      layers: [{ kind: "cloud", x: Float64Array.from(events, (event) => event.after[xName] ?? NaN), y: Float64Array.from(events, (event) => event.after[yName] ?? NaN), colour: "blue", label: `returns to ${name}` }],
    };
  }, [ran, xName, yName, name]);
  const first = picture.layers[0];
  return (
    <>
      <Legend layers={picture.layers} />
      <PlaneView name="motion-section" hint="Poincaré section" picture={picture} height={tall()} />
      <p class="soft">{first?.kind === "cloud" ? many(first.x.length, "point") : ""}</p>
    </>
  );
}

function Facts({ answer }: { answer: Json }): JSX.Element {
  const events: Json[] = answer.events ?? [];
  const total = Object.values((answer.counts ?? {}) as Record<string, number>).reduce((sum, one) => sum + one, 0);
  return (
    <>
    {total > events.length && <p class="notice" data-test="motion-thinned">Of {count(total)} events the first and the last thousand are shown. The command simulate with a folder keeps all.</p>}
    <details class="table">
      <summary data-test="motion-summary">{many(total, "event")}: {Object.entries(answer.counts as Record<string, number>).map(([kind, number]) => `${number} ${kind.replaceAll("_", " ")}`).join(", ") || "none"}; {answer.message}, time <Num value={answer.end?.time} test="motion-end" /></summary>
      <div class="scroll" tabIndex={0}>
        <table data-test="events">
          <thead><tr><th>time</th><th>event</th><th>at</th><th>speed before</th><th>speed after</th></tr></thead>
          <tbody>
            {events.slice(0, MOST_ROWS).map((event, i) => (
              <tr key={i}>
                <td class="n"><Num value={event.time} /></td>
                <td>{String(event.kind).replaceAll("_", " ")}{event.kind === "chatter" ? `, ${event.impacts} impacts` : ""}</td>
                <td>{event.contact ?? event.section ?? event.switch}</td>
                <td class="n"><Num value={event.speed_before} /></td>
                <td class="n"><Num value={event.speed_after} /></td>
              </tr>
            ))}
          </tbody>
        </table>
        {total > MOST_ROWS && <p class="soft">The first {MOST_ROWS} of {count(total)}.</p>}
      </div>
      <p>End: {Object.entries(answer.end?.state ?? {}).map(([name, value]) => <span key={name}>{name} = <Num value={value as number} test={`motion-end-${name}`} />  </span>)} in {answer.end?.mode}{answer.misses?.count ? <>; nearest miss <Num value={answer.misses.smallest} /> at {answer.misses.contact}, time {short(answer.misses.time)}</> : null}</p>
    </details>
    </>
  );
}
