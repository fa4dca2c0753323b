// How many initial values a basin has, in words: those asked for, those inside an obstacle, and those whose attractor is not known.
import { count, many } from "../../draw/numbers";

interface Counts {
  done: number;
  // Those with a trajectory, of which fractions are.
  of: number;
  unknown: number;
  no_motion?: number;
  grid: { values: unknown[][] } | null;
}

export function counted({ done, of, unknown, no_motion: inside = 0, grid }: Counts): string {
  const asked = grid ? grid.values.reduce((product, axis) => product * axis.length, 1) : done;
  const lost = Math.max(0, unknown - inside);
  const parts = [done < asked ? `${count(done)} of ${many(asked, "initial value")} are computed` : many(asked, "initial value")];
  if (inside) parts.push(`${count(inside)} of them inside an obstacle; fractions are of the other ${count(of)}`);
  if (lost) parts.push(`${count(lost)} without a known attractor`);
  return `${parts.join(", ")}.`;
}
