// The session: the questions that were answered, in their order, as a file that can be opened again.
import { Signal } from "../parts/signal";
import { checkedText, name } from "../model/state";
import type { Request, Session } from "../server/types";

export interface Entry {
  request: Request;
  // Of the trajectory that follows the sliders only the newest is kept.
  live: boolean;
  seconds: number;
  // The text of the model that it is the answer for.
  text?: string;
  report: string[];
  command: string[];
  // Why there is no answer; it can be asked again.
  missing?: string;
}

export const entries = new Signal<Entry[]>([]);

export function record(entry: Entry): void {
  const others = entry.live ? entries.value.filter((one) => !(one.live && one.request.question === entry.request.question && "passages" in one.request.fields === "passages" in entry.request.fields)) : entries.value;
  const place = others.findIndex((one) => one.request.id === entry.request.id);
  entries.value = place < 0 ? [...others, entry] : others.map((one, k) => (k === place ? entry : one));
}

export function remove(id: string): void {
  // What begins at this answer goes with it.
  const gone = new Set([id]);
  for (const { request } of entries.value) if (request.from && gone.has(request.from)) gone.add(request.id);
  entries.value = entries.value.filter((one) => !gone.has(one.request.id));
}

export function clear(): void {
  entries.value = [];
}

export function session(view: unknown): Session {
  return {
    format: 1,
    model: { name: name.value, text: checkedText.value },
    requests: entries.value.map(({ request }) => request),
    view,
  };
}

// A session from the text of a file, or what is wrong with it.
export function readSession(text: string): Session | string {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return "The file is not JSON.";
  }
  return asSession(data);
}

// A session from data, or what is wrong with it.
export function asSession(data: unknown): Session | string {
  const found = data as Partial<Session> | null;
  if (!found || typeof found !== "object" || Array.isArray(found)) return "The file holds no session.";
  if (found.format !== 1) return `The file has format ${JSON.stringify(found.format)}; this page reads format 1.`;
  if (typeof found.model?.text !== "string" || typeof found.model.name !== "string") return "The session has no model.";
  if (!Array.isArray(found.requests)) return "The session has no list of requests.";
  const ids = new Set<string>();
  for (const [k, one] of found.requests.entries()) {
    if (typeof one?.id !== "string" || typeof one.question !== "string" || typeof one.fields !== "object" || one.fields === null) return `Request ${k + 1} of the session is not complete.`;
    if (ids.has(one.id)) return `Two requests of the session have the name ${one.id}.`;
    if (one.from && !ids.has(one.from)) return `Request ${k + 1} of the session begins at ${one.from}, which is not before it.`;
    ids.add(one.id);
  }
  return found as Session;
}
