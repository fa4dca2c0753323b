// The fields of a panel as typed, kept while the panel is hidden.
import { useSignal, Signal } from "./signal";

export type Typed = Record<string, string>;

export class Form extends Signal<Typed> {
  constructor(private readonly defaults: Typed) {
    super(defaults);
  }

  get(name: string): string {
    return this.value[name] ?? "";
  }

  set(name: string, text: string): void {
    this.value = { ...this.value, [name]: text };
  }

  fill(typed: Typed): void {
    this.value = { ...this.value, ...typed };
  }

  reset(): void {
    this.value = this.defaults;
  }
}

// The properties of a field of this form.
export function useForm(form: Form): (name: string) => { value: string; onInput: (text: string) => void; onChange: (text: string) => void } {
  const typed = useSignal(form);
  return (name) => ({ value: typed[name] ?? "", onInput: (text) => form.set(name, text), onChange: (text) => form.set(name, text) });
}

export const forms: Record<string, Form> = {};

export function form(name: string, defaults: Typed): Form {
  return (forms[name] = new Form(defaults));
}
