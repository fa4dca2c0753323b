// Asks a question and follows its stream to the one outcome that it has; answers that the server no longer knows are asked again.
import { Gone, Refused, aborted, json, send } from "./http";
import { events } from "./stream";
import type { Answer, Mistake, Part, Progress, Request } from "./types";

export type Outcome =
  | { kind: "answer"; answer: Answer }
  | { kind: "refused"; mistakes: Mistake[] }
  | { kind: "failed"; message: string }
  | { kind: "cut" };

export interface Listeners {
  progress?: (progress: Progress) => void;
  part?: (part: Part) => void;
}

type Body = Request & { text: string };

// Two pages of one server never share a name.
const prefix = Array.from(crypto.getRandomValues(new Uint8Array(4)), (byte) => byte.toString(16).padStart(2, "0")).join("");
let count = 0;
export const newId = (): string => `${prefix}-${++count}`;

// What has been asked under a name, and for which life of the server.
const asked = new Map<string, { body: Body; life: number }>();
const MOST = 400;
let life = 0;

// The server that answers now may be another one than before.
export function newLife(): void {
  life += 1;
}

export function forget(id: string): void {
  asked.delete(id);
}

export async function ask(body: Body, listeners: Listeners = {}, signal?: AbortSignal): Promise<Outcome> {
  if (body.from && !(await present(body.from, signal))) {
    return { kind: "refused", mistakes: [{ message: "the answer that this question begins at is gone; ask for it again", field: "from" }] };
  }
  const outcome = await once(body, listeners, signal);
  if (outcome.kind === "answer") {
    asked.set(body.id, { body, life });
    for (const id of asked.keys()) {
      if (asked.size <= MOST) break;
      asked.delete(id);
    }
  }
  return outcome;
}

// The answer of a request if the server still keeps it.
export async function kept(body: Body): Promise<Answer | null> {
  try {
    const answer = await json<Answer | null>("answer", { id: body.id });
    if (answer) asked.set(body.id, { body, life });
    return answer;
  } catch {
    return null;
  }
}

async function once(body: Body, listeners: Listeners, signal?: AbortSignal): Promise<Outcome> {
  try {
    const response = await send("ask", body, signal);
    if (!response.body) return { kind: "failed", message: "the server sent no answer" };
    for await (const { name, data } of events(response.body)) {
      if (signal?.aborted) return { kind: "cut" };
      if (name === "progress") listeners.progress?.(JSON.parse(data) as Progress);
      else if (name === "part") listeners.part?.(JSON.parse(data) as Part);
      else if (name === "answer") return { kind: "answer", answer: JSON.parse(data) as Answer };
      else if (name === "refused") return { kind: "refused", mistakes: (JSON.parse(data) as { mistakes: Mistake[] }).mistakes };
      else if (name === "failed") return { kind: "failed", message: (JSON.parse(data) as { message: string }).message };
    }
    return signal?.aborted ? { kind: "cut" } : { kind: "failed", message: "the stream ended without an answer" };
  } catch (error) {
    if (aborted(error) || signal?.aborted) return { kind: "cut" };
    if (error instanceof Refused) return { kind: "refused", mistakes: error.mistakes.length ? error.mistakes : [{ message: error.message }] };
    if (error instanceof Gone) return { kind: "failed", message: error.message };
    return { kind: "failed", message: `the stream broke: ${error instanceof Error ? error.message : String(error)}` };
  }
}

// Asks again what the server of a former life answered; whether the answer is there now.
async function present(id: string, signal?: AbortSignal): Promise<boolean> {
  const known = asked.get(id);
  if (!known || known.life === life) return true;
  return again(id, signal);
}

async function again(id: string, signal?: AbortSignal): Promise<boolean> {
  const known = asked.get(id);
  if (!known) return false;
  if (known.body.from && !(await present(known.body.from, signal))) return false;
  const outcome = await once(known.body, {}, signal);
  if (outcome.kind === "answer") known.life = life;
  return outcome.kind === "answer";
}

// A request about an answer; if the server does not know the answer, the question is asked again first.
export async function about(path: string, body: { id: string; [key: string]: unknown }, signal?: AbortSignal): Promise<Response> {
  try {
    return await send(path, body, signal);
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 404 || !(await again(body.id, signal))) throw error;
    return await send(path, body, signal);
  }
}

export async function aboutJson<T>(path: string, body: { id: string; [key: string]: unknown }, signal?: AbortSignal): Promise<T> {
  return (await (await about(path, body, signal)).json()) as T;
}

// Columns of numbers of a table.
export async function numbers(id: string, table: string, columns: string[], signal?: AbortSignal): Promise<Float64Array[]> {
  const buffer = await (await about("numbers", { id, table, columns }, signal)).arrayBuffer();
  const rows = buffer.byteLength / 8 / columns.length;
  return columns.map((_, k) => new Float64Array(buffer, k * rows * 8, rows));
}

export async function stop(id: string): Promise<void> {
  await send("stop", { id });
}
