// Whether an answer still belongs to what is set: the parameters and initial values in which its request differs from the fields.
import type { Request, System, Values } from "../server/types";
import { entry } from "./entry";

export interface Difference {
  name: string;
  then: number | string;
  now: number | string;
}

// Questions whose answers depend on the initial values.
const FROM_START = new Set(["simulate", "stepping", "orbit", "sweep", "basin", "lyapunov", "contact"]);

// The parameters and states that a question varies itself.
export function varied(request: Pick<Request, "fields">): Set<string> {
  const found = new Set<string>();
  const take = (one: unknown): void => {
    if (typeof one === "string") found.add(one);
    else if (Array.isArray(one)) one.forEach(take);
    else if (one && typeof one === "object" && "name" in one) take(one.name);
  };
  take(request.fields["along"]);
  take(request.fields["map"]);
  take((request.fields["starts"] as { grid?: unknown } | undefined)?.grid);
  return found;
}

function read(typed: Record<string, string>): Values {
  return Object.fromEntries(Object.entries(typed).map(([name, text]) => {
    const found = entry(text);
    return [name, "value" in found ? found.value : text];
  }));
}

function compare(before: Values, now: Values, usual: Values, but: Set<string>): Difference[] {
  return Object.entries(usual).filter(([name]) => !but.has(name)).map(([name, own]): Difference => ({ name, then: before[name] ?? own, now: now[name] ?? own })).filter((one) => one.then !== one.now);
}

// Where a request differs from what is typed; `but` are further names that do not count.
export function differences(request: Request, system: System, set: Record<string, string>, start: Record<string, string>, but: string[] = []): { parameters: Difference[]; start: Difference[] } {
  const left = new Set([...varied(request), ...but]);
  const parameters = compare(request.set, read(set), Object.fromEntries(system.parameters.map((one) => [one.name, one.formula ?? one.value])), left);
  const depends = FROM_START.has(request.question) && !request.from;
  const ofStart = depends ? compare(request.start, read(start), Object.fromEntries(system.states.map((one) => [one.name, one.start])), left) : [];
  return { parameters, start: ofStart };
}
