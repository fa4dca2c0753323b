// What the page computes without a browser: entries, ranges, ticks, clouds, streams, sessions, branches, the clock of the animation.
import assert from "node:assert/strict";
import { test } from "node:test";
import { colourOfPeriod, CATEGORIES } from "../src/draw/palette";
import { pickAt, toSegment } from "../src/draw/pick";
import { countPoints } from "../src/draw/cloud";
import { short } from "../src/draw/numbers";
import { powers, ticks } from "../src/draw/ticks";
import { entry, whole } from "../src/model/entry";
import { within } from "../src/model/around";
import { differences } from "../src/model/stale";
import { plain } from "../src/model/words";
import { evaluate } from "../src/parts/formula";
import { formerTexts, inOrder, isWork, readWork } from "../src/session/work";
import type { Layer } from "../src/draw/layers";
import type { Request, System } from "../src/server/types";
import { pieces, position } from "../src/model/lines";
import { holding, onStep, range, roundStep } from "../src/model/ranges";
import { counted } from "../src/panels/basin/counted";
import { columns } from "../src/panels/fit/columns";
import { pictures } from "../src/panels/fit/figure";
import { forward, speedAt, step, type Clock } from "../src/panels/mechanism/clock";
import { paired, sides, valueAt } from "../src/panels/motion/layers";
import { fromAnswer, fromParts, layersOf, marksOf, returnsOf } from "../src/panels/orbits/branch";
import { Growing } from "../src/panels/sweep/diagram";
import { Events } from "../src/server/stream";
import { readSession } from "../src/session/requests";

test("entries are numbers within limits, formulas, or mistakes", () => {
  assert.deepEqual(entry("0.35"), { value: 0.35 });
  assert.deepEqual(entry(" -1e-3 "), { value: -0.001 });
  assert.deepEqual(entry("10*pi"), { value: "10*pi" });
  for (const [text, limits] of [["", {}], ["NaN", {}], ["-inf", {}], ["1e999", {}], ["2", { max: 1 }], ["-1", { min: 0 }], ["pi/9 + 1", { max: 1 }], ["1/0", {}], ["2*A", { max: 1, parameter: () => 3 }]] as const) assert.ok("mistake" in entry(text, limits), text);
  assert.deepEqual(whole("3", 1), { value: 3 });
  assert.deepEqual(whole("2*50", 1), { value: 100 });
  assert.deepEqual(entry("pi/9", { min: 0, max: 1 }), { value: "pi/9" });
  for (const text of ["3.5", "0", "", "NaN", "two", "pi", "7/2"]) assert.ok("mistake" in whole(text, 1), text);
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

test("a doubled branch has twice the returns of the one on which it begins", () => {
  const answer = {
    returns: 2, points: [{ period: 6 }], special: [{ kind: "graze", period: 6.1 }, { kind: "period_doubling", period: 6.2 }],
    branches: [
      { parent: { branch: 0, special: 1 }, points: [{ period: 12.4 }], special: [{ kind: "period_doubling", period: 12.5 }] },
      { parent: { branch: 0, special: 0 }, points: [{ period: 6.1 }], special: [] },
      { parent: { branch: 1, special: 0 }, points: [{ period: 25 }], special: [] },
    ],
  };
  assert.deepEqual(returnsOf(answer), [2, 4, 2, 8]);
  assert.deepEqual(returnsOf({ points: [], special: [] }), [1]);
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

test("formulas have the values of arithmetic, and what is none is left to the server", () => {
  const named = (name: string): number | undefined => ({ A: 2, omega: 3 })[name];
  for (const [text, value] of [["pi/9", Math.PI / 9], ["-2^2", -4], ["2^-1", 0.5], ["2^3^2", 512], ["1 - 2 - 3", -4], ["8/2/2", 2], ["sqrt(A*8) + omega", 7], ["1e-3*A", 0.002], ["-(A - 5)", 3]] as const) assert.ok(Math.abs(evaluate(text, named)! - value) < 1e-12, text);
  for (const text of ["", "q", "2 3", "(1", "1)", "sin", "f(2)", "1+", "*2", "2 § 3"]) assert.equal(evaluate(text, named), null, text);
  assert.equal(evaluate("1/0"), Infinity);
});

const line = (points: [number, number][]): Layer => ({ kind: "track", marks: points.map(([x, y], i) => ({ x, y, title: String(i), pick: i })) });
const same = ({ x, y }: { x: number; y: number }): [number, number] => [x, y];

test("a click picks within 12 pixels of the line, and special points win", () => {
  const track = line([[0, 0], [100, 0], [NaN, NaN], [200, 0], [300, 100]]);
  const special: Layer = { kind: "marks", marks: [{ x: 50, y: 0, title: "fold", pick: "fold" }], shape: "square", colour: "black", size: 8 };
  const at = (x: number, y: number, layers = [track, special]): unknown => pickAt(layers, [x, y], same)?.pick;
  // Far from every computed point, on the line.
  assert.equal(at(35, 11, [track]), 0);
  assert.equal(at(70, -11, [track]), 1);
  assert.equal(at(35, 13, [track]), undefined);
  // The line is nearer than the special point.
  assert.equal(at(58, 1), "fold");
  assert.equal(at(63, 1), 1);
  // Where it breaks there is no line.
  assert.equal(at(150, 0), undefined);
  assert.equal(at(255, 50), 4);
  // A branch of one point, and one that is closed.
  assert.equal(at(5, 5, [line([[0, 0]])]), 0);
  assert.equal(at(2, 9, [line([[0, 0], [20, 0], [20, 20], [0, 20], [0, 0]])]), 3 + 1);
  assert.equal(toSegment([3, 4], [0, 0], [0, 0]).distance, 5);
  // A branch that folds ten times: the nearest of its passages.
  const folds = line(Array.from({ length: 11 }, (_, k): [number, number] => [k % 2 ? 100 : 0, 30 * k]));
  assert.equal(at(99, 92, [folds]), 3);
});

const system = { parameters: [{ name: "A", value: 0.35, formula: null }, { name: "r", value: 0.9, formula: null }, { name: "w", value: 1, formula: "2*A" }], states: [{ name: "x", start: -0.5 }] } as unknown as System;
const request = (more: Partial<Request>): Request => ({ id: "a", question: "sweep", set: {}, start: {}, fields: {}, from: null, ...more });

test("an answer is out of date where a parameter that it does not vary has changed", () => {
  const changed = (asked: Partial<Request>, set: Record<string, string>, start: Record<string, string> = {}): string[] => {
    const found = differences(request(asked), system, set, start);
    return [...found.parameters, ...found.start].map((one) => `${one.name}: ${one.then} to ${one.now}`);
  };
  assert.deepEqual(changed({}, {}), []);
  assert.deepEqual(changed({}, { A: "0.35" }), []);
  assert.deepEqual(changed({}, { A: "0.36" }), ["A: 0.35 to 0.36"]);
  assert.deepEqual(changed({ set: { A: 0.36 } }, {}), ["A: 0.36 to 0.35"]);
  assert.deepEqual(changed({}, { A: "" }), ["A: 0.35 to "]);
  assert.deepEqual(changed({ fields: { along: "A" } }, { A: "0.36", w: "3" }), ["w: 2*A to 3"]);
  assert.deepEqual(changed({ fields: { along: [{ name: "A" }, { name: "r" }] } }, { A: "0.36", r: "0.8" }), []);
  assert.deepEqual(changed({}, {}, { x: "0" }), ["x: -0.5 to 0"]);
  assert.deepEqual(changed({ fields: { starts: { grid: [{ name: "x" }] } } }, {}, { x: "0" }), []);
  // A branch depends on its orbit, not on the initial values.
  assert.deepEqual(changed({ question: "continue", from: "b" }, {}, { x: "0" }), []);
});

test("work is read back, also that of another version, and what cannot be read is said", () => {
  const session = { format: 1, model: { name: "m", text: "t" }, requests: [{ id: "a", question: "simulate", fields: {} }], view: { set: {}, start: {} } };
  const good = { version: "0.1", begun: "m", session, typed: "t", original: "t", seconds: { a: 0.5 }, former: [{ text: "s", ids: ["a"] }], live: ["a"], when: 7 };
  assert.deepEqual(readWork(JSON.stringify(good)), good);
  assert.deepEqual(readWork(JSON.stringify({ ...good, more: 1, seconds: { a: "x", b: null }, former: [{ text: 1 }], live: [1] })), { ...good, seconds: {}, former: [], live: [] });
  const old = readWork(JSON.stringify({ session }));
  assert.ok(typeof old !== "string" && old.typed === "t" && old.version === "");
  for (const text of ["", "{", "[]", "null", "{}", JSON.stringify({ session: { ...session, format: 2 } }), JSON.stringify({ session: { ...session, requests: [{ id: 1 }] } })]) assert.equal(typeof readWork(text), "string", text);
  assert.equal(isWork(good as never), false);
  for (const more of [{ typed: "edited" }, { live: [] }, { session: { ...session, view: { set: { A: "1" } } } }]) assert.equal(isWork({ ...good, ...more } as never), true);
});

test("requests that are kept stand once, after those that they begin at", () => {
  const one = (id: string, from: string | null = null): Request => request({ id, from });
  assert.deepEqual(inOrder([one("a"), one("b", "a"), one("a"), one("c", "gone"), one("d", "c"), one("e", "b")]).map(({ id }) => id), ["a", "b", "e"]);
  // What is kept can always be read.
  assert.notEqual(typeof readWork(JSON.stringify({ session: { format: 1, model: { name: "m", text: "t" }, requests: inOrder([one("b", "a"), one("a"), one("a")]) } })), "string");
});

test("answers for former texts of the model are kept with these texts", () => {
  const entries = [{ request: request({ id: "a" }), text: "old" }, { request: request({ id: "b" }), text: "new" }, { request: request({ id: "c" }) }, { request: request({ id: "d" }), text: "old" }];
  assert.deepEqual(formerTexts(entries, "new"), [{ text: "old", ids: ["a", "d"] }]);
  assert.deepEqual(formerTexts(entries.slice(1, 3), "new"), []);
});

test("messages name the fields of the page", () => {
  assert.equal(plain("orbit", "try a longer --settle than 200, or saltation lyapunov"), "try a longer “transient” than 200, or the panel “Equilibria and exponents”");
  assert.equal(plain("continue", "allow more points with --points"), "allow more points with “points”");
  assert.equal(plain("modes", "try more with --search"), "try more with “search” of the command");
  assert.equal(plain("sweep", "a - b -- c"), "a - b -- c");
  assert.ok(!plain("orbit", "begin closer: --settle N follows the trajectory first, --start and --guess give another start").includes("--"));
});

test("proposed ranges keep to the limits and to the wall", () => {
  assert.deepEqual(within(-2.3, 0.2, null, 0), [-2.3, 0]);
  assert.deepEqual(within(0.8, 1.1, 0, 1), [0.8, 1]);
  assert.deepEqual(within(-1, -0.5, 0, null), [0, 0.5]);
  assert.deepEqual(within(2, 3, null, 1), [0, 1]);
  assert.deepEqual(within(1, 2, null, null), [1, 2]);
});

test("the colour of a period is its own, whatever others occur", () => {
  assert.equal(colourOfPeriod(1), CATEGORIES[0]);
  assert.equal(colourOfPeriod(3), CATEGORIES[2]);
  assert.equal(colourOfPeriod(400), CATEGORIES[14]);
});

test("a branch of one point is a dot, and what is not a number is nowhere", () => {
  const point = (A: number | null, speeds: (number | null)[]): object => ({ parameters: { A }, impact_speeds: speeds, stable: true, admissible: true });
  const one = { points: [point(0.35, [-0.2])], special: [{ kind: "fold", index: 0, parameters: { A: 0.35 }, impact_speeds: [-0.2] }], branches: [] };
  const points = fromAnswer(one, "A", "impact_speed");
  assert.deepEqual(layersOf(points), []);
  assert.deepEqual(marksOf(one, points, "A", "impact_speed").flatMap((layer) => (layer.kind === "marks" ? [[layer.label, layer.marks[0]!.x, layer.marks[0]!.y]] : [])), [["stable, one point", 0.35, 0.2], ["saddle-node (fold)", 0.35, 0.2]]);
  const broken = { points: [point(0.35, [-0.2]), point(null, [-0.2]), point(0.36, [null]), point(0.37, [])], branches: [] };
  const found = fromAnswer(broken, "A", "impact_speed")[0]!;
  assert.deepEqual(found.map(({ at, values }) => [at, ...values]), [[0.35, 0.2], [NaN, 0.2], [0.36, NaN], [0.37]]);
  for (const layer of layersOf([found])) if (layer.kind === "line") for (let i = 0; i < layer.x.length; i++) assert.ok(!(layer.x[i] === 0 || layer.y[i] === 0));
  assert.deepEqual(fromAnswer({ points: [] }, "A", "period"), [[]]);
  // An answer of another version lacks what this page draws.
  assert.deepEqual(fromAnswer({ points: [{}] }, "A", "state:x")[0]!.map(({ at, values }) => [at, ...values]), [[NaN, NaN]]);
});

test("initial values of a basin are counted once", () => {
  const grid = { values: [Array.from({ length: 20 }), Array.from({ length: 20 })] };
  assert.equal(counted({ done: 400, of: 240, unknown: 160, no_motion: 160, grid }).replace(/\s/g, " "), "400 initial values, 160 of them inside an obstacle; fractions are of the other 240.");
  assert.equal(counted({ done: 120, of: 120, unknown: 7, no_motion: 0, grid }).replace(/\s/g, " "), "120 of 400 initial values are computed, 7 without a known attractor.");
  assert.equal(counted({ done: 400, of: 400, unknown: 0, grid }), "400 initial values.");
});

test("a fit shows data with the model where columns were sampled, residuals of all, and events that one side lacks", () => {
  assert.deepEqual(columns("\ufeff# of May\ntime;x, mm\r\n0;1\n"), ["time", "x, mm"]);
  assert.deepEqual(columns("impact:wall\n1\n"), ["impact:wall"]);
  const answer = {
    columns: [{ name: "x", sigma: 0.1 }, { name: "impact:wall", sigma: null, missing: [3], extra: [] }],
    residuals: { column: ["x", "impact:wall", "x"], time: [0, 1, 2], measured: [1, 1, 2], model: [0.75, 1.5, 2] },
  };
  const drawn = pictures(answer, { times: [0, 2], values: { x: [0.75, 2] } }, "s");
  assert.deepEqual(drawn.map(({ name, residuals }) => [name, residuals]), [["x", false], ["x", true], ["impact:wall", true]]);
  const kinds = drawn.map(({ picture }) => picture.layers.map((layer) => layer.kind));
  assert.deepEqual(kinds, [["marks", "line"], ["marks", "level", "level", "level"], ["marks", "level", "marks"]]);
  const residuals = drawn.map(({ picture }) => (picture.layers[0]?.kind === "marks" ? picture.layers[0].marks.map(({ x, y }) => [x, y]) : []));
  assert.deepEqual(residuals, [[[0, 1], [2, 2]], [[0, 0.25], [2, 0]], [[1, -0.5]]]);
});
