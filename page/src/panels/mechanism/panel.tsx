// The mechanism: the trajectory drawn as the machine that moves, with play, steps between events, and a scrubber.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { short } from "../../draw/numbers";
import { isDark } from "../../draw/theme";
import { system } from "../../model/state";
import { Check, Choose, Row } from "../../parts/fields";
import { Num } from "../../parts/number";
import { exposed, frames as measured } from "../../parts/measured";
import { Signal, useSignal } from "../../parts/signal";
import { aboutJson } from "../../server/ask";
import { Refused } from "../../server/http";
import type { Frames, Json, Shape } from "../../server/types";
import { at } from "../motion/layers";
import { fields, job, motion } from "../motion/live";
import { tall } from "../../parts/tall";
import { Seconds, Status } from "../status";
import { forward, step } from "./clock";
import { drawMechanism, type Film, viewOf } from "./draw";

const time = new Signal(0);
const playing = new Signal(false);
const speed = new Signal("1");
const slow = new Signal(false);
// Frames: those of a film at speed 1, within limits; events besides.
const [FEWEST, PER_UNIT, MOST] = [1200, 60, 6000];
exposed("mechanism", () => ({ time: time.value, playing: playing.value }));

export function MechanismPanel(): JSX.Element {
  const own = useSignal(system);
  if (!own) return <section class="panel" />;
  if (!own.sketch) return <section class="panel"><p class="soft">The model has no table [sketch], so its mechanism cannot be drawn. A sketch names points, segments, discs, springs and walls by formulas of the state.</p></section>;
  return <Moving />;
}

function Moving(): JSX.Element {
  const shown = useSignal(motion);
  const now = useSignal(time);
  const plays = useSignal(playing);
  const rate = useSignal(speed);
  const slows = useSignal(slow);
  useSignal(isDark);
  const [loaded, setLoaded] = useState<Film | null>(null);
  const [failed, fail] = useState<string | null>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const answer: Json = shown?.ran.answer.answer;
  const id = shown?.ran.answer.id ?? "";
  const end = (answer?.end?.time as number | undefined) ?? 0;
  const events = ((answer?.events ?? []) as Json[]).filter((event) => event.kind !== "section").map(at).sort((a, b) => a - b);

  useEffect(() => {
    if (!id || !(end > 0)) return undefined;
    const cut = new AbortController();
    // Even times, and those of events, at which the trajectory has corners.
    const count = Math.min(MOST, Math.max(FEWEST, Math.ceil(end * PER_UNIT)));
    const times = [...new Set([...Array.from({ length: count }, (_, i) => (end * i) / (count - 1)), ...events.slice(0, 6000)])].filter((one) => one >= 0 && one <= end).sort((a, b) => a - b);
    aboutJson<{ shape: Shape; frames: Frames }>("frames", { id, times }, cut.signal).then(
      (found) => {
        setLoaded(found);
        fail(null);
        if (time.value > end) time.value = end;
      },
      (error: unknown) => {
        if (!cut.signal.aborted) fail(error instanceof Refused || error instanceof Error ? error.message : String(error));
      },
    );
    return () => cut.abort();
  }, [id]);

  const paint = (): void => {
    const it = canvas.current;
    if (!it || !loaded) return;
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const [width, height] = [it.clientWidth, it.clientHeight];
    if (it.width !== Math.round(width * ratio) || it.height !== Math.round(height * ratio)) {
      it.width = Math.round(width * ratio);
      it.height = Math.round(height * ratio);
    }
    const pen = it.getContext("2d");
    if (!pen) return;
    const begin = performance.now();
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawMechanism(pen, width, height, loaded, time.value);
    measured("mechanism", performance.now() - begin);
  };
  useEffect(paint);
  useEffect(() => {
    const size = (): void => paint();
    window.addEventListener("resize", size);
    return () => window.removeEventListener("resize", size);
  });

  useEffect(() => {
    if (!plays) return undefined;
    let last = performance.now();
    let frame = requestAnimationFrame(function tick(stamp) {
      // Paused since the last frame.
      if (!playing.value) return;
      const seconds = Math.min(0.1, Math.max(0, (stamp - last) / 1000));
      last = stamp;
      time.value = forward({ time: time.value, end, speed: Number(speed.value), slow: slow.value, events }, seconds);
      if (time.value >= end) playing.value = false;
      else frame = requestAnimationFrame(tick);
    });
    return () => cancelAnimationFrame(frame);
  }, [plays, id, end]);

  const toggle = (): void => {
    if (!playing.value && time.value >= end) time.value = 0;
    playing.value = !playing.value;
  };
  const jump = (way: 1 | -1): void => {
    playing.value = false;
    time.value = step({ time: time.value, end, speed: 1, slow: false, events }, way);
  };
  const shift = (amount: number): void => {
    playing.value = false;
    time.value = Math.min(end, Math.max(0, time.value + amount));
  };
  useEffect(() => {
    const key = (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement;
      if (/^(INPUT|SELECT|TEXTAREA|BUTTON|SUMMARY)$/.test(target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
      const doing: Record<string, () => void> = { " ": toggle, ArrowRight: () => shift(end / 400), ArrowLeft: () => shift(-end / 400), n: () => jump(1), p: () => jump(-1), Home: () => shift(-end), End: () => shift(end) };
      const act = doing[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", key);
    return () => document.removeEventListener("keydown", key);
  });

  const at0 = events.length ? nearestEvent((answer?.events ?? []) as Json[], now, end) : null;
  return (
    <section class="panel" aria-label="Mechanism">
      <Row>
        <button type="button" class="main" data-test="play" onClick={toggle} aria-pressed={plays}>{plays ? "Pause" : "Play"}</button>
        <button type="button" data-test="event-before" onClick={() => jump(-1)} disabled={!events.length} title="p">‹ Event</button>
        <button type="button" data-test="event-next" onClick={() => jump(1)} disabled={!events.length} title="n">Event ›</button>
        <Choose label="speed" test="speed" value={rate} onChange={(text) => (speed.value = text)} options={["0.05", "0.1", "0.25", "0.5", "1", "2", "5", "10"]} />
        <Check label="slow near events" test="slow" value={slows} onChange={(on) => (slow.value = on)} />
        <span>time <Num value={now} test="mechanism-time" /></span>
        <span class="soft" data-test="mechanism-event">{at0 ? `${at0.kind} at ${at0.contact ?? at0.switch ?? ""}` : ""}</span>
        <Seconds job={job} />
      </Row>
      <Status job={job} test="mechanism" quiet />
      {failed && <p class="notice bad">{failed}</p>}
      <input type="range" class="scrubber" data-test="scrubber" aria-label="Time" min="0" max={end || 1} step="any" value={now} onInput={(event) => {
        playing.value = false;
        time.value = Number(event.currentTarget.value);
      }} />
      <EventStrip events={(answer?.events ?? []) as Json[]} end={end} />
      <canvas ref={canvas} class="mechanism" data-test="mechanism" style={{ height: `${tall() - 40}px` }} role="img" tabIndex={0} aria-label="The mechanism. Space plays, n and p step between events, arrows move in time." />
      <p class="soft">Space plays, n and p step from event to event, arrows move in time. The trajectory is that of the panel Trajectory{fields.get("until") ? `, until ${fields.get("until")}` : ""}; its end is at {short(end)}.{loaded && !viewOf(loaded).centre ? " The mechanism goes far, and the view follows it." : ""}</p>
    </section>
  );
}

function nearestEvent(events: Json[], time: number, end: number): Json | null {
  return events.find((event) => event.kind !== "section" && Math.abs(at(event) - time) <= 1e-9 * (end || 1)) ?? null;
}

// The events below the scrubber, as thin lines.
function EventStrip({ events, end }: { events: Json[]; end: number }): JSX.Element {
  const shown = events.filter((event) => event.kind !== "section").slice(0, 4000);
  const d = shown.map((event) => `M${((at(event) / (end || 1)) * 1000).toFixed(2)} 0V10`).join("");
  return <svg class="strip" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true"><path d={d} /></svg>;
}
