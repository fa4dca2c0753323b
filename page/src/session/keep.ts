// Keeps the work of this tab in the browser while it changes: for a reload of the tab, and for a new one after the tab was closed.
//
// A reload reads the storage of the tab, which no other tab sees. Beside it every tab has an entry of its own in the storage of the address, locked as long as
// the tab lives: an entry without a lock is that of a closed tab.
import { choice } from "../draw/theme";
import { checkedText, checking, name, original, text, typedSet, typedStart } from "../model/state";
import { chosen } from "../panels/motion/live";
import { forms } from "../parts/form";
import { Signal } from "../parts/signal";
import { jobs } from "../server/job";
import { remaining, view } from "./files";
import { entries, session } from "./requests";
import { tab } from "./view";
import { formerTexts, inOrder, isWork, readWork, type Work } from "./work";

const PLACE = `saltation ${location.pathname}`;
const PAUSE = 250;
// Work of closed tabs is kept so long, and so much of it.
const [LONGEST, MOST] = [30 * 24 * 3600e3, 6];
const id = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
const entry = (of: string): string => `${PLACE} ${of}`;

// Why the browser keeps nothing, where it does not.
export const notKept = new Signal<string | null>(null);
// The work of closed tabs at this address.
export const left = new Signal<{ key: string; work: Work }[]>([]);

let about = { version: "", begun: "" };
let timer = 0;
// Other models of this tab, by their names.
const others = new Map<string, Work>();

// The work as it is now.
export function work(): Work {
  const running = jobs.flatMap((job) => (job.running.value && job.question !== "simulate" ? [job.running.value] : []));
  const known = session(view());
  return {
    ...about,
    session: { ...known, requests: inOrder([...known.requests, ...running, ...remaining.value]) },
    typed: text.value,
    original: original.value,
    seconds: Object.fromEntries(entries.value.filter((one) => !one.missing).map(({ request, seconds }) => [request.id, seconds])),
    former: formerTexts(entries.value, checkedText.value),
    live: entries.value.filter((one) => one.live).map(({ request }) => request.id),
    when: Date.now(),
  };
}

function write(): void {
  window.clearTimeout(timer);
  timer = 0;
  // Until its model is checked there is no work.
  if (!checkedText.value || checking.value) return;
  const now = work();
  try {
    sessionStorage.setItem(PLACE, JSON.stringify({ ...now, others: Object.fromEntries(others) }));
    if (isWork(now)) localStorage.setItem(entry(id), JSON.stringify(now));
    else localStorage.removeItem(entry(id));
    notKept.value = null;
  } catch (error) {
    notKept.value = `The browser does not keep the work of this page: ${error instanceof Error ? error.message : String(error)}. Save the session before the page is closed.`;
  }
}

function later(): void {
  if (!timer) timer = window.setTimeout(write, PAUSE);
}

// The work of this tab before it was loaded again: null if there was none, a sentence if it cannot be read.
export function before(): Work | string | null {
  let stored: string | null = null;
  try {
    stored = sessionStorage.getItem(PLACE);
  } catch {
    return null;
  }
  if (stored === null) return null;
  const found = readWork(stored);
  if (typeof found === "string") return found;
  const kept = (JSON.parse(stored) as { others?: Record<string, unknown> }).others ?? {};
  for (const [name, one] of Object.entries(kept)) {
    const other = readWork(JSON.stringify(one));
    if (typeof other !== "string") others.set(name, other);
  }
  return found;
}

// Puts the work on one model aside; it is there again when the model is chosen again. A model that is nowhere else is kept without work, too.
export function putAside(own: boolean): void {
  const now = work();
  if (own || isWork(now)) others.set(name.value, now);
  else others.delete(name.value);
}

export const aside = (model: string): Work | undefined => others.get(model);
export const namesAside = (): string[] => [...others.keys()];

// Looks for work of closed tabs.
async function lookAround(): Promise<void> {
  const alive = new Set((await navigator.locks.query()).held?.map((lock) => lock.name));
  const found: { key: string; work: Work }[] = [];
  for (const key of Object.keys(localStorage)) {
    if (!key.startsWith(`${PLACE} `) || alive.has(key) || key === entry(id)) continue;
    const one = readWork(localStorage.getItem(key) ?? "");
    if (typeof one === "string" || Date.now() - one.when > LONGEST || !isWork(one)) localStorage.removeItem(key);
    else found.push({ key, work: one });
  }
  found.sort((a, b) => b.work.when - a.work.when);
  for (const { key } of found.slice(MOST)) localStorage.removeItem(key);
  left.value = found.slice(0, MOST);
}

export function forget(key: string): void {
  localStorage.removeItem(key);
  left.value = left.value.filter((one) => one.key !== key);
}

// Begins to keep. A tab that goes on with its own work needs no entry of its former self.
export function keep(version: string, begun: string, goesOn: boolean): void {
  about = { version, begun };
  for (const signal of [text, typedSet, typedStart, entries, tab, chosen, choice, remaining, checking, original, ...Object.values(forms)] as Signal<unknown>[]) signal.listen(later);
  for (const job of jobs) job.running.listen(later);
  addEventListener("pagehide", () => {
    write();
    // A tab that is loaded again goes on under another name; one that is closed leaves this one.
    sessionStorage.setItem(`${PLACE} entry`, id);
  });
  addEventListener("beforeunload", (event) => {
    if (text.value !== original.value) event.preventDefault();
  });
  try {
    const former = sessionStorage.getItem(`${PLACE} entry`);
    if (former && goesOn) localStorage.removeItem(entry(former));
    // Held as long as the page is there.
    void navigator.locks.request(entry(id), () => new Promise(() => undefined));
    void lookAround().catch(() => undefined);
  } catch {
    // Without storage nothing is left.
  }
  later();
}
