// The work of this page as plain data, from which the page is as it was: session, typed text, and what was still running. Read back with what could not be read.
import type { Request, Session } from "../server/types";
import { asSession } from "./requests";

export interface Former {
  text: string;
  ids: string[];
}

export interface Work {
  // The version of the program that wrote it.
  version: string;
  // The model with which that program was started.
  begun: string;
  session: Session;
  // The text of the model as typed, which may have mistakes, and as it was opened or saved.
  typed: string;
  original: string;
  // How long each answer took, by the name of its request; nothing of one that was still running.
  seconds: Record<string, number>;
  // Former texts of the model, and the requests whose answers belong to them.
  former: Former[];
  // The requests of trajectories that follow the sliders.
  live: string[];
  when: number;
}

const isRecord = (one: unknown): one is Record<string, unknown> => typeof one === "object" && one !== null && !Array.isArray(one);

// Work from stored text, or why it cannot be read. What another version has more is left out.
export function readWork(text: string): Work | string {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return "what was kept of this page is not readable";
  }
  if (!isRecord(data)) return "what was kept of this page is not readable";
  const session = asSession(data["session"]);
  if (typeof session === "string") return session;
  const word = (name: string, usual: string): string => (typeof data[name] === "string" ? (data[name] as string) : usual);
  const seconds = isRecord(data["seconds"]) ? Object.fromEntries(Object.entries(data["seconds"]).filter((one): one is [string, number] => typeof one[1] === "number")) : {};
  const words = (list: unknown): string[] => (Array.isArray(list) ? list.filter((one): one is string => typeof one === "string") : []);
  const live = words(data["live"]);
  const former = (Array.isArray(data["former"]) ? data["former"] : []).flatMap((one): Former[] => (isRecord(one) && typeof one["text"] === "string" ? [{ text: one["text"], ids: words(one["ids"]) }] : []));
  return { version: word("version", ""), begun: word("begun", ""), session, typed: word("typed", session.model.text), original: word("original", session.model.text), seconds, former, live, when: typeof data["when"] === "number" ? data["when"] : 0 };
}

// Whether it is worth keeping: something was asked besides the first trajectory, typed, or edited.
export function isWork(work: Work): boolean {
  const view = isRecord(work.session.view) ? work.session.view : {};
  const typed = [view["set"], view["start"]].some((one) => isRecord(one) && Object.keys(one).length > 0);
  return typed || work.typed !== work.original || work.session.requests.some((one) => !work.live.includes(one.id));
}

// The texts of the model before the present one to which answers belong, each with its requests.
export function formerTexts(entries: { request: Request; text?: string }[], present: string): Former[] {
  const found = new Map<string, string[]>();
  for (const { request, text } of entries) if (text !== undefined && text !== present) found.set(text, [...(found.get(text) ?? []), request.id]);
  return [...found].map(([text, ids]) => ({ text, ids }));
}

// Every request once, each after the one that it begins at.
export function inOrder(requests: Request[]): Request[] {
  const ids = new Set<string>();
  return requests.filter(({ id, from }) => !ids.has(id) && (!from || ids.has(from)) && ids.add(id));
}
