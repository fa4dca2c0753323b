// The trajectory that follows the sliders: one question in flight, always the newest; where the full one is slow a shorter one comes first.
import { sections, system } from "../../model/state";
import { form } from "../../parts/form";
import { Reading } from "../../parts/read";
import { Signal } from "../../parts/signal";
import { aboutJson } from "../../server/ask";
import { aborted } from "../../server/http";
import { Job, type Ran } from "../../server/job";
import type { Curve, Curves } from "../../server/types";
import { opening, tab } from "../../session/view";

export interface Motion {
  ran: Ran;
  curves: Curves;
  // The end of the whole motion where this is only its beginning.
  of: number | null;
}

export const job = new Job("simulate");
export const section = new Job("simulate");
export const motion = new Signal<Motion | null>(null);
export const trouble = new Signal<string | null>(null);
export const fields = form("motion", { until: "", view: "time", x: "", y: "", returns: "2000", settle: "100", section: "", field: "", nullclines: "", several: "", starts: "" });
// The quantities that are chosen; null is the usual ones, as far as they vary.
export const chosen = new Signal<string[] | null>(null);

// An answer within this time feels immediate, and one older than this gives way to a newer question.
const IMMEDIATE = 50;
const USUAL = 6;

export function usual(): string[] {
  const own = system.value;
  if (!own) return [];
  const gaps = own.contacts.slice(0, 3).map((one) => `gap:${one.name}`).filter((name) => own.quantities.includes(name));
  const states = own.states.filter((one) => one.kind !== "phase").map((one) => one.name);
  return [...gaps, ...states].slice(0, USUAL);
}

// What is shown of the quantities: those chosen, else those of the usual ones that vary.
export function shown(now: Motion | null): string[] {
  if (chosen.value || !now) return chosen.value ?? usual();
  const constant = new Set(now.curves.curves.filter((curve) => !varies(curve)).map((curve) => curve.name));
  const varying = usual().filter((name) => !constant.has(name));
  return varying.length ? varying : usual();
}

// A quantity whose values differ by rounding only is constant.
function varies({ value }: Curve): boolean {
  let [low, high] = [Infinity, -Infinity];
  for (const one of value) {
    if (one === null) continue;
    if (one < low) low = one;
    if (one > high) high = one;
  }
  return high - low > 1e-13 * Math.max(Math.abs(low), Math.abs(high));
}

export function quantities(): string[] {
  const own = system.value;
  if (!own) return [];
  const known = new Set(own.quantities);
  const wanted = (chosen.value ?? usual()).filter((name) => known.has(name));
  if (fields.get("view") === "time") return wanted;
  const { x, y } = axes();
  return [...new Set([x, y])];
}

// The quantities of the plane: those chosen, else the first two states.
export function axes(): { x: string; y: string } {
  const own = system.value;
  const states = own?.states.filter((one) => one.kind !== "phase").map((one) => one.name) ?? [];
  const known = new Set([...(own?.quantities ?? []), ...states]);
  const pick = (name: string, usual: string | undefined): string => (known.has(name) ? name : (usual ?? own?.states[0]?.name ?? ""));
  const [x, y] = usualPlane();
  return { x: pick(fields.get("x"), x), y: pick(fields.get("y"), y) };
}

// The first coordinate and its velocity, else the first two states.
export function usualPlane(): [string | undefined, string | undefined] {
  const states = system.value?.states.filter((one) => one.kind !== "phase") ?? [];
  const coordinate = states.find((one) => one.kind === "coordinate" || one.kind === "angle");
  const velocity = states.find((one) => one.kind === "velocity");
  return coordinate && velocity ? [coordinate.name, velocity.name] : [states[0]?.name, states[1]?.name ?? states[0]?.name];
}

let busy = false;
let pending = false;
let began = 0;
let cut: AbortController | null = null;
// Milliseconds of the last full motion, to choose whether a shorter one comes first.
let cost = 0;

// Whether what is shown is still to be replaced: by a newer question, or by the whole of a motion.
export const underway = (): boolean => busy;

// The values, the model or the view changed: what is shown is to be computed again.
export function wish(): void {
  // A session that is being opened asks its own questions first.
  if (opening.value || !["motion", "mechanism"].includes(tab.value)) return;
  pending = true;
  if (!busy) void go();
  else if (performance.now() - began > 3 * IMMEDIATE) {
    job.abort();
    section.abort();
    cut?.abort();
  }
}

// The end as typed: nothing, a number or a formula.
export function readUntil(): { until: number | string | undefined; wrong: Record<string, string>; right: boolean } {
  const reading = new Reading(fields.value);
  const until = reading.maybe("until", { min: 0 });
  return { until, wrong: reading.wrong, right: reading.right };
}

// So many returns are drawn here: the browser gets all of them.
const MOST_RETURNS = 50000;

export function readReturns(): { returns: number; settle: number; wrong: Record<string, string>; right: boolean } {
  const reading = new Reading(fields.value);
  const returns = reading.whole("returns", 1, MOST_RETURNS);
  const settle = reading.whole("settle", 0, Math.max(0, returns - 1) || 0);
  return { returns, settle, wrong: reading.wrong, right: reading.right };
}

async function go(): Promise<void> {
  busy = true;
  try {
    while (pending) {
      pending = false;
      began = performance.now();
      cut = new AbortController();
      await (tab.value === "motion" && fields.get("view") === "section" ? points() : once(cut.signal));
    }
  } finally {
    busy = false;
  }
}

async function once(signal: AbortSignal): Promise<void> {
  const { until, right } = readUntil();
  if (!right) return;
  // Of very many events the first and the last are enough for a picture.
  const whole: Record<string, unknown> = { all_events: false, ...(until === undefined ? {} : { until }) };
  const end = motion.value?.of ?? (motion.value?.ran.answer.answer?.end?.time as number | undefined);
  if (cost > IMMEDIATE && typeof end === "number" && end > 0 && motion.value) {
    const short = await step({ until: (end * IMMEDIATE) / (2 * cost), path: true, all_events: false }, signal, end);
    if (!short || pending) return;
  }
  const before = performance.now();
  const full = await step({ ...whole, path: true }, signal, null);
  if (full) cost = performance.now() - before;
}

async function step(asked: Record<string, unknown>, signal: AbortSignal, of: number | null): Promise<boolean> {
  const ran = await job.run(asked, null, { live: true });
  if (!ran || signal.aborted) return false;
  try {
    const wanted = quantities();
    const curves = wanted.length ? await aboutJson<Curves>("curves", { id: ran.answer.id, quantities: wanted }, signal) : { curves: [], modes: [] };
    motion.value = { ran, curves, of };
    trouble.value = null;
    return true;
  } catch (error) {
    if (aborted(error) || signal.aborted) return false;
    trouble.value = `The curves did not arrive: ${error instanceof Error ? error.message : String(error)}.`;
    return false;
  }
}

async function points(): Promise<void> {
  const { x, y } = axes();
  const name = sectionName();
  if (!name) return;
  const { returns, settle, right } = readReturns();
  if (right) await section.run({ returns, settle, section: name, passages: [x, y] }, null, { live: true });
}

export function sectionName(): string | null {
  const names = sections();
  return names.includes(fields.get("section")) ? fields.get("section") : (names[0] ?? null);
}
