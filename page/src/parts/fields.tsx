// Labelled fields that keep what is typed, and say under them what is wrong with it.
import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";

interface Common {
  label: string;
  test: string;
  wrong?: string | null | undefined;
  hint?: string;
}

export function TextField({ label, test, wrong, hint, value, onInput, placeholder, narrow, onEnter }: Common & { value: string; onInput: (text: string) => void; placeholder?: string; narrow?: boolean; onEnter?: () => void }): JSX.Element {
  const id = useId();
  return (
    <div class={narrow ? "field narrow" : "field"}>
      <label for={id} title={hint}>{label}</label>
      <input
        id={id}
        data-test={test}
        value={value}
        placeholder={placeholder ?? ""}
        aria-invalid={wrong ? "true" : "false"}
        aria-describedby={wrong ? `${id}-wrong` : undefined}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => onInput(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") onEnter?.();
        }}
      />
      {wrong && <p class="wrong" id={`${id}-wrong`} data-test={`${test}-wrong`}>{wrong}</p>}
    </div>
  );
}

export function Choose({ label, test, value, onChange, options, hint, wrong }: Common & { value: string; onChange: (value: string) => void; options: (string | [string, string])[] }): JSX.Element {
  const id = useId();
  return (
    <div class="field">
      <label for={id} title={hint}>{label}</label>
      <select id={id} data-test={test} value={value} aria-invalid={wrong ? "true" : "false"} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map((option) => {
          const [key, words] = typeof option === "string" ? [option, option] : option;
          return <option key={key} value={key}>{words}</option>;
        })}
      </select>
      {wrong && <p class="wrong" data-test={`${test}-wrong`}>{wrong}</p>}
    </div>
  );
}

export function Check({ label, test, value, onChange, hint }: Common & { value: boolean; onChange: (value: boolean) => void }): JSX.Element {
  return (
    <label class="check" title={hint}>
      <input type="checkbox" data-test={test} checked={value} onChange={(event) => onChange(event.currentTarget.checked)} />
      {label}
    </label>
  );
}

export function Row({ children }: { children: ComponentChildren }): JSX.Element {
  return <div class="row">{children}</div>;
}
