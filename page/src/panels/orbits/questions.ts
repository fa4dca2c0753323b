// The questions about orbits and branches, their fields, and what leads from one to the next.
import { bounds } from "../../model/asked";
import { aroundParameter, free, valueOf } from "../../model/around";
import { form } from "../../parts/form";
import { Reading, given } from "../../parts/read";
import { Signal } from "../../parts/signal";
import { differences } from "../../model/stale";
import { load, sections, system, typedSet, typedStart } from "../../model/state";
import { Job, ofThisText, type Ran } from "../../server/job";
import type { Json } from "../../server/types";
import { newId } from "../../server/ask";
import { branchesOf, type Picked } from "./branch";

export const orbit = new Job("orbit");
export const branch = new Job("continue");
export const curve = new Job("curve");
export const orbitFields = form("orbit", { settle: "200", period: "1", section: "" });
export const branchFields = form("branch", { along: "", low: "", high: "", switch: "", points: "", step: "", ordinate: "" });
export const curveFields = form("curve", { at: "", second: "", low: "", high: "" });
export const picked = new Signal<Picked | null>(null);

export function section(): string | null {
  const names = sections();
  return names.includes(orbitFields.get("section")) ? orbitFields.get("section") : null;
}

export function readOrbit(): { fields: Record<string, unknown>; wrong: Record<string, string>; right: boolean } {
  const reading = new Reading(orbitFields.value);
  const fields = given({ settle: reading.whole("settle", ...bounds("orbit", "settle")), period: reading.whole("period", ...bounds("orbit", "period")), section: section() });
  return { fields, wrong: reading.wrong, right: reading.right };
}

export async function findOrbit(): Promise<boolean> {
  const { fields, right } = readOrbit();
  return right ? (await orbit.run(fields)) !== null : false;
}

export function along(): string {
  const names = free();
  return names.includes(branchFields.get("along")) ? branchFields.get("along") : (names[0] ?? "");
}

// The range of the parameter as typed, or else one around its value.
export function proposeRange(name: string, value = valueOf(name)): void {
  const [low, high] = aroundParameter(name, value);
  branchFields.fill({ along: name, low: String(low), high: String(high) });
}

export function readBranch(): { fields: Record<string, unknown>; wrong: Record<string, string>; right: boolean } {
  const reading = new Reading(branchFields.value);
  const fields = given({ along: along(), range: reading.range("low", "high"), switch: branchFields.get("switch") === "yes" ? true : undefined, points: reading.optional("points", ...bounds("continue", "points")), step: reading.maybe("step", { min: 0 }) });
  return { fields, wrong: reading.wrong, right: reading.right };
}

// Whether a question may begin at an answer: it is of the same text and of the same parameters, but for the one that varies.
export function goesOn(ran: Ran | null, but: string[]): ran is Ran {
  const own = system.value;
  return ran !== null && own !== null && ofThisText(ran) && differences(ran.request, own, typedSet.value, typedStart.value, but).parameters.length === 0;
}

// The number of a special point, as the command and programs have it: INDEX on the first branch, or BRANCH:INDEX.
export const numberOf = (branch: number, special: number): string => (branch ? `${branch}:${special}` : String(special));

// The special point that has been typed, among those of an answer; null where there is none.
export function typedPoint(answer: Json, typed: string): Picked | null {
  const parts = /^\s*(?:(\d+)\s*:)?\s*(\d+)\s*$/.exec(typed);
  if (!parts) return null;
  const [b, k] = [Number(parts[1] ?? 0), Number(parts[2])];
  const data = (branchesOf(answer)[b]?.special as Json[] | undefined)?.[k];
  return data ? { branch: b, index: data.index, data, special: k } : null;
}

// Whether a branch of an answer begins at one of its special points.
export const begins = (answer: Json, one: Picked): boolean => branchesOf(answer).some(({ parent }) => parent?.branch === one.branch && parent?.special === one.special);

// Follows also the branches that begin at a special point of any of the branches that are there: these keep their numbers.
export async function followFrom(one: Picked): Promise<void> {
  const ran = branch.ran.value;
  if (!ran || one.special === null) return;
  const before = [ran.request.fields["switch_at"] ?? []].flat();
  picked.value = null;
  curve.clear();
  await branch.send({ ...ran.request, id: newId(), fields: { ...ran.request.fields, switch_at: [...before, numberOf(one.branch, one.special)] } }, ran.text);
}

// Follows the branch.
export async function follow(): Promise<void> {
  const { fields, right } = readBranch();
  if (!right) return;
  // The orbit of former values would give the branch of former values.
  if (!goesOn(orbit.ran.value, [along()]) && !(await findOrbit())) return;
  picked.value = null;
  curve.clear();
  await branch.run(given(fields), orbit.ran.value!.answer.id);
}

export function readCurve(): { fields: Record<string, unknown>; wrong: Record<string, string>; right: boolean } {
  const one = picked.value;
  const reading = new Reading(curveFields.value);
  const first = (branch.ran.value?.answer.answer.along as string | undefined) ?? along();
  const fields = { along: [first, curveFields.get("second")], range: reading.range("low", "high"), at: one?.branch ? [one.branch, one.special] : (one?.special ?? 0) };
  return { fields, wrong: reading.wrong, right: reading.right };
}

export async function followCurve(): Promise<void> {
  const { fields, right } = readCurve();
  const from = branch.ran.value;
  if (right && from && picked.value?.special !== null) await curve.run(fields, from.answer.id);
}

// The number of returns of an orbit of a branch: its period against that of the first.
export function returnsOf(answer: Json, point: Json): number {
  const first = answer.points?.[0];
  const returns = (answer.returns as number | undefined) ?? 1;
  if (!first?.period || !point.period) return returns;
  return Math.max(1, Math.round((returns * point.period) / first.period));
}

// Loads a point of a branch into the fields, and finds its orbit from there.
export async function see(point: Picked): Promise<void> {
  const answer = branch.ran.value?.answer.answer;
  if (!answer) return;
  load(point.data.parameters, point.data.state);
  orbitFields.fill({ settle: "0", period: String(returnsOf(answer, point.data)) });
  await findOrbit();
}
