// What the page computes without a browser: entries, ranges, ticks, clouds, streams, sessions, branches, the clock of the animation.
import assert from "node:assert/strict";
import { test } from "node:test";
import { countPoints } from "../src/draw/cloud";
import { short } from "../src/draw/numbers";
import { powers, ticks } from "../src/draw/ticks";
import { entry, whole } from "../src/model/entry";
import { pieces, position } from "../src/model/lines";
import { holding, onStep, range, roundStep } from "../src/model/ranges";
import { forward, speedAt, step, type Clock } from "../src/panels/mechanism/clock";
import { paired, sides, valueAt } from "../src/panels/motion/layers";
import { fromParts, layersOf } from "../src/panels/orbits/branch";
import { Growing } from "../src/panels/sweep/diagram";
import { Events } from "../src/server/stream";
import { readSession } from "../src/session/requests";

test("entries are numbers within limits, formulas, or mistakes", () => {
  assert.deepEqual(entry("0.35"), { value: 0.35 });
  assert.deepEqual(entry(" -1e-3 "), { value: -0.001 });
  assert.deepEqual(entry("10*pi"), { value: "10*pi" });
  for (const [text, limits] of [["", {}], ["NaN", {}], ["-inf", {}], ["1e999", {}], ["2", { max: 1 }], ["-1", { min: 0 }], ["x+", { formula: false }]] as const) assert.ok("mistake" in entry(text, limits), text);
  assert.deepEqual(whole("3", 1), { value: 3 });
  for (const text of ["3.5", "0", "", "NaN", "two"]) assert.ok("mistake" in whole(text, 1), text);
});

test("ranges of sliders hold the value and respect limits", () => {
  for (const [value, min, max] of [[0.35, null, null], [0.9, 0, 1], [-31.15, null, null], [0, null, null], [0.02, 0, null], [-2, null, 5], [3, 2, null], [1e-9, null, null]] as const) {
    const found = range(value, min, max);
    assert.ok(found.low <= value && value <= found.high && found.low < found.high, `${value}: ${found.low} to ${found.high}`);
    if (min !== null) assert.equal(found.low, min);
    if (max !== null) assert.equal(found.high, max);
    assert.ok(found.step > 0 && found.step <= (found.high - found.low) / 100);
    // A value of the slider is written with few digits, and moves by less than a step.
    const shown = onStep(found.low + 0.37123456789 * (found.high - found.low), found);
    assert.ok(Math.abs(shown - (found.low + 0.37123456789 * (found.high - found.low))) < found.step);
  }
  assert.equal(holding({ low: 0, high: 1, step: 0.01 }, 3).high, 3);
  assert.equal(roundStep(0.0037), 0.002);
});

test("ticks are multiples of a round step, told apart by their labels, also far into a magnification", () => {
  for (const [low, high] of [[0, 1], [-3.2, 7.9], [0.34658, 0.34662], [1e5, 1e5 + 1e-4], [-2e-9, 3e-9], [1e9, 3e9]] as const) {
    const found = ticks(low, high, 8);
    assert.ok(found.length >= 3 && found.length <= 12, `${low} to ${high}: ${found.length}`);
    assert.equal(new Set(found.map((tick) => tick.label)).size, found.length);
    for (const { at, label } of found) {
      assert.ok(at >= low - 1e-6 * (high - low) && at <= high + 1e-6 * (high - low));
      assert.ok(Math.abs(Number(label.replaceAll("−", "-")) - at) <= 0.01 * (high - low), `${label} for ${at}`);
    }
  }
  assert.deepEqual(ticks(1, 1, 5), []);
  assert.deepEqual(powers(-0.2, 3.1, 8).map((tick) => tick.label), ["1", "10", "100", "1000"]);
});

test("six significant digits", () => {
  assert.equal(short(15.51403779550515), "15.514");
  assert.equal(short(-0.0123456789), "−0.0123457");
  assert.equal(short(5.922776668534563e-15), "5.92278e−15");
  assert.equal(short(1234567), "1.23457e6");
  assert.equal(short(NaN), "–");
});

test("the cloud counts what lies on each pixel, whether its abscissas ascend or not", () => {
  const n = 20000;
  const x = Float64Array.from({ length: n }, (_, i) => i / n);
  const y = Float64Array.from({ length: n }, (_, i) => Math.sin(i * i) * 0.5 + 0.5);
  y[17] = NaN;
  const place = { width: 90, height: 70, x0: 0.2003137, x1: 0.4107713, y0: 0.3012391, y1: 0.7019337 };
  const naive = new Uint32Array(90 * 70);
  for (let i = 0; i < n; i++) {
    const px = Math.floor(((x[i]! - place.x0) / (place.x1 - place.x0)) * 90);
    const py = Math.floor(((place.y1 - y[i]!) / (place.y1 - place.y0)) * 70);
    if (x[i]! >= place.x0 && y[i]! <= place.y1 && px >= 0 && px < 90 && py >= 0 && py < 70) naive[py * 90 + px]! += 1;
  }
  const sorted = new Uint32Array(90 * 70);
  const visible = countPoints(sorted, x, y, place, 1);
  assert.equal(visible, naive.reduce((sum, one) => sum + one, 0));
  assert.deepEqual(sorted, naive);
  const turned = new Uint32Array(90 * 70);
  countPoints(turned, x.slice().reverse(), y.slice().reverse(), place, 1);
  assert.deepEqual(turned, naive);
});

test("events of a stream arrive whole, however the bytes are cut", () => {
  const text = 'event: progress\ndata: {"share":0.5}\n\n: a comment\n\nevent: answer\ndata: {"a":\ndata: 1}\n\n';
  for (let cut = 1; cut < text.length; cut++) {
    const parser = new Events();
    const found = [...parser.take(text.slice(0, cut)), ...parser.take(text.slice(cut))];
    assert.deepEqual(found, [{ name: "progress", data: '{"share":0.5}' }, { name: "answer", data: '{"a":\n1}' }]);
  }
});

test("mistakes are underlined by characters, not by code units", () => {
  const line = 'zeta = "ζ𝛼 coos(x)"';
  const column = [...line].indexOf("c") + 1;
  assert.deepEqual(pieces(line, 3, [{ message: "", line: 3, column, length: 4 }]).filter((piece) => piece.wrong), [{ text: "coos", wrong: true }]);
  assert.deepEqual(pieces("a", 1, [{ message: "", line: 1, column: 2, length: 1 }]), [{ text: "a", wrong: false }, { text: " ", wrong: true }]);
  assert.deepEqual(pieces("a", 2, [{ message: "", line: 1, column: 1, length: 1 }]), [{ text: "a", wrong: false }]);
  const text = `first\n${line}`;
  assert.ok(text.slice(position(text, 2, column)).startsWith("coos"));
});

test("sessions are read, and what is wrong with them is said", () => {
  const good = { format: 1, model: { name: "m", text: "t" }, requests: [{ id: "a", question: "orbit", fields: {} }, { id: "b", question: "continue", fields: {}, from: "a" }] };
  assert.deepEqual(readSession(JSON.stringify(good)), good);
  for (const text of ["", "[]", "null", "7", '{"format": 2}', JSON.stringify({ ...good, model: {} }), JSON.stringify({ ...good, requests: [good.requests[1]] }), JSON.stringify({ ...good, requests: [good.requests[0], good.requests[0]] })]) assert.equal(typeof readSession(text), "string", text);
});

test("curves that jump keep both values, with a break between them", () => {
  const x = { name: "x", unit: null, time: [0, 1, 2], value: [0, 1, 0] };
  const y = { name: "y", unit: null, time: [0, 1, 1, 1, 2], value: [0, 2, null, -2, 0] };
  assert.deepEqual(sides(y, 1), [2, -2]);
  assert.equal(valueAt(x, 0.25), 0.25);
  const [px, py] = paired(x, y);
  assert.deepEqual([...px], [0, 1, NaN, 1, 0]);
  assert.deepEqual([...py], [0, 2, NaN, -2, 0]);
});

test("rows of a branch become lines by stability and admissibility", () => {
  const head = ["A", "period", "impact_speed_1", "stable", "admissible", "kind"];
  const rows = [[0.5, 1, -0.1, true, true, null], [0.52, 1, -0.2, true, true, "fold"], [0.54, 1, -0.3, false, true, null], [0.49, 1, -0.05, true, true, null]];
  const points = fromParts([{ table: "branch", head, rows: rows.slice(0, 3) }, { table: "branch", head, rows: rows.slice(3) }], "A", "impact_speed", [0, 0.6]);
  assert.deepEqual(points.map((line) => line.length), [3, 1]);
  const lines = layersOf(points).map((layer) => (layer.kind === "line" ? [layer.label, [...Array.from(layer.y)].filter((value) => !Number.isNaN(value))] : []));
  assert.deepEqual(lines, [["unstable", [0.2, 0.3]], ["stable", [0.1, 0.2]]]);
});

test("parts of a sweep grow into columns", () => {
  const growing = new Growing("returns");
  const parts = Array.from({ length: 5 }, (_, k) => ({ table: k === 2 ? "impacts" : "returns", head: ["A", "x"], rows: Array.from({ length: 700 }, (_, i) => [k, i === 3 ? null : i]) }));
  growing.take(parts.slice(0, 2));
  const { A, x } = growing.take(parts);
  assert.equal(A!.length, 2800);
  assert.equal(A![2799], 4);
  assert.ok(Number.isNaN(x![3]!) && x![1400 + 5] === 5);
});

test("the animation is slow near events and steps between them", () => {
  const clock: Clock = { time: 0.9, end: 3, speed: 1, slow: true, events: [1, 1.5] };
  assert.ok(speedAt(clock) < 0.15 && speedAt({ ...clock, time: 2.9 }) === 1 && speedAt({ ...clock, slow: false }) === 1);
  assert.ok(forward(clock, 0.1) < 0.93 && forward({ ...clock, time: 2.99 }, 1) === 3);
  assert.equal(step(clock, 1), 1);
  assert.equal(step({ ...clock, time: 1 }, 1), 1.5);
  assert.equal(step({ ...clock, time: 1.5 }, 1), 3);
  assert.equal(step({ ...clock, time: 1.5 }, -1), 1);
  assert.equal(step({ ...clock, time: 1 }, -1), 0);
});
