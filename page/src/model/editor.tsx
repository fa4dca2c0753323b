// The text of the model: a plain text field over a layer that underlines mistakes; it is checked while one types.
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { many } from "../draw/numbers";
import { download } from "../parts/download";
import { useSignal } from "../parts/signal";
import { pieces, position } from "./lines";
import { check, checking, mistakes, name, original, system, text } from "./state";
import { plain } from "./words";

const PAUSE = 250;
// A longer text is shown without line numbers and underlines, which would take long to lay out.
const LONG = 200000;
let timer = 0;

function edited(next: string): void {
  text.value = next;
  window.clearTimeout(timer);
  timer = window.setTimeout(() => void check({ text: next }), PAUSE);
}

export function ModelPanel(): JSX.Element {
  const own = useSignal(system);
  const written = useSignal(text);
  const wrong = useSignal(mistakes);
  const waits = useSignal(checking);
  const first = useSignal(original);
  const field = useRef<HTMLTextAreaElement>(null);
  const lines = written.split("\n");
  const long = written.length > LONG;
  const widest = lines.reduce((most, line) => Math.max(most, line.length), 0);
  const placed = new Map<number, string[]>();
  for (const one of wrong) if (one.line) placed.set(one.line, [...(placed.get(one.line) ?? []), one.message]);
  const go = (line: number, column: number): void => {
    const at = position(written, line, column);
    field.current?.focus();
    field.current?.setSelectionRange(at, at);
  };
  return (
    <section class="panel model" aria-label="Model">
      <div class="row">
        <span class="state" data-test="model-state" role="status">
          {waits ? "checking…" : wrong.length ? (wrong.length === 1 ? "one mistake" : `${wrong.length} mistakes`) : "the model is right"}
        </span>
        <button type="button" data-test="save-model" onClick={() => {
          download(`${name.value || "model"}.toml`, written);
          original.value = written;
        }}>Save text</button>
        {written !== first && <button type="button" data-test="undo-edits" title="The text as it was opened or last saved" onClick={() => edited(first)}>Undo all edits</button>}
        {written !== first && <span class="soft" data-test="edited">edited</span>}
      </div>
      {own && !wrong.length && (
        <p class="soft">
          {own.about} {own.source && <>Source: {own.source}. </>}
          {own.body}{own.linear ? ", linear between events" : ""}; {many(own.states.length, "state")}, {many(own.contacts.length, "contact")}, fingerprint <span title={own.fingerprint}>{own.fingerprint.slice(0, 12)}</span>.
        </p>
      )}
      {own?.warnings.map((warning) => <p class="notice" key={warning}>{plain("check", warning)}</p>)}
      <div class={wrong.length ? "editor with-mistakes" : "editor"}>
        <div class="sheet" style={{ height: `${lines.length * 20 + 24}px` }}>
          <div class="under" aria-hidden="true">
            {!long && lines.map((line, i) => {
              const found = pieces(line, i + 1, wrong);
              return (
                <div class="line" key={i}>
                  <span class={placed.has(i + 1) ? "line-number bad" : "line-number"}>{i + 1}</span>
                  <span class="words">{found.map((piece, k) => (piece.wrong ? <u key={k}>{piece.text}</u> : piece.text))}</span>
                </div>
              );
            })}
          </div>
          <textarea
            ref={field}
            data-test="editor"
            aria-label="Text of the model"
            aria-invalid={wrong.length ? "true" : "false"}
            spellcheck={false}
            autocomplete="off"
            wrap="off"
            value={written}
            style={{ width: `max(100%, ${widest + 8}ch)` }}
            onInput={(event) => edited(event.currentTarget.value)}
          />
        </div>
      </div>
      {wrong.length > 0 && (
        <ul class="mistakes" data-test="mistakes" aria-live="polite">
          {wrong.map((one, i) => (
            <li key={i}>
              {one.line ? <button type="button" class="link" onClick={() => go(one.line!, one.column ?? 1)}>line {one.line}{one.column ? `, column ${one.column}` : ""}</button> : null} {plain("check", one.message)}
              {one.help && <span class="soft"> {plain("check", one.help)}</span>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
