// The time of the animation: it goes on with the clock, slower near events if wanted, and steps from event to event.
export interface Clock {
  time: number;
  end: number;
  // Units of time a second.
  speed: number;
  slow: boolean;
  events: number[];
}

// The speed near events falls to this share.
const SLOWEST = 0.06;

export function speedAt({ time, speed, slow, events }: Clock): number {
  if (!slow || !events.length) return speed;
  // Half a second of the usual speed before and after an event.
  const width = 0.5 * speed;
  const distance = Math.min(Math.abs(time - nearest(events, time)), width);
  const share = distance / width;
  return speed * (SLOWEST + (1 - SLOWEST) * share * share);
}

export function forward(clock: Clock, seconds: number): number {
  // Steps short enough that no event is jumped over at full speed.
  let { time } = clock;
  const steps = clock.slow ? 8 : 1;
  for (let k = 0; k < steps; k++) time += speedAt({ ...clock, time }) * (seconds / steps);
  return Math.min(clock.end, time);
}

function nearest(events: number[], time: number): number {
  const at = after(events, time);
  const [before, behind] = [events[at - 1] ?? -Infinity, events[at] ?? Infinity];
  return time - before < behind - time ? before : behind;
}

// The number of events up to this time.
function after(events: number[], time: number): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (events[middle]! <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The next event, or the one before; the ends of the trajectory where there is none.
export function step(clock: Clock, way: 1 | -1): number {
  const { events, time, end } = clock;
  const near = 1e-9 * (end || 1);
  if (way > 0) return events.find((one) => one > time + near) ?? end;
  return [...events].reverse().find((one) => one < time - near) ?? 0;
}
