// The values of formulas at the numbers that are set: parameters and start values that follow others, by the question `check`.
import { Signal } from "../parts/signal";
import { ask, newId } from "../server/ask";
import { asking, system, typedSet } from "./state";

export const parameters = new Signal<Record<string, number>>({});
export const start = new Signal<Record<string, number>>({});

let busy = false;
let again = false;

async function look(): Promise<void> {
  if (busy) {
    again = true;
    return;
  }
  const now = asking();
  if (!now || !Object.keys(now.set).length) {
    parameters.value = {};
    start.value = {};
    return;
  }
  busy = true;
  const outcome = await ask({ id: newId(), question: "check", fields: {}, from: null, text: now.text, set: now.set, start: {} });
  busy = false;
  if (outcome.kind === "answer") {
    const numbers = (values: unknown): Record<string, number> => Object.fromEntries(Object.entries((values ?? {}) as Record<string, unknown>).filter((one): one is [string, number] => typeof one[1] === "number"));
    parameters.value = numbers(outcome.answer.answer.parameters);
    start.value = numbers(outcome.answer.answer.start);
  }
  if (again) {
    again = false;
    void look();
  }
}

typedSet.listen(() => void look());
system.listen(() => void look());
