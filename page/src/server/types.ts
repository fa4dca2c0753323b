// The agreement with the server: what is sent and what comes back.
export interface Mistake {
  message: string;
  help?: string | null;
  field?: string | null;
  line?: number | null;
  column?: number | null;
  length?: number | null;
  place?: string | null;
}

export interface State {
  name: string;
  unit: string | null;
  start: number;
  kind: string;
  period: number | null;
}

export interface Parameter {
  name: string;
  value: number;
  formula: string | null;
  unit: string | null;
  min: number | null;
  max: number | null;
  symbol: string | null;
  about: string | null;
}

export interface Shape {
  points: string[];
  segments: { from: number; to: number }[];
  discs: { at: number; turns?: boolean }[];
  springs: { from: number; to: number }[];
  dampers: { from: number; to: number }[];
  walls: { from: number; to: number }[];
  polygons: number[][];
  arrows?: { from: number; to: number }[];
}

// Coordinates, radii and angles, a row for each time; empty where they are not finite.
export interface Frames {
  times: number[];
  points: (number | null)[][];
  radii: (number | null)[][];
  turns: (number | null)[][];
  bounds: [number, number, number, number] | null;
}

export interface System {
  name: string;
  title: string | null;
  about: string | null;
  source: string | null;
  time_unit?: string | null;
  body: string;
  fingerprint: string;
  linear: boolean;
  warnings: string[];
  states: State[];
  parameters: Parameter[];
  // The parameters of the forcing: amplitudes, then frequencies.
  forcing: string[];
  contacts: { name: string; unit: string | null; friction: boolean }[];
  switches: string[];
  sections: string[];
  quantities: string[];
  sketch: Shape | null;
  questions: Record<string, { fields: string[]; defaults: Record<string, unknown>; form: Field[] }>;
}

// A field of a question: what its values are, what holds without it, and what it means.
export interface Field {
  name: string;
  kind: string;
  least?: number;
  most?: number | null;
  words?: string[];
  usual: string | null;
  help: string;
  here: string;
}

export type Values = Record<string, number | string>;

export interface Request {
  id: string;
  question: string;
  set: Values;
  start: Values;
  fields: Record<string, unknown>;
  from: string | null;
}

export interface Part {
  table: string;
  head: string[];
  rows: unknown[][];
}

export interface Progress {
  share: number | null;
  words: string;
}

// The answer of a question is what the command prints with --json.
export type Json = any;

export interface Answer {
  question: string;
  id: string;
  answer: Json;
  report: string[];
  ending: { complete: boolean; lines: string[] };
  warnings: string[];
  missing: [string, string[]] | null;
  seconds: number;
  tables: { name: string; head: string[]; rows: number }[];
  command: string[];
  python: string;
  request: Json;
}

export interface Session {
  format: 1;
  model: { name: string; text: string };
  requests: Request[];
  view?: Json;
}

export interface Begin {
  version: string;
  model: { name: string; text: string };
  folder: string | null;
  session: Session | null;
}

export interface Curve {
  name: string;
  unit: string | null;
  time: number[];
  value: (number | null)[];
}

export interface Curves {
  curves: Curve[];
  // What a contact does in a time, or `sliding` along a switch.
  modes: { from: number; to: number; mode: string; contact?: string | null }[];
}
