// The numbers beside the panels: every parameter as a slider with a number or a formula, every state with its initial value.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { full, short } from "../draw/numbers";
import { useSignal } from "../parts/signal";
import type { Parameter, State } from "../server/types";
import "./current";
import * as current from "./numbers";
import { holding, onStep, range } from "./ranges";
import { parametersRead, refusals, resetValues, setParameter, setStart, startRead, system, typedSet, typedStart } from "./state";

// Beside the panels values are open, above them they are closed at first.
const wide = matchMedia("(min-width: 47.5rem)");

export function Values(): JSX.Element {
  const own = useSignal(system);
  const typed = useSignal(typedSet);
  const typedAtStart = useSignal(typedStart);
  const refused = useSignal(refusals);
  const values = useSignal(current.parameters);
  const atStart = useSignal(current.start);
  const [open, setOpen] = useState(wide.matches);
  useEffect(() => {
    const follow = (): void => setOpen(wide.matches);
    wide.addEventListener("change", follow);
    return () => wide.removeEventListener("change", follow);
  }, []);
  if (!own) return <aside class="values" />;
  const wrong = parametersRead().wrong;
  const wrongStart = startRead().wrong;
  const changed = Object.keys(typed).length + Object.keys(typedAtStart).length;
  return (
    <aside class="values" aria-label="Values">
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <h2>Parameters</h2>
          {changed > 0 && (
            <button type="button" class="link" data-test="reset" onClick={(event) => {
              event.preventDefault();
              resetValues();
            }}>as in the model</button>
          )}
        </summary>
        {own.parameters.length === 0 && <p class="soft">The model has no parameters.</p>}
        {own.parameters.map((one) => (
          <ParameterField key={`${own.name}/${one.name}`} parameter={one} typed={typed[one.name]} wrong={wrong[one.name] ?? refused[one.name]} known={values[one.name]} />
        ))}
        <h2>Initial values</h2>
        {own.states.map((one) => (
          <StartField key={one.name} state={one} typed={typedAtStart[one.name]} wrong={wrongStart[one.name] ?? refused[one.name]} known={atStart[one.name]} />
        ))}
      </details>
    </aside>
  );
}

function ParameterField({ parameter, typed, wrong, known }: { parameter: Parameter; typed: string | undefined; wrong: string | undefined; known: number | undefined }): JSX.Element {
  const { name, formula, min, max } = parameter;
  const text = typed ?? formula ?? full(parameter.value);
  const number = typed !== undefined && Number.isFinite(Number(typed)) && typed.trim() !== "" ? Number(typed) : (known ?? parameter.value);
  const isFormula = typed === undefined ? formula !== null : !Number.isFinite(Number(typed));
  const span = holding(range(parameter.value, min, max), Number.isFinite(number) ? number : parameter.value);
  const title = [parameter.about, parameter.unit && `unit ${parameter.unit}`, min !== null && `at least ${min}`, max !== null && `at most ${max}`].filter(Boolean).join("; ");
  return (
    <div class={typed === undefined ? "value" : "value changed"}>
      <label for={`p-${name}`} title={title}>
        <b>{parameter.symbol ?? name}</b>
        {parameter.symbol && parameter.symbol !== name && <span class="soft"> {name}</span>}
        <span class="soft about">{parameter.about}</span>
      </label>
      <span class="typed">
        <input
          id={`p-${name}`}
          data-test={`parameter-${name}`}
          value={text}
          inputMode="text"
          autocomplete="off"
          spellcheck={false}
          aria-invalid={wrong ? "true" : "false"}
          onInput={(event) => setParameter(name, event.currentTarget.value)}
          title={[text, title].filter(Boolean).join("; ")}
        />
        <span class="unit">{parameter.unit}</span>
        {typed !== undefined && <button type="button" class="link undo" aria-label={`${name} as in the model`} title={`As in the model: ${formula ?? full(parameter.value)}`} onClick={() => setParameter(name, null)}>↺</button>}
      </span>
      {isFormula ? (
        <span class="soft formula" title={full(known ?? parameter.value)}>= {short(known ?? parameter.value)}</span>
      ) : (
        <input
          type="range"
          data-test={`slider-${name}`}
          aria-label={`${name}, slider`}
          min={span.low}
          max={span.high}
          step="any"
          value={number}
          onInput={(event) => setParameter(name, String(onStep(Number(event.currentTarget.value), span)))}
          onKeyDown={(event) => {
            const way = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: 20, PageDown: -20 }[event.key];
            if (!way) return;
            event.preventDefault();
            setParameter(name, String(onStep(Math.min(span.high, Math.max(span.low, number + way * span.step)), span)));
          }}
        />
      )}
      {wrong && <p class="wrong" data-test={`parameter-${name}-wrong`}>{wrong}</p>}
    </div>
  );
}

function StartField({ state, typed, wrong, known }: { state: State; typed: string | undefined; wrong: string | undefined; known: number | undefined }): JSX.Element {
  const { name } = state;
  return (
    <div class={typed === undefined ? "value start" : "value start changed"}>
      <label for={`s-${name}`}><b>{name}</b></label>
      <span class="typed">
        <input
          id={`s-${name}`}
          data-test={`start-${name}`}
          value={typed ?? full(known ?? state.start)}
          title={typed ?? full(known ?? state.start)}
          autocomplete="off"
          spellcheck={false}
          aria-invalid={wrong ? "true" : "false"}
          onInput={(event) => setStart(name, event.currentTarget.value)}
        />
        <span class="unit">{state.unit}</span>
        {typed !== undefined && <button type="button" class="link undo" aria-label={`${name} as in the model`} title={`As in the model: ${full(state.start)}`} onClick={() => setStart(name, null)}>↺</button>}
      </span>
      {wrong && <p class="wrong" data-test={`start-${name}-wrong`}>{wrong}</p>}
    </div>
  );
}
