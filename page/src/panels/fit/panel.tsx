// Fits to measurements: a file of data, what is free, the estimates with their standard errors, and data, model and residuals over time.
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Legend } from "../../draw/legend";
import { many } from "../../draw/numbers";
import { PlaneView } from "../../draw/plane_view";
import { help } from "../../model/asked";
import { free as parameters } from "../../model/around";
import { load, system } from "../../model/state";
import { Choose, Row, TextField } from "../../parts/fields";
import { useForm } from "../../parts/form";
import { exposed } from "../../parts/measured";
import { Num } from "../../parts/number";
import { Signal, useSignal } from "../../parts/signal";
import { numbers } from "../../server/ask";
import { Job, mistakeAt, type Ran } from "../../server/job";
import type { Json } from "../../server/types";
import { Fact } from "../orbits/orbit";
import { Seconds, Status } from "../status";
import { TakeHome } from "../take_home";
import { chosen, data, fields, names, read, toggle } from "./asked";
import { columns } from "./columns";
import { pictures, type Trajectory } from "./figure";

export const fit = new Job("fit");
const span = new Signal<[number, number] | null>(null);
const cursor = new Signal<number | null>(null);
const left = new Signal(0);
exposed("fit", () => fit.ran.value?.answer.answer ?? null);

// A session that is opened brings its data along.
fit.ran.listen(() => {
  const text = fit.ran.value?.request.fields["data"];
  if (!data.value && typeof text === "string") data.value = { name: "data of the session", text };
});

async function ask(): Promise<void> {
  const { asked, right } = read();
  if (right) await fit.run(asked);
}

export function FitPanel(): JSX.Element {
  const field = useForm(fields);
  const own = useSignal(system);
  const file = useSignal(data);
  const ran = useSignal(fit.ran);
  const mistakes = useSignal(fit.mistakes);
  const input = useRef<HTMLInputElement>(null);
  if (!own) return <section class="panel" />;
  const { wrong, right } = read();
  const list = chosen();
  const found = file ? columns(file.text) : [];
  return (
    <section class="panel" aria-label="Fit">
      <Row>
        <button type="button" data-test="fit-choose" onClick={() => input.current?.click()}>Data…</button>
        <input
          ref={input}
          type="file"
          accept=".csv,.txt,text/csv"
          data-test="fit-file"
          aria-label="File of data"
          hidden
          onChange={(event) => {
            const one = event.currentTarget.files?.[0];
            event.currentTarget.value = "";
            if (one) void one.text().then((text) => (data.value = { name: one.name, text }));
          }}
        />
        <span class="soft" data-test="fit-columns">{file ? `${file.name}: ${found.join(", ")}` : "a CSV file with the names of its columns in the first line"}</span>
        <TextField label="columns" test="fit-column" placeholder="mm=1000*x" hint={help("fit", "column")} {...field("column")} wrong={mistakeAt(mistakes, "column")} />
        <TextField label="noise" test="fit-sigma" placeholder={found[1] ? `${found[1]}=0.01` : "estimated"} hint={help("fit", "sigma")} {...field("sigma")} wrong={mistakeAt(mistakes, "sigma")} />
        <Choose label="clock" test="fit-clock" hint={help("fit", "clock")} value={fields.get("clock")} onChange={field("clock").onChange} options={[["", "that of the model"], ...parameters().map((name): [string, string] => [name, `ahead by ${name}`])]} wrong={mistakeAt(mistakes, "clock")} />
        <TextField label="starts" test="fit-starts" narrow placeholder="default" hint={help("fit", "starts")} {...field("starts")} wrong={wrong["starts"] ?? mistakeAt(mistakes, "starts")} />
      </Row>
      <div class="chips" role="group" aria-label="What is fitted">
        {names().map((name) => <button key={name} type="button" class={list.includes(name) ? "chip on" : "chip"} aria-pressed={list.includes(name)} data-test={`fit-free-${name}`} onClick={() => toggle(name)}>{name}</button>)}
      </div>
      {list.map((name) => (
        <Row key={name}>
          <b>{name}</b>
          <TextField label="from" test={`fit-low-${name}`} narrow placeholder="unbounded" {...field(`low ${name}`)} wrong={wrong[`low ${name}`]} />
          <TextField label="to" test={`fit-high-${name}`} narrow placeholder="unbounded" {...field(`high ${name}`)} wrong={wrong[`high ${name}`]} />
        </Row>
      ))}
      <Row>
        <button type="button" class="main" data-test="fit" disabled={!right} title={Object.values(wrong)[0] ?? ""} onClick={() => void ask()}>Fit</button>
        {!right && <span class="soft" data-test="fit-wrong">{Object.values(wrong)[0]}</span>}
        <Seconds job={fit} />
        <TakeHome ran={ran} test="fit" />
      </Row>
      <Status job={fit} test="fit" again={() => void ask()} />
      {!ran && <p class="soft">Parameters and initial values from measurements: samples of states, gaps and forces, and times of impacts and other events. Each column is named by what it measures.</p>}
      {ran && <Estimates answer={ran.answer.answer} />}
      {ran && <Figure ran={ran} />}
    </section>
  );
}

function Estimates({ answer }: { answer: Json }): JSX.Element {
  const estimates = answer.estimates as Json[];
  const remark = (one: Json): string => (one.at_bound ? "at its bound" : one.identifiable ? "" : "not determined by the data");
  return (
    <>
      <p data-test="fit-message">{answer.message}</p>
      <div class="scroll" tabIndex={0}>
        <table data-test="estimates">
          <thead><tr><th /><th class="n">estimate</th><th class="n">standard error</th><th class="n">began at</th><th class="n">bounds</th><th /></tr></thead>
          <tbody>
            {estimates.map((one) => (
              <tr key={one.name}>
                <td>{one.name}</td>
                <td class="n"><Num value={one.value} test={`estimate-${one.name}`} /></td>
                <td class="n"><Num value={one.standard_error} test={`error-${one.name}`} /></td>
                <td class="n"><Num value={one.start} /></td>
                <td class="n">{one.bounds && <><Num value={one.bounds[0]} /> to <Num value={one.bounds[1]} /></>}</td>
                <td>{remark(one)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Row><button type="button" data-test="fit-load" onClick={() => load(answer.parameters ?? {}, answer.start ?? {})}>Load the estimates</button></Row>
      <dl class="facts">
        {(answer.columns as Json[]).map((one) => (
          <Fact key={one.name} name={one.name}>{many(one.count, "number")}, noise <Num value={one.sigma} />{one.estimated ? " (estimated)" : ""}, root mean square of residuals <Num value={one.rms} />{one.missing?.length ? `, ${one.missing.length} measured only` : ""}{one.extra?.length ? `, ${one.extra.length} of the model only` : ""}</Fact>
        ))}
        <Fact name="chi-squared"><Num value={answer.chi_squared} /> with {many(answer.degrees_of_freedom, "degree")} of freedom</Fact>
      </dl>
    </>
  );
}

function Figure({ ran }: { ran: Ran }): JSX.Element {
  const own = useSignal(system);
  const [trajectory, setTrajectory] = useState<Trajectory | null>(null);
  useEffect(() => {
    const cut = new AbortController();
    const table = ran.answer.tables.find((one) => one.name === "trajectory");
    setTrajectory(null);
    left.value = 0;
    if (table) {
      numbers(ran.answer.id, table.name, table.head, cut.signal).then(
        ([times, ...rest]) => setTrajectory({ times: times!, values: Object.fromEntries(rest.map((column, k) => [table.head[k + 1]!, column])) }),
        () => undefined,
      );
    }
    return () => cut.abort();
  }, [ran]);
  const drawn = useMemo(() => pictures(ran.answer.answer, trajectory, own?.time_unit ?? null), [ran, trajectory, own]);
  return (
    <>
      <Legend layers={drawn.flatMap(({ picture }) => picture.layers)} />
      {drawn.map(({ name, picture, residuals }, i) => {
        const last = i === drawn.length - 1;
        const key = residuals ? `fit-residuals-${name}` : `fit-${name}`;
        return <PlaneView key={key} name={key} hint={residuals ? `Residuals of ${name} over time` : `${name}: data and model over time`} picture={picture} height={(residuals ? 120 : 200) + (last ? 32 : 0)} bottomTicks={last} shared={span} cursor={cursor} left={left} />;
      })}
    </>
  );
}
