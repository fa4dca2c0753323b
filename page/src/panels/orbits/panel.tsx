// Orbits and branches: find an orbit, follow it along a parameter, and go on from its special points.
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { Legend } from "../../draw/legend";
import type { Layer, Picture } from "../../draw/layers";
import { many } from "../../draw/numbers";
import { PlaneView } from "../../draw/plane_view";
import { help, usual } from "../../model/asked";
import { label } from "../../model/words";
import { aroundParameter, axisOf, free, valueOf } from "../../model/around";
import { load, sections, system } from "../../model/state";
import { Check, Choose, Row, TextField } from "../../parts/fields";
import { useForm } from "../../parts/form";
import { Num } from "../../parts/number";
import { useSignal } from "../../parts/signal";
import { mistakeAt } from "../../server/job";
import type { Json } from "../../server/types";
import { Seconds, Status } from "../status";
import { TakeHome } from "../take_home";
import { branchesOf, kindOf, kindWords, type Picked } from "./branch";
import { BranchView, ordinateOf } from "./branch_view";
import { Pairs } from "./circle";
import { OrbitPart } from "./orbit";
import { along, begins, branch, branchFields, curve, curveFields, follow, followCurve, followFrom, numberOf, picked, proposeRange, readBranch, readCurve, see, typedPoint } from "./questions";

export function OrbitsPanel(): JSX.Element {
  const own = useSignal(system);
  if (!own) return <section class="panel" />;
  if (!sections().length) return <section class="panel"><p class="soft">The model has no phase and no section, so returns cannot be counted and orbits cannot be searched. A section is added in [sections].</p></section>;
  return (
    <section class="panel" aria-label="Orbits and branches">
      <OrbitPart />
      <BranchPart />
    </section>
  );
}

function BranchPart(): JSX.Element {
  const field = useForm(branchFields);
  const ran = useSignal(branch.ran);
  const running = useSignal(branch.running);
  const mistakes = useSignal(branch.mistakes);
  const one = useSignal(picked);
  const name = along();
  const parameters = free();
  useEffect(() => {
    if (name && !branchFields.get("low") && !branchFields.get("high")) proposeRange(name);
  }, [name]);
  if (!parameters.length) return <p class="soft">The model has no parameter that could vary.</p>;
  const { wrong } = readBranch();
  const hasImpacts = (system.value?.contacts.length ?? 0) > 0;
  const { value: ordinate, options } = ordinateOf(branchFields.get("ordinate"), false, hasImpacts);
  return (
    <>
      <Row>
        <h3>Branch</h3>
        <Choose label="along" test="branch-along" value={name} onChange={(next) => proposeRange(next)} options={parameters} wrong={mistakeAt(mistakes, "along")} />
        <TextField label="from" test="branch-low" narrow {...field("low")} wrong={wrong["low"] ?? mistakeAt(mistakes, "range")} />
        <TextField label="to" test="branch-high" narrow {...field("high")} wrong={wrong["high"]} />
        <TextField label={label("continue", "points")} test="branch-points" narrow placeholder={usual("continue", "points")} hint={help("continue", "points")} {...field("points")} wrong={wrong["points"] ?? mistakeAt(mistakes, "points")} />
        <TextField label={label("continue", "step")} test="branch-step" narrow placeholder={usual("continue", "step")} hint={help("continue", "step")} {...field("step")} wrong={wrong["step"] ?? mistakeAt(mistakes, "step")} />
        <Check label={label("continue", "switch")} test="branch-switch" hint={help("continue", "switch")} value={branchFields.get("switch") === "yes"} onChange={(on) => branchFields.set("switch", on ? "yes" : "")} />
        <button type="button" class="main" data-test="continue" disabled={running !== null} onClick={() => void follow()}>Continue</button>
        <Choose label="vertical axis" test="branch-ordinate" value={ordinate} onChange={field("ordinate").onChange} options={options} />
        <Seconds job={branch} />
        <TakeHome ran={ran} test="branch" how={{ ordinate: ordinate.replace(/^state:/, "") }} />
      </Row>
      <Status job={branch} test="branch" again={() => void follow()} />
      {!ran && !running && <p class="soft">The branch is the orbit while {name} varies: a curve over {name}, with the bifurcations on it. A click on it chooses an orbit, or a bifurcation, from which a curve in two parameters or further branches begin.</p>}
      <div class={one ? "pair" : ""}>
        <div><BranchView job={branch} name="orbits" along={name} ordinate={ordinate} height={420} picked={one} onPick={(next) => (picked.value = next)} /></div>
        {one && <PickedPoint one={one} />}
      </div>
      {ran && !running && <SpecialTable answer={ran.answer.answer} name={ran.answer.answer.along} chosen={one} />}
      <CurvePart />
    </>
  );
}

function SpecialTable({ answer, name, chosen }: { answer: Json; name: string; chosen: Picked | null }): JSX.Element | null {
  const rows = branchesOf(answer).flatMap((one, b) => ((one.special ?? []) as Json[]).map((special, k): { special: Json; pick: Picked } => ({ special, pick: { branch: b, index: special.index, data: special, special: k } })));
  const typed = useSignal(curveFields)["at"] ?? "";
  const type = (text: string): void => {
    curveFields.set("at", text);
    const found = typedPoint(answer, text);
    if (found) picked.value = found;
  };
  if (!rows.length) return null;
  const wrong = typed.trim() && !typedPoint(answer, typed) ? "There is none of this number: INDEX, or BRANCH:INDEX, as in the table." : null;
  return (
    <>
    <Row><TextField label="Special point number" test="special-typed" narrow value={typed} onInput={type} wrong={wrong} placeholder="0, 2:0" hint="Chooses the special point of this number, from which a curve in two parameters or further branches begin" /></Row>
    <div class="scroll" tabIndex={0}>
      <table data-test="special">
        <thead><tr><th class="n">number</th><th>special point</th><th class="n">{name}</th><th class="n">period</th><th>at</th><th>beyond</th><th /></tr></thead>
        <tbody>
          {rows.map(({ special, pick }, i) => (
            <tr key={i} class={chosen && chosen.branch === pick.branch && chosen.special === pick.special ? "on" : ""}>
              <td class="n">{numberOf(pick.branch, pick.special!)}</td>
              <td>{kindOf(special)}{special.admissible ? "" : ", not admissible"}</td>
              <td class="n"><Num value={special.parameters[name]} test={`special-${i}`} /></td>
              <td class="n"><Num value={special.period} /></td>
              <td>{special.contact}</td>
              <td>{beyond(answer, pick)}</td>
              <td><button type="button" class="link" data-test={`pick-${i}`} onClick={() => (picked.value = pick)}>Choose</button></td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
    </>
  );
}

const NOT_FOLLOWED: Record<string, string> = { not_found: "no branch was found", virtual: "its orbit is not admissible", known: "a branch that is here already", none: "no branch begins at such points" };

// The branches that begin at a special point, or why none was followed.
function beyond(answer: Json, { branch, special, data }: Picked): string {
  const own = branchesOf(answer).flatMap(({ parent }, k) => (parent?.branch === branch && parent?.special === special ? [`branch ${k}`] : []));
  return own.join(", ") || (NOT_FOLLOWED[data.not_followed] ?? "");
}

function PickedPoint({ one }: { one: Picked }): JSX.Element {
  const ran = branch.ran.value;
  const field = useForm(curveFields);
  const mistakes = useSignal(curve.mistakes);
  const first = (ran?.answer.answer.along as string | undefined) ?? along();
  const others = free().filter((name) => name !== first);
  const second = others.includes(curveFields.get("second")) ? curveFields.get("second") : others[0];
  const propose = (name: string): void => {
    const [low, high] = aroundParameter(name, one.data.parameters?.[name] ?? valueOf(name), 0.05);
    curveFields.fill({ second: name, low: String(low), high: String(high) });
  };
  useEffect(() => {
    if (second) propose(second);
  }, [one]);
  const { wrong } = readCurve();
  const { data } = one;
  return (
    <div class="picked" data-test="picked">
      <Row>
        <b>{one.special !== null ? `${numberOf(one.branch, one.special)} ${kindOf(data)}` : data.stable ? "stable orbit" : "unstable orbit"}</b>
        <span>{first} = <Num value={data.parameters?.[first]} test="picked-parameter" /></span>
        {data.period !== undefined && <span>period <Num value={data.period} /></span>}
        <button type="button" data-test="picked-see" onClick={() => void see(one)}>See its orbit</button>
        <button type="button" data-test="picked-load" onClick={() => load(data.parameters, data.state)}>Load its values</button>
        {one.special !== null && data.kind !== "end" && ran && !begins(ran.answer.answer, one) && (
          <button type="button" data-test="picked-switch" onClick={() => void followFrom(one)}>Follow the branches that begin here</button>
        )}
        <button type="button" class="link" onClick={() => (picked.value = null)}>Close</button>
      </Row>
      <p>{Object.entries((data.state ?? {}) as Record<string, number>).slice(0, 12).map(([name, value]) => <span key={name}>{name} = <Num value={value} /> </span>)}</p>
      {data.multipliers && <details class="table"><summary>{many(data.multipliers.length, "multiplier")}</summary><Pairs pairs={data.multipliers} test="picked-multiplier" title="Floquet multiplier" /></details>}
      {one.special !== null && second && (
        <Row>
          <Choose label="Curve in two parameters, with" test="curve-second" value={second} onChange={propose} options={others} wrong={mistakeAt(mistakes, "along")} />
          <TextField label="from" test="curve-low" narrow {...field("low")} wrong={wrong["low"] ?? mistakeAt(mistakes, "range")} />
          <TextField label="to" test="curve-high" narrow {...field("high")} wrong={wrong["high"]} />
          <button type="button" class="main" data-test="curve" onClick={() => void followCurve()}>Follow</button>
        </Row>
      )}
    </div>
  );
}

function CurvePart(): JSX.Element | null {
  const ran = useSignal(curve.ran);
  const running = useSignal(curve.running);
  const heard = useSignal(curve.heard);
  const mistakes = useSignal(curve.mistakes);
  const [first, second] = (running?.fields["along"] ?? ran?.answer.answer.along ?? ["", ""]) as [string, string];
  const picture = useMemo((): Picture => {
    const layers: Layer[] = [];
    if (running) {
      const rows = curve.parts.flatMap(({ head, rows }) => rows.map((row): [number, number] => [first, second].map((name) => (typeof row[head.indexOf(name)] === "number" ? Number(row[head.indexOf(name)]) : NaN)) as [number, number]));
      layers.push({ kind: "line", x: rows.map(([x]) => x), y: rows.map(([, y]) => y), colour: "blue" });
    } else if (ran) {
      const { points, special, kind } = ran.answer.answer;
      for (const admissible of [false, true]) {
        const of = (value: (point: Json) => number): number[] => (points as Json[]).map((point, i) => (point.admissible === admissible || points[i - 1]?.admissible === admissible ? value(point) : NaN));
        const x = of((point) => point.parameters[first] ?? NaN);
        if (x.some((value) => !Number.isNaN(value))) layers.push({ kind: "line", x, y: of((point) => point.parameters[second] ?? NaN), colour: "blue", width: 1.8, label: admissible ? kindWords(kind) : `${kindWords(kind)}, not admissible`, ...(admissible ? {} : { dash: [6, 4] }) });
      }
      if (special.length) layers.push({ kind: "marks", shape: "circle", colour: "vermillion", size: 8, label: "special point of the curve", marks: (special as Json[]).map((one) => ({ x: one.parameters[first], y: one.parameters[second], title: kindWords(one.kind), pick: one })) });
    }
    return { x: axisOf(first), y: axisOf(second), layers };
  }, [ran, running, heard]);
  if (!ran && !running && !mistakes.length) return null;
  return (
    <>
      <Row><h3>Curve in two parameters</h3><Seconds job={curve} /><TakeHome ran={ran} test="curve" /></Row>
      <Status job={curve} test="curve" again={() => void followCurve()} />
      {(ran || running) && <><Legend layers={picture.layers} /><PlaneView name="curve" hint="The curve in the plane of two parameters" picture={picture} height={400} onPick={(mark) => load((mark.pick as Json).parameters, (mark.pick as Json).state ?? {})} /></>}
      {ran && <p class="soft" data-test="curve-count">{many(ran.answer.answer.points.length, "point")}; {ran.answer.answer.message}</p>}
    </>
  );
}
