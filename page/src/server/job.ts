// One question of a panel: what runs, what has arrived, what came of it. It lives on while its panel is hidden.
import { asking, checkedText, refusals, system, whyNot } from "../model/state";
import { Signal } from "../parts/signal";
import { record } from "../session/requests";
import { ask, kept, newId, stop } from "./ask";
import type { Answer, Mistake, Part, Progress, Request, Values } from "./types";

export interface Ran {
  answer: Answer;
  request: Request;
  // The text of the model that it is the answer for.
  text: string;
}

// How long a computation that was stopped is waited for.
const PATIENCE = 5000;

export class Job {
  readonly ran = new Signal<Ran | null>(null);
  readonly running = new Signal<Request | null>(null);
  readonly progress = new Signal<Progress | null>(null);
  readonly mistakes = new Signal<Mistake[]>([]);
  // Parts of the running question; `heard` changes with each.
  parts: Part[] = [];
  readonly heard = new Signal(0);
  private cut: AbortController | null = null;

  constructor(readonly question: string) {
    jobs.push(this);
  }

  // Asks; resolves to the answer, or to null where there is none, the reason being in `mistakes`.
  async run(fields: Record<string, unknown>, from: string | null = null, other: { set?: Values; start?: Values; live?: boolean } = {}): Promise<Ran | null> {
    const now = asking();
    if (!now) {
      this.mistakes.value = [{ message: whyNot() ?? "Nothing can be asked." }];
      return null;
    }
    return this.send({ id: newId(), question: this.question, set: other.set ?? now.set, start: other.start ?? now.start, fields, from }, now.text, other.live ?? false);
  }

  async send(request: Request, text: string, live = false): Promise<Ran | null> {
    this.cut?.abort();
    const cut = (this.cut = new AbortController());
    this.parts = [];
    this.running.value = request;
    this.progress.value = null;
    if (!live) this.mistakes.value = [];
    const outcome = await ask(
      { ...request, text },
      {
        progress: (progress) => {
          if (this.cut === cut) this.progress.value = progress;
        },
        part: (part) => {
          if (this.cut !== cut) return;
          this.parts.push(part);
          this.heard.value += 1;
        },
      },
      cut.signal,
    );
    if (this.cut !== cut) return null;
    this.cut = null;
    this.running.value = null;
    this.progress.value = null;
    if (outcome.kind === "cut") return null;
    if (outcome.kind === "refused") {
      this.refuse(outcome.mistakes);
      return null;
    }
    if (outcome.kind === "failed") {
      this.mistakes.value = [{ message: `No answer: ${outcome.message}.` }];
      return null;
    }
    return this.take(outcome.answer, request, text, live);
  }

  // Shows the answer of a request that the server still keeps; null where it does not.
  async restore(request: Request, text: string, live: boolean): Promise<Ran | null> {
    const answer = await kept({ ...request, text });
    return answer && this.take(answer, request, text, live);
  }

  private take(answer: Answer, request: Request, text: string, live: boolean): Ran {
    this.mistakes.value = [];
    const ran = { answer, request, text };
    record({ request, live, text, seconds: answer.seconds, report: answer.report, command: answer.command });
    this.ran.value = ran;
    return ran;
  }

  // Mistakes of values stand at their fields as well.
  private refuse(mistakes: Mistake[]): void {
    this.mistakes.value = mistakes;
    const own = new Set([...(system.value?.parameters ?? []), ...(system.value?.states ?? [])].map((one) => one.name));
    const at: Record<string, string> = {};
    for (const { field, message } of mistakes) {
      // Where a value breaks a limit of the model the message names the parameter.
      const named = field ?? /`([^`]+)`/.exec(message)?.[1];
      if (named && own.has(named)) at[named] = message;
    }
    if (Object.keys(at).length) refusals.value = { ...refusals.value, ...at };
  }

  // Ends the computation; the answer with what was found until then still comes, if it comes soon.
  async stop(): Promise<void> {
    const running = this.running.value;
    if (!running) return;
    try {
      await stop(running.id);
    } catch {
      this.abort();
    }
    setTimeout(() => {
      if (this.running.value !== running) return;
      this.abort();
      this.mistakes.value = [{ message: `The computation did not end within ${PATIENCE / 1000} s of Stop, and the page no longer waits for it.` }];
    }, PATIENCE);
  }

  // Ends the computation, and forgets it.
  abort(): void {
    this.cut?.abort();
    this.cut = null;
    this.running.value = null;
    this.progress.value = null;
  }

  clear(): void {
    this.abort();
    this.ran.value = null;
    this.mistakes.value = [];
    this.parts = [];
    this.heard.value += 1;
  }
}

export const jobs: Job[] = [];

// Whether an answer is that of the present text of the model.
export const ofThisText = (ran: Ran): boolean => ran.text === checkedText.value;

// The mistake of a field of a question.
export function mistakeAt(mistakes: Mistake[], field: string): string | null {
  return mistakes.find((one) => one.field === field || one.field?.startsWith(`${field}.`) || one.field?.startsWith(`${field}[`))?.message ?? null;
}
