// What a question says while it runs and afterwards: progress with Stop, mistakes, warnings, an ending that is not complete, and the values that it belongs to.
import type { JSX } from "preact";
import { short } from "../draw/numbers";
import { differences, varied, type Difference } from "../model/stale";
import { checkedText, system, typedSet, typedStart } from "../model/state";
import { label, plain } from "../model/words";
import { useSignal } from "../parts/signal";
import { ofThisText, type Job, type Ran } from "../server/job";
import type { Mistake } from "../server/types";

// So many values are named on the line, and all of them when pointed at.
const NAMED = 10;

export function Status({ job, test, quiet, again }: { job: Job; test: string; quiet?: boolean; again?: () => void }): JSX.Element {
  const running = useSignal(job.running);
  const progress = useSignal(job.progress);
  const mistakes = useSignal(job.mistakes);
  const ran = useSignal(job.ran);
  return (
    <div class="status" data-test={`status-${test}`} role="status">
      {running && (
        <div class={quiet ? "running late" : "running"} key={quiet ? "" : running.id}>
          {progress?.share != null ? <progress value={progress.share} max="1" aria-label="Progress" /> : <progress aria-label="Progress" />}
          <span class="soft">{progress?.words ?? "computing"}{progress?.share != null ? `, ${Math.round(progress.share * 100)} %` : ""}</span>
          <button type="button" data-test={`stop-${test}`} onClick={() => void job.stop()}>Stop</button>
        </div>
      )}
      {mistakes.map((one, i) => <Said key={i} question={job.question} one={one} test={test} />)}
      {!mistakes.length && ran && !running && (
        <>
          {!ran.answer.ending.complete && (
            <div class="notice" data-test={`ending-${test}`}>
              <b>Not complete.</b> {[...new Set([...ran.answer.ending.lines, ...(ran.answer.missing?.[1] ?? [])])].map((line) => plain(job.question, line)).join("; ")}
            </div>
          )}
          {ran.answer.warnings.map((warning) => <p class="notice" key={warning}>{plain(job.question, warning)}</p>)}
        </>
      )}
      {ran && !running && <Belongs ran={ran} test={test} quiet={quiet ?? false} {...(again ? { again } : {})} />}
    </div>
  );
}

function Said({ question, one, test }: { question: string; one: Mistake; test: string }): JSX.Element {
  const own = one.field ? (system.value?.questions[question]?.fields.includes(one.field) ? label(question, one.field) : one.field) : null;
  return (
    <p class="notice bad" data-test={`mistake-${test}`}>{own && !one.message.startsWith(own) ? <b>{own}: </b> : null}{plain(question, one.message)}{one.help && <span class="soft"> ({plain(question, one.help)})</span>}</p>
  );
}

const value = (one: number | string): string => (typeof one === "number" ? short(one) : one);

// The values that an answer belongs to, and where they have changed since.
function Belongs({ ran, test, quiet, again }: { ran: Ran; test: string; quiet: boolean; again?: () => void }): JSX.Element | null {
  const own = useSignal(system);
  const set = useSignal(typedSet);
  const start = useSignal(typedStart);
  useSignal(checkedText);
  if (!own) return null;
  const changed = differences(ran.request, own, set, start);
  const text = ofThisText(ran);
  const stale = changed.parameters.length > 0 || !text;
  const list = (all: Difference[]): string => all.map((one) => `${one.name} was ${value(one.then)} and is ${value(one.now)}`).join(", ");
  const free = varied(ran.request);
  // What the answer says of a parameter; else what was set, or its formula, or its number in the model.
  const known = (ran.answer.answer?.parameters ?? {}) as Record<string, number>;
  const values = own.parameters.map((one) => `${one.symbol ?? one.name} ${free.has(one.name) ? "varies" : `= ${value(known[one.name] ?? ran.request.set[one.name] ?? one.formula ?? one.value)}`}`);
  return (
    <>
      {stale && (
        <p class="notice stale" data-test={`stale-${test}`}>
          <b>Out of date.</b> {!text ? "The text of the model has changed since. " : ""}{changed.parameters.length ? `Since this was computed ${list(changed.parameters)}.` : ""}
          {again && <> <button type="button" class="link" data-test={`again-${test}`} onClick={again}>Compute again</button></>}
        </p>
      )}
      {!quiet && values.length > 0 && <p class="soft belongs" data-test={`belongs-${test}`} title={values.join(", ")}>For {values.slice(0, NAMED).join(", ")}{values.length > NAMED ? ", …" : ""}{changed.start.length ? `; from another initial condition: ${list(changed.start)}` : ""}.</p>}
    </>
  );
}

export function Seconds({ job }: { job: Job }): JSX.Element | null {
  const ran = useSignal(job.ran);
  return ran ? <span class="soft seconds" title={`${ran.answer.seconds} s`}>{ran.answer.seconds < 1 ? `${short(ran.answer.seconds * 1000, 3)} ms` : `${short(ran.answer.seconds, 3)} s`}</span> : null;
}
