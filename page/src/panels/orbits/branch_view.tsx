// Draws a branch while it is computed and afterwards; a click picks a point of it.
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { Legend } from "../../draw/legend";
import type { Picture } from "../../draw/layers";
import { many } from "../../draw/numbers";
import { PlaneView } from "../../draw/plane_view";
import { axisOf } from "../../model/around";
import { system } from "../../model/state";
import { exposed } from "../../parts/measured";
import { useSignal } from "../../parts/signal";
import type { Job } from "../../server/job";
import { ends } from "../../parts/read";
import { branchesOf, fromAnswer, fromParts, layersOf, marksOf, ordinates, ringOf, type Picked, type Point } from "./branch";

interface View {
  job: Job;
  name: string;
  along: string;
  ordinate: string;
  height: number;
  picked: Picked | null;
  onPick: (picked: Picked) => void;
}

export function ordinateOf(wanted: string, equilibria: boolean, impacts: boolean): { value: string; options: [string, string][] } {
  const options = ordinates(system.value?.states.filter((one) => one.kind !== "phase").map((one) => one.name) ?? [], equilibria, impacts);
  return { value: options.some(([key]) => key === wanted) ? wanted : (options[0]?.[0] ?? "period"), options };
}

export function BranchView({ job, name, along, ordinate, height, picked, onPick }: View): JSX.Element | null {
  const ran = useSignal(job.ran);
  const running = useSignal(job.running);
  const heard = useSignal(job.heard);
  // While one runs its parts are shown, afterwards its answer.
  const live = running !== null && job.parts.length > 0;
  const shownAlong = (live ? (running.fields["along"] as string) : (ran?.answer.answer.along as string | undefined)) ?? along;
  const made = useMemo((): { picture: Picture; points: Point[][] } => {
    const range = ends(running?.fields["range"]) ?? [0, 1];
    const answer = live ? null : (ran?.answer.answer ?? null);
    const points = live ? fromParts(job.parts, shownAlong, ordinate, range) : answer ? fromAnswer(answer, shownAlong, ordinate) : [];
    const layers = layersOf(points);
    if (answer) layers.push(...marksOf(answer, points, shownAlong, ordinate), ...ringOf(picked, shownAlong, ordinate));
    const state = ordinate.startsWith("state:") ? ordinate.slice(6) : null;
    const y = state ? axisOf(state) : { label: { impact_speed: "impact speed", period: "period", multiplier: "modulus of multipliers" }[ordinate] ?? ordinate };
    return { picture: { x: { ...axisOf(shownAlong), ...(live && ends(running?.fields["range"]) ? { fixed: range } : {}) }, y, layers }, points };
  }, [live, ran, heard, ordinate, shownAlong, picked]);
  const count = made.points.reduce((sum, one) => sum + one.length, 0);
  exposed(`branch-${name}`, () => ({ points: count, live, answer: job.ran.value?.answer.answer ?? null }));
  if (!count) return running ? <p class="soft">The first points are computed.</p> : null;
  return (
    <>
      <Legend layers={made.picture.layers} />
      <PlaneView name={`branch-${name}`} hint="The branch" picture={made.picture} height={height} onPick={(mark) => onPick(mark.pick as Picked)} />
      <p class="soft" data-test={`branch-${name}-count`}>{many(count, "point")}{ran && !live ? `, ${many(branchesOf(ran.answer.answer).length, "branch", "branches")}; ${ran.answer.answer.message}` : ""}</p>
    </>
  );
}
