// The phase plane: the trajectory of the fields, those of further initial values, and the vector field; a click begins a trajectory there.
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { fit, type Box, type Layer, type Picture } from "../../draw/layers";
import { Legend } from "../../draw/legend";
import { many, short } from "../../draw/numbers";
import { PlaneView } from "../../draw/plane_view";
import type { Ink } from "../../draw/theme";
import { load, startRead, system, typedSet, typedStart } from "../../model/state";
import { Check, Row } from "../../parts/fields";
import { exposed } from "../../parts/measured";
import { Signal, useSignal } from "../../parts/signal";
import { tall } from "../../parts/tall";
import type { Ran } from "../../server/job";
import type { Json } from "../../server/types";
import { goesOn } from "../orbits/questions";
import { equilibrium } from "../steady/panel";
import { field, layersOf, look, why } from "./field";
import { overEachOther } from "./layers";
import { fields, motion } from "./live";
import { busy, draw, keepStarts, MOST, others, starts, stop } from "./several";

// Equilibria that are known at these values, as marks: filled where they are stable.
function restsOf(ran: Ran | null, xName: string, yName: string): Layer[] {
  if (!goesOn(ran, [])) return [];
  const found = (ran.answer.answer.equilibria ?? []) as Json[];
  return [true, false].flatMap((stable): Layer[] => {
    const marks = found.filter((one) => one.admissible && one.stable === stable).map((one) => ({ x: one.state?.[xName] ?? NaN, y: one.state?.[yName] ?? NaN, title: `${stable ? "stable" : "unstable"} equilibrium` }));
    return marks.length ? [{ kind: "marks", shape: stable ? "circle" : "ring", colour: "black", size: 9, label: `${stable ? "stable" : "unstable"} equilibrium`, marks }] : [];
  });
}

const view = new Signal<Box | null>(null);
// Nullclines and sliding stretches have the other colours.
const COLOURS: Ink[] = ["vermillion", "black", "sky"];
// The plane is looked at again when it has stood still for so long, in milliseconds.
const STILL = 200;
exposed("plane", () => ({ field: field.value, others: others.value.map((one) => ({ start: one.start, end: one.answer?.end ?? null, why: one.why })) }));

// The extent of the trajectories, a little widened, so that their surroundings are seen.
function surroundings(picture: Picture): Box {
  const { x0, x1, y0, y1 } = fit(picture);
  const [w, h] = [0.15 * (x1 - x0), 0.15 * (y1 - y0)];
  return { x0: x0 - w, x1: x1 + w, y0: y0 - h, y1: y1 + h };
}

export function Plane({ xName, yName }: { xName: string; yName: string }): JSX.Element {
  const shown = useSignal(motion)!;
  const typed = useSignal(fields);
  const own = useSignal(system);
  const set = useSignal(typedSet);
  const start = useSignal(typedStart);
  const more = useSignal(others);
  const computing = useSignal(busy);
  const found = useSignal(field);
  const trouble = useSignal(why);
  const box = useSignal(view);
  const rests = useSignal(equilibrium.ran);
  const [said, say] = useState<string | null>(null);
  const states = own?.states.map((one) => one.name) ?? [];
  const clickable = xName !== yName && states.includes(xName) && states.includes(yName);
  const several = typed["several"] === "yes";
  const [arrows, curves] = [typed["field"] === "yes", typed["nullclines"] === "yes"];
  const events = shown.ran.answer.answer.events ?? [];
  const trajectories = useMemo((): Picture => {
    const main = overEachOther(shown.curves, xName, yName, events);
    const further = (several ? more : []).flatMap((one, k): Layer[] => {
      if (!one.curves) return [];
      const colour = COLOURS[k % COLOURS.length]!;
      return overEachOther(one.curves, xName, yName, one.answer?.events ?? []).layers.filter((layer) => layer.kind === "line").map((layer) => (layer.colour === "blue" ? { ...layer, colour, label: `from ${short(Number(one.start[xName]), 4)}, ${short(Number(one.start[yName]), 4)}` } : { ...layer, label: "" }));
    });
    return { ...main, layers: [...further, ...main.layers] };
  }, [shown, xName, yName, more, several]);
  const picture = useMemo((): Picture => {
    const around = surroundings(trajectories);
    const drawn = clickable && (arrows || curves) && found && found.states[0] === xName && found.states[1] === yName ? layersOf(found, arrows, curves) : [];
    return { ...trajectories, layers: [...drawn, ...trajectories.layers, ...(clickable ? restsOf(rests, xName, yName) : [])], x: { ...trajectories.x, ...(clickable ? { fixed: [around.x0, around.x1] as [number, number] } : {}) }, y: { ...trajectories.y, ...(clickable ? { fixed: [around.y0, around.y1] as [number, number] } : {}) } };
  }, [trajectories, found, arrows, curves, clickable, rests, set]);
  useEffect(() => {
    if (clickable && several) void draw([xName, yName]);
  }, [shown, several, typed["starts"], xName, yName, clickable]);
  useEffect(() => {
    if (!clickable || !(arrows || curves)) return undefined;
    const timer = window.setTimeout(() => void look([xName, yName], view.value ?? surroundings(trajectories)), STILL);
    return () => window.clearTimeout(timer);
  }, [trajectories, box, arrows, curves, clickable, set, start, xName, yName]);
  const begin = (x: number, y: number): void => {
    if (several) {
      const now = startRead().values;
      const before = { ...Object.fromEntries((own?.states ?? []).map((one) => [one.name, one.start])), ...now };
      const list = starts();
      if (list.length >= MOST) say(`The first of ${MOST} further trajectories gave way.`);
      keepStarts([...list, before]);
    }
    load({}, { [xName]: x, [yName]: y });
    if (!several || starts().length < MOST) say(`The trajectory begins at ${xName} = ${short(x)}, ${yName} = ${short(y)}.`);
  };
  const held = found && !found.planar && (arrows || curves) ? Object.entries(found.held) : [];
  const failed = several ? more.filter((one) => one.why) : [];
  return (
    <>
      {clickable && (
        <Row>
          <Check label="vector field" test="plane-field" value={arrows} onChange={(on) => fields.set("field", on ? "yes" : "")} />
          <Check label="nullclines" test="plane-nullclines" value={curves} onChange={(on) => fields.set("nullclines", on ? "yes" : "")} />
          <Check label="several trajectories" test="plane-several" value={several} onChange={(on) => fields.set("several", on ? "yes" : "")} hint="A click begins another trajectory, and those before stay" />
          {several && computing && <button type="button" class="late" data-test="plane-stop" onClick={stop}>Stop the further trajectories</button>}
          {several && more.length > 0 && <button type="button" data-test="plane-clear" onClick={() => {
            keepStarts([]);
            others.value = [];
          }}>Remove {many(more.length, "further trajectory", "further trajectories")}</button>}
        </Row>
      )}
      <Legend layers={picture.layers} />
      <PlaneView name="motion-plane" hint={`${yName} over ${xName}${clickable ? "; a click begins a trajectory there" : ""}`} picture={picture} height={tall()} view={view} {...(clickable ? { onClick: begin } : {})} />
      {clickable ? <p class="soft" data-test="plane-said">{said ?? "A click begins a trajectory there."}{held.length > 0 ? ` The field is that at ${held.map(([name, value]) => `${name} = ${short(value)}`).join(", ")} only: the plane is a section of more dimensions.` : ""}</p> : <p class="soft">Where both axes are states a click begins a trajectory, and the vector field can be drawn.</p>}
      {curves && found?.nullclines_left_out && <p class="notice">The switches have more than 16 combinations of sides here; nullclines are drawn of the first 16.</p>}
      {trouble && (arrows || curves) && <p class="notice bad" data-test="plane-trouble">The field cannot be drawn: {trouble}.</p>}
      {failed.map((one, k) => <p class="notice bad" key={k}>No trajectory from {xName} = {short(Number(one.start[xName]))}, {yName} = {short(Number(one.start[yName]))}: {one.why}.</p>)}
    </>
  );
}
