// Saves a session as a file, and opens one: its model is checked and all its questions are asked again, in their order.
import { download } from "../parts/download";
import { check, checkedText, mistakes, name, typedSet, typedStart } from "../model/state";
import { forms } from "../parts/form";
import { Signal } from "../parts/signal";
import { json } from "../server/http";
import { jobs } from "../server/job";
import type { Request, Session, Values } from "../server/types";
import { entries, readSession, session } from "./requests";
import { opening, tab } from "./view";

export const said = new Signal<string | null>(null);

// What the page remembers besides the questions.
function view(): unknown {
  return { tab: tab.value, set: typedSet.value, start: typedStart.value, forms: Object.fromEntries(Object.entries(forms).map(([key, form]) => [key, form.value])) };
}

export async function save(folder: boolean): Promise<void> {
  const text = `${JSON.stringify(session(view()), null, 1)}\n`;
  const file = `${name.value || "model"}.session.json`;
  download(file, text, "application/json");
  said.value = `saved as ${file}`;
  if (!folder) return;
  try {
    const { path } = await json<{ path: string }>("save", { name: file, text });
    said.value = `saved as ${path}`;
  } catch (error) {
    said.value = error instanceof Error ? error.message : String(error);
  }
}

export async function openText(text: string): Promise<void> {
  const found = readSession(text);
  if (typeof found === "string") said.value = found;
  else await open(found);
}

export async function open(given: Session): Promise<void> {
  opening.value = true;
  said.value = null;
  try {
    await check({ text: given.model.text }, given.model.name);
    if (mistakes.value.length) {
      said.value = "The model of the session has a mistake; see Model.";
      return;
    }
    remember(given.view);
    const failed: string[] = [];
    for (const [k, request] of given.requests.entries()) {
      said.value = `asking ${k + 1} of ${given.requests.length}`;
      if (!(await again(request))) failed.push(`${k + 1} (${request.question})`);
    }
    const missing = failed.length ? `; without answer: ${failed.join(", ")}` : "";
    said.value = `${given.requests.length - failed.length} of ${given.requests.length} questions answered${missing}`;
  } finally {
    opening.value = false;
  }
}

const isTyped = (value: unknown): value is Record<string, string> => typeof value === "object" && value !== null && Object.values(value).every((one) => typeof one === "string");

function remember(view: unknown): void {
  if (typeof view !== "object" || view === null) return;
  const { tab: front, set, start, forms: typed } = view as Record<string, unknown>;
  if (isTyped(set)) typedSet.value = set;
  if (isTyped(start)) typedStart.value = start;
  if (typeof typed === "object" && typed !== null) for (const [key, value] of Object.entries(typed)) if (isTyped(value)) forms[key]?.fill(value);
  if (typeof front === "string") tab.value = front;
}

// Numbers of a session may stand for what is typed; a question without a panel is asked all the same.
async function again(request: Request): Promise<boolean> {
  // Returns to a section are another question of the same name.
  const [first, second] = jobs.filter((one) => one.question === request.question);
  const job = "passages" in request.fields ? (second ?? first) : first;
  if (!job) return false;
  const values = (given: Values | undefined): Values => given ?? {};
  return (await job.send({ ...request, set: values(request.set), start: values(request.start), from: request.from ?? null }, checkedText.value, request.question === "simulate")) !== null;
}

export const count = (): number => entries.value.length;
