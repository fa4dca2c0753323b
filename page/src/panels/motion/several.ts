// Several trajectories at once: the initial values that were clicked, whose trajectories follow the parameters as the first one does.
import { asking, system } from "../../model/state";
import { Signal } from "../../parts/signal";
import { aboutJson, ask, newId } from "../../server/ask";
import type { Curves, Json, Values } from "../../server/types";
import { fields, readUntil } from "./live";

export interface Other {
  start: Values;
  // Null where there is none, the reason being said.
  curves: Curves | null;
  answer: Json | null;
  why: string | null;
}

// So many besides the one of the fields.
export const MOST = 12;
export const others = new Signal<Other[]>([]);
// Whether some are still computed.
export const busy = new Signal(false);

// The clicked initial values, kept with the fields of the panel.
export function starts(): Values[] {
  try {
    const found: unknown = JSON.parse(fields.get("starts") || "[]");
    return Array.isArray(found) ? found.filter((one): one is Values => typeof one === "object" && one !== null) : [];
  } catch {
    return [];
  }
}

export const keepStarts = (list: Values[]): void => fields.set("starts", list.length ? JSON.stringify(list.slice(-MOST)) : "");

let cut: AbortController | null = null;
let known = "";

// Asks for the trajectories that are not known yet at these values, one after the other.
export async function draw(axes: string[]): Promise<void> {
  const now = asking();
  const { until, right } = readUntil();
  const list = starts();
  if (!now || !right) return;
  const wanted = JSON.stringify([now.text, now.set, until, axes, list]);
  if (wanted === known) return;
  known = wanted;
  cut?.abort();
  cut = new AbortController();
  const { signal } = cut;
  const names = new Set(system.value?.states.map((one) => one.name));
  const found: Other[] = [];
  busy.value = list.length > 0;
  for (const start of list) {
    const id = newId();
    const own = Object.fromEntries(Object.entries(start).filter(([name]) => names.has(name)));
    const fields = { path: true, all_events: false, ...(until === undefined ? {} : { until }) };
    const outcome = await ask({ id, question: "simulate", set: now.set, start: own, fields, from: null, text: now.text }, {}, signal);
    if (signal.aborted) return;
    if (outcome.kind !== "answer") {
      found.push({ start, curves: null, answer: null, why: outcome.kind === "refused" ? (outcome.mistakes[0]?.message ?? null) : "there is no answer" });
      continue;
    }
    try {
      found.push({ start, curves: await aboutJson<Curves>("curves", { id, quantities: axes }, signal), answer: outcome.answer.answer, why: null });
    } catch {
      if (signal.aborted) return;
      found.push({ start, curves: null, answer: null, why: "the curves did not arrive" });
    }
    others.value = [...found];
  }
  others.value = found;
  busy.value = false;
}

// Ends what is computed; those that were found stay.
export function stop(): void {
  cut?.abort();
  busy.value = false;
}
