// Equilibria with their eigenvalues, their branches, and the Lyapunov exponents of a trajectory.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { many } from "../../draw/numbers";
import { bounds, help } from "../../model/asked";
import { aroundParameter, free, valueOf } from "../../model/around";
import { load, sections, system } from "../../model/state";
import { Check, Choose, Row, TextField } from "../../parts/fields";
import { form, useForm } from "../../parts/form";
import { exposed } from "../../parts/measured";
import { Num } from "../../parts/number";
import { Reading, given } from "../../parts/read";
import { useSignal } from "../../parts/signal";
import { Job, mistakeAt } from "../../server/job";
import type { Json } from "../../server/types";
import { kindWords, type Picked } from "../orbits/branch";
import { BranchView, ordinateOf } from "../orbits/branch_view";
import { Pairs } from "../orbits/circle";
import { Fact } from "../orbits/orbit";
import { goesOn } from "../orbits/questions";
import { Seconds, Status } from "../status";
import { TakeHome } from "../take_home";

export const equilibrium = new Job("equilibrium");
export const followed = new Job("continue_equilibrium");
export const lyapunov = new Job("lyapunov");
const fields = form("steady", { along: "", low: "", high: "", switch: "", ordinate: "", returns: "2000", settle: "200" });
exposed("equilibrium", () => equilibrium.ran.value?.answer.answer ?? null);
exposed("lyapunov", () => lyapunov.ran.value?.answer.answer ?? null);

const alongOf = (): string => (free().includes(fields.get("along")) ? fields.get("along") : (free()[0] ?? ""));

function propose(name: string): void {
  const [low, high] = aroundParameter(name, valueOf(name), 0.5);
  fields.fill({ along: name, low: String(low), high: String(high) });
}

async function follow(at: number): Promise<void> {
  const reading = new Reading(fields.value);
  const asked = given({ along: alongOf(), range: reading.range("low", "high"), at: at || undefined, switch: fields.get("switch") === "yes" ? true : undefined });
  if (!reading.right) return;
  // Equilibria of former values would give a branch of former values.
  const from = goesOn(equilibrium.ran.value, [alongOf()]) ? equilibrium.ran.value : await equilibrium.run({});
  if (from) await followed.run(asked, from.answer.id);
}

async function exponents(): Promise<void> {
  const reading = new Reading(fields.value);
  const asked = { returns: reading.whole("returns", ...bounds("lyapunov", "returns")), settle: reading.whole("settle", ...bounds("lyapunov", "settle")) };
  if (reading.right) await lyapunov.run(asked);
}

export function SteadyPanel(): JSX.Element {
  const own = useSignal(system);
  if (!own) return <section class="panel" />;
  return (
    <section class="panel" aria-label="Equilibria and exponents">
      <Equilibria />
      <Exponents />
    </section>
  );
}

function Equilibria(): JSX.Element {
  const field = useForm(fields);
  const ran = useSignal(equilibrium.ran);
  const branch = useSignal(followed.ran);
  const running = useSignal(followed.running);
  const mistakes = useSignal(followed.mistakes);
  const [picked, pick] = useState<Picked | null>(null);
  const [chosen, choose] = useState(0);
  const name = alongOf();
  useEffect(() => {
    if (name && !fields.get("low") && !fields.get("high")) propose(name);
  }, [name]);
  const reading = new Reading(fields.value);
  reading.range("low", "high");
  const found = (ran?.answer.answer.equilibria ?? []) as Json[];
  const at = Math.min(chosen, Math.max(0, found.length - 1));
  const { value: ordinate, options } = ordinateOf(fields.get("ordinate"), true, false);
  return (
    <>
      <Row>
        <h3>Equilibria</h3>
        <button type="button" class="main" data-test="equilibrium" onClick={() => void equilibrium.run({})}>Find</button>
        <Seconds job={equilibrium} />
        <TakeHome ran={ran} test="equilibrium" picture={false} />
      </Row>
      <Status job={equilibrium} test="equilibrium" again={() => void equilibrium.run({})} />
      {!ran && <p class="soft">States at rest in flight and in contact: where they are, whether they are stable, and their eigenvalues.</p>}
      {ran && (
        <>
          <p data-test="equilibrium-count">{ran.answer.answer.message}</p>
          {found.length > 0 && (
            <div class="scroll" tabIndex={0}>
              <table data-test="equilibria">
                <thead><tr><th /><th>mode</th><th>state</th><th>stability</th><th class="n">largest real part</th><th>force</th><th /></tr></thead>
                <tbody>
                  {found.map((one, i) => (
                    <tr key={i} class={i === at ? "on" : ""}>
                      <td><input type="radio" name="equilibrium" aria-label={`Equilibrium ${i + 1}`} checked={i === at} onChange={() => choose(i)} /></td>
                      <td>{one.mode}</td>
                      <td>{Object.entries(one.state as Record<string, number>).slice(0, 8).map(([state, value]) => <span key={state}>{state} = <Num value={value} test={`equilibrium-${i}-${state}`} /> </span>)}</td>
                      <td>{one.stable ? "stable" : "unstable"}{one.admissible ? "" : ", not admissible"}</td>
                      <td class="n"><Num value={one.eigenvalues?.length ? Math.max(...(one.eigenvalues as [number, number][]).map(([re]) => re)) : null} /></td>
                      <td>{Object.entries((one.contact_force ?? {}) as Record<string, number>).map(([contact, value]) => <span key={contact}>{contact} <Num value={value} /> </span>)}</td>
                      <td><button type="button" class="link" onClick={() => load({}, one.state)}>Load</button></td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
          {found[at] && <details class="table"><summary>Eigenvalues of equilibrium {at + 1}</summary><Pairs pairs={found[at].eigenvalues} test="eigenvalue" title="eigenvalue" /></details>}
          {found.length > 0 && name && (
            <Row>
              <Choose label="Follow it along" test="eq-along" value={name} onChange={propose} options={free()} wrong={mistakeAt(mistakes, "along")} />
              <TextField label="from" test="eq-low" narrow {...field("low")} wrong={reading.wrong["low"] ?? mistakeAt(mistakes, "range")} />
              <TextField label="to" test="eq-high" narrow {...field("high")} wrong={reading.wrong["high"]} />
              <Check label="switch to limit cycles" test="eq-switch" value={fields.get("switch") === "yes"} onChange={(on) => fields.set("switch", on ? "yes" : "")} />
              <button type="button" class="main" data-test="eq-continue" disabled={running !== null} onClick={() => void follow(at)}>Continue</button>
              <Choose label="vertical axis" test="eq-ordinate" value={ordinate} onChange={field("ordinate").onChange} options={options} />
              <Seconds job={followed} />
              <TakeHome ran={branch} test="eq-branch" how={{ ordinate: ordinate.slice(6) }} />
            </Row>
          )}
        </>
      )}
      <Status job={followed} test="eq-branch" again={() => void follow(at)} />
      <BranchView job={followed} name="equilibria" along={name} ordinate={ordinate} height={380} picked={picked} onPick={pick} />
      {picked && branch && (
        <div class="picked">
          <Row>
            <b>{picked.special !== null ? kindWords(picked.data.kind) : picked.data.stable ? "stable" : "unstable"}</b>
            <span>{branch.answer.answer.along} = <Num value={picked.data.parameters?.[branch.answer.answer.along]} /></span>
            <span>{Object.entries((picked.data.state ?? {}) as Record<string, number>).slice(0, 8).map(([state, value]) => <span key={state}>{state} = <Num value={value} /> </span>)}</span>
            <button type="button" onClick={() => load(picked.data.parameters ?? {}, picked.data.state ?? {})}>Load its values</button>
          </Row>
        </div>
      )}
    </>
  );
}

function Exponents(): JSX.Element {
  const field = useForm(fields);
  useSignal(system);
  const ran = useSignal(lyapunov.ran);
  const mistakes = useSignal(lyapunov.mistakes);
  const reading = new Reading(fields.value);
  reading.whole("returns", ...bounds("lyapunov", "returns"));
  reading.whole("settle", ...bounds("lyapunov", "settle"));
  if (!sections().length) return <><h3>Lyapunov exponents</h3><p class="soft">The model has no phase and no section, so returns cannot be counted.</p></>;
  const answer = ran?.answer.answer;
  return (
    <>
      <Row>
        <h3>Lyapunov exponents</h3>
        <TextField label="over" test="lyapunov-returns" narrow hint={help("lyapunov", "returns")} {...field("returns")} wrong={reading.wrong["returns"] ?? mistakeAt(mistakes, "returns")} />
        <TextField label="returns after a transient of" test="lyapunov-settle" narrow hint={help("lyapunov", "settle")} {...field("settle")} wrong={reading.wrong["settle"] ?? mistakeAt(mistakes, "settle")} />
        <button type="button" class="main" data-test="lyapunov" onClick={() => void exponents()}>Compute</button>
        <Seconds job={lyapunov} />
        <TakeHome ran={ran} test="lyapunov" picture={false} />
      </Row>
      <Status job={lyapunov} test="lyapunov" again={() => void exponents()} />
      {!ran && <p class="soft">The rates at which neighbouring trajectories part, one for each state, with their standard errors: a positive one is chaos.</p>}
      {answer && (
        <>
          <table data-test="exponents">
            <thead><tr><th>exponent</th><th class="n">value</th><th class="n">standard error</th></tr></thead>
            <tbody>{(answer.exponents as number[]).map((value, i) => <tr key={i}><td>{i + 1}</td><td class="n"><Num value={value} test={`exponent-${i}`} /></td><td class="n"><Num value={answer.standard_errors?.[i]} /></td></tr>)}</tbody>
          </table>
          <dl class="facts"><Fact name="sum"><Num value={answer.sum} /></Fact><Fact name="measured over">{many(answer.returns, "return")} with {many(answer.impacts, "impact")}, a time of <Num value={answer.time} /></Fact></dl>
        </>
      )}
    </>
  );
}
