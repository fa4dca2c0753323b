// Saves a session as a file, and opens one: its model is checked, and its answers are taken from the server, or else asked for again, in their order.
import { choice } from "../draw/theme";
import { download } from "../parts/download";
import { check, checkedText, mistakes, name, original, text, typedSet, typedStart } from "../model/state";
import { chosen } from "../panels/motion/live";
import { forms } from "../parts/form";
import { Signal } from "../parts/signal";
import { newId } from "../server/ask";
import { json } from "../server/http";
import { jobs, type Job } from "../server/job";
import type { Request, Session, Values } from "../server/types";
import { entries, readSession, record, session } from "./requests";
import { opening, tab } from "./view";
import type { Work } from "./work";

export const said = new Signal<string | null>(null);
// What took longer than this is not asked again unless somebody wishes it, in seconds.
const LONG = 20;
// Raised to leave out the rest of what is opened.
let enough = false;
// What is still to be opened: it is part of the work, too.
export const remaining = new Signal<Request[]>([]);

// What the page remembers besides the questions.
export function view(): unknown {
  return { tab: tab.value, set: typedSet.value, start: typedStart.value, chosen: chosen.value, theme: choice.value, forms: Object.fromEntries(Object.entries(forms).map(([key, form]) => [key, form.value])) };
}

export async function save(folder: boolean): Promise<void> {
  const contents = `${JSON.stringify(session(view()), null, 1)}\n`;
  const file = `${name.value || "model"}.session.json`;
  download(file, contents, "application/json");
  said.value = `saved as ${file}`;
  if (text.value === checkedText.value) original.value = text.value;
  if (!folder) return;
  try {
    const { path } = await json<{ path: string }>("save", { name: file, text: contents });
    said.value = `saved as ${path}`;
  } catch (error) {
    said.value = error instanceof Error ? error.message : String(error);
  }
}

export async function openText(contents: string): Promise<void> {
  const found = readSession(contents);
  if (typeof found === "string") said.value = found;
  else await open(found);
}

// Leaves out what is still to be opened.
export function leaveOut(): void {
  enough = true;
  for (const job of jobs) void job.stop();
}

// Opens a session. Of work that was kept its answers are those of the server, where it still has them, and long ones are not asked again.
export async function open(given: Session, kept?: Work): Promise<void> {
  opening.value = true;
  enough = false;
  said.value = null;
  try {
    await check({ text: given.model.text }, given.model.name);
    if (mistakes.value.length) {
      said.value = "The model of the session has a mistake; see Model.";
      if (kept) text.value = kept.typed;
      for (const request of given.requests) record({ request: complete(request), live: kept?.live.includes(request.id) ?? false, seconds: kept?.seconds[request.id] ?? 0, report: [], command: [], missing: "the model has a mistake" });
      return;
    }
    remember(given.view);
    if (kept) original.value = kept.original;
    const failed: string[] = [];
    const names = new Map<string, string>();
    for (const [k, request] of given.requests.entries()) {
      const rest = (first: number): Request[] => given.requests.slice(first).map((one) => ({ ...one, from: one.from ? (names.get(one.from) ?? one.from) : null }));
      remaining.value = rest(k);
      said.value = `asking ${k + 1} of ${given.requests.length}`;
      const live = kept ? kept.live.includes(request.id) : request.question === "simulate";
      const from = request.from ? (names.get(request.from) ?? request.from) : null;
      // What is still known is the answer for the text with which it was asked; the rest is asked again of the present one.
      const text = kept?.former.find(({ ids }) => ids.includes(request.id))?.text ?? checkedText.value;
      const same = from === (request.from ?? null) && (await restored({ ...request, from }, text, live));
      if (same) continue;
      // Under a new name, as another page may ask the same.
      const again = { ...request, id: newId(), from };
      names.set(request.id, again.id);
      remaining.value = [...(live ? [again] : []), ...rest(k + 1)];
      const took = kept?.seconds[request.id] ?? 0;
      const why = enough ? "it was left out" : took > LONG ? `it took ${Math.round(took)} s` : null;
      if (why) record({ request: again, live, seconds: took, report: [], command: [], missing: why });
      if (why || !(await ask(again, live))) failed.push(`${k + 1} (${request.question.replaceAll("_", " ")})`);
    }
    if (kept && kept.typed !== checkedText.value) await check({ text: kept.typed });
    const missing = failed.length ? `; without answer: ${failed.join(", ")}` : "";
    said.value = kept && !failed.length ? null : `${given.requests.length - failed.length} of ${given.requests.length} questions answered${missing}${kept && failed.length ? "; see Session" : ""}`;
  } finally {
    remaining.value = [];
    opening.value = false;
  }
}

const isTyped = (value: unknown): value is Record<string, string> => typeof value === "object" && value !== null && Object.values(value).every((one) => typeof one === "string");

function remember(view: unknown): void {
  if (typeof view !== "object" || view === null) return;
  const { tab: front, set, start, chosen: quantities, theme, forms: typed } = view as Record<string, unknown>;
  if (isTyped(set)) typedSet.value = set;
  if (isTyped(start)) typedStart.value = start;
  if (Array.isArray(quantities) && quantities.every((one) => typeof one === "string")) chosen.value = quantities;
  if (typeof typed === "object" && typed !== null) for (const [key, value] of Object.entries(typed)) if (isTyped(value)) forms[key]?.fill(value);
  if (theme === "light" || theme === "dark") choice.value = theme;
  if (typeof front === "string") tab.value = front;
}

// The panel of a question. Returns to a section are another question of the same name.
function jobOf(request: Request): Job | undefined {
  const [first, second] = jobs.filter((one) => one.question === request.question);
  return "passages" in request.fields ? (second ?? first) : first;
}

const complete = (request: Request): Request => {
  const values = (given: Values | undefined): Values => given ?? {};
  return { ...request, set: values(request.set), start: values(request.start), from: request.from ?? null };
};

async function restored(request: Request, text: string, live: boolean): Promise<boolean> {
  return (await jobOf(request)?.restore(complete(request), text, live)) != null;
}

// Asks a request of the list again.
export async function ask(request: Request, live: boolean): Promise<boolean> {
  const job = jobOf(request);
  const found = await job?.send(complete(request), checkedText.value, live);
  if (!found && !entries.value.some((one) => one.request.id === request.id)) {
    record({ request: complete(request), live, seconds: 0, report: [], command: [], missing: job?.mistakes.value[0]?.message ?? "this page has no panel for it" });
  }
  return found != null;
}
