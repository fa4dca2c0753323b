// The bifurcation diagram as columns of numbers: filled by parts while it is computed, then as the answer has it, finer where it was swept again.
import { Signal } from "../../parts/signal";
import { ends } from "../../parts/read";
import { numbers } from "../../server/ask";
import type { Ran } from "../../server/job";
import type { Part } from "../../server/types";

export interface Piece {
  ran: Ran | null;
  parameter: string;
  low: number;
  high: number;
  // The columns by name: of the returns, and of the impacts.
  returns: Record<string, Float64Array>;
  impacts: Record<string, Float64Array>;
}

// Beyond this many numbers only the states that are drawn are read.
const MOST = 24e6;

export const pieces = new Signal<Piece[]>([]);

// The rows of parts in one table as columns of numbers; it grows without copying what was read before.
export class Growing {
  private read = 0;
  private rows = 0;
  private columns: Record<string, Float64Array> = {};

  constructor(private readonly table: string) {}

  take(parts: Part[]): Record<string, Float64Array> {
    for (; this.read < parts.length; this.read++) {
      const { table, head, rows } = parts[this.read]!;
      if (table !== this.table) continue;
      const need = this.rows + rows.length;
      head.forEach((name, k) => {
        let column = this.columns[name] ?? new Float64Array(1024);
        if (column.length < need) {
          const larger = new Float64Array(Math.max(need, 2 * column.length));
          larger.set(column);
          column = larger;
        }
        rows.forEach((row, i) => (column[this.rows + i] = typeof row[k] === "number" ? row[k] : NaN));
        this.columns[name] = column;
      });
      this.rows = need;
    }
    return Object.fromEntries(Object.entries(this.columns).map(([name, column]) => [name, column.subarray(0, this.rows)]));
  }
}

async function columnsOf(ran: Ran, table: string, wanted: (name: string) => boolean, needed: string[]): Promise<Record<string, Float64Array>> {
  const found = ran.answer.tables.find((one) => one.name === table);
  if (!found || !found.rows) return {};
  let names = found.head.filter(wanted);
  if (names.length * found.rows > MOST) names = names.filter((name) => needed.includes(name));
  const columns = await numbers(ran.answer.id, table, names);
  return Object.fromEntries(names.map((name, k) => [name, columns[k]!]));
}

export async function pieceOf(ran: Ran, parameter: string, quantity: string): Promise<Piece> {
  const names = new Set(["task", "return", "contact"]);
  const [returns, impacts] = await Promise.all([
    columnsOf(ran, "returns", (name) => !names.has(name), [parameter, quantity]),
    columnsOf(ran, "impacts", (name) => !names.has(name), [parameter, "speed"]),
  ]);
  const values: number[] = ran.answer.answer.values ?? [];
  const [low, high] = ends(values.length ? [values[0]!, values[values.length - 1]!] : (ran.request.fields["along"] as { range: unknown }[])[0]!.range) ?? [NaN, NaN];
  return { ran, parameter, low: Math.min(low, high), high: Math.max(low, high), returns, impacts };
}

// The points of a quantity over the parameter; finer pieces replace what lies under them.
export function pointsOf(all: Piece[], quantity: string): { x: Float64Array; y: Float64Array }[] {
  return all.map((piece, k) => {
    const table = quantity === "impact_speed" ? piece.impacts : piece.returns;
    const x = table[piece.parameter] ?? new Float64Array(0);
    // Opening speeds at impacts are negative; speeds are drawn positive, as in the figures of the library.
    const y = (quantity === "impact_speed" ? table["speed"]?.map((speed) => -speed) : table[quantity]) ?? new Float64Array(0);
    const finer = all.slice(k + 1);
    if (!finer.length || !x.length || !y.length) return { x: y.length ? x : y, y };
    const kept: number[] = [];
    for (let i = 0; i < x.length; i++) if (!finer.some(({ low, high }) => x[i]! >= low && x[i]! <= high)) kept.push(i);
    return { x: Float64Array.from(kept, (i) => x[i]!), y: Float64Array.from(kept, (i) => y[i]!) };
  });
}

// The record nearest to a place, in shares of the view: its parameter, and its state as far as it was read.
export function nearest(all: Piece[], quantity: string, x: number, y: number, wide: number, tall: number): { parameter: string; value: number; state: Record<string, number> } | null {
  let best: { piece: Piece; index: number; distance: number } | null = null;
  for (const piece of all) {
    const own = piece.returns[piece.parameter];
    if (!own) continue;
    const ordinate = piece.returns[quantity];
    for (let i = 0; i < own.length; i++) {
      const dx = (own[i]! - x) / wide;
      const dy = ordinate ? (ordinate[i]! - y) / tall : 0;
      const distance = dx * dx * (ordinate ? 4 : 1) + dy * dy;
      if (!best || distance < best.distance) best = { piece, index: i, distance };
    }
  }
  if (!best) return null;
  const { piece, index } = best;
  const state: Record<string, number> = {};
  for (const [name, column] of Object.entries(piece.returns)) if (name !== piece.parameter) state[name] = column[index]!;
  return { parameter: piece.parameter, value: piece.returns[piece.parameter]![index]!, state };
}
