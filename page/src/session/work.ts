// The work of this page as plain data, from which the page is as it was: session, typed text, and what was still running. Read back with what could not be read.
import type { Request, Session } from "../server/types";
import { asSession } from "./requests";

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
  const live = Array.isArray(data["live"]) ? data["live"].filter((one): one is string => typeof one === "string") : [];
  return { version: word("version", ""), begun: word("begun", ""), session, typed: word("typed", session.model.text), original: word("original", session.model.text), seconds, live, when: typeof data["when"] === "number" ? data["when"] : 0 };
}

// Whether it is worth keeping: something was asked besides the first trajectory, typed, or edited.
export function isWork(work: Work): boolean {
  const view = isRecord(work.session.view) ? work.session.view : {};
  const typed = [view["set"], view["start"]].some((one) => isRecord(one) && Object.keys(one).length > 0);
  return typed || work.typed !== work.original || work.session.requests.some((one) => !work.live.includes(one.id));
}

// Every request once, each after the one that it begins at.
export function inOrder(requests: Request[]): Request[] {
  const ids = new Set<string>();
  return requests.filter(({ id, from }) => !ids.has(id) && (!from || ids.has(from)) && ids.add(id));
}
