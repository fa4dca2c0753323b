// What follows from the numbers that are set, by the server: values of formulas by the question `check`, and the ranges that walls leave free.
import { ask, newId } from "../server/ask";
import { json } from "../server/http";
import { parameters, start, walls } from "./numbers";
import { asking, system, typedSet } from "./state";

let busy = false;
let again = false;

const numbers = (values: unknown): Record<string, number> => Object.fromEntries(Object.entries((values ?? {}) as Record<string, unknown>).filter((one): one is [string, number] => typeof one[1] === "number"));

async function look(): Promise<void> {
  if (busy) {
    again = true;
    return;
  }
  const now = asking();
  if (!now) return;
  busy = true;
  try {
    if (!Object.keys(now.set).length) {
      parameters.value = {};
      start.value = {};
    } else {
      const outcome = await ask({ id: newId(), question: "check", fields: {}, from: null, text: now.text, set: now.set, start: {} });
      if (outcome.kind === "answer") {
        parameters.value = numbers(outcome.answer.answer.parameters);
        start.value = numbers(outcome.answer.answer.start);
      }
    }
    walls.value = (await json<{ ranges: Record<string, [number | null, number | null]> }>("look", { text: now.text, set: now.set, ranges: true })).ranges;
  } catch {
    // Wrong numbers are said at their fields by the questions themselves.
  } finally {
    busy = false;
  }
  if (again) {
    again = false;
    void look();
  }
}

typedSet.listen(() => void look());
system.listen(() => void look());
