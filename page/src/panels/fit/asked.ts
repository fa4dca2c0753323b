// What is asked of a fit: the file of data, what is free between which bounds, what columns measure and how exact they are.
import { bounds } from "../../model/asked";
import { startOf, system } from "../../model/state";
import { aroundParameter, around, free as parameters, valueOf } from "../../model/around";
import { form } from "../../parts/form";
import { given, Reading } from "../../parts/read";
import { Signal } from "../../parts/signal";

export interface Data {
  name: string;
  // The text of the CSV file.
  text: string;
}

export const data = new Signal<Data | null>(null);
export const fields = form("fit", { free: "", column: "", sigma: "", clock: "", starts: "" });

// What may be free: parameters that are numbers, and start values.
export const names = (): string[] => [...parameters(), ...(system.value?.states ?? []).map((one) => `start.${one.name}`)];

const listed = (text: string): string[] => text.split(",").map((part) => part.trim()).filter(Boolean);

// What is free, in the order of the names.
export function chosen(): string[] {
  const list = listed(fields.get("free"));
  return names().filter((name) => list.includes(name));
}

// Makes something free, with bounds around its value, or fixes it.
export function toggle(name: string): void {
  const list = chosen();
  if (list.includes(name)) return fields.set("free", list.filter((one) => one !== name).join(","));
  const state = name.startsWith("start.") ? name.slice("start.".length) : null;
  const [low, high] = state === null ? aroundParameter(name, valueOf(name), 0.5) : around(startOf(state), null, null, 0.5);
  fields.fill({ free: [...list, name].join(","), [`low ${name}`]: String(low), [`high ${name}`]: String(high) });
}

export function read(): { asked: Record<string, unknown>; wrong: Record<string, string>; right: boolean } {
  const reading = new Reading(fields.value);
  const free = chosen().map((name) => {
    const [low, high] = [`low ${name}`, `high ${name}`];
    if (!fields.get(low).trim() && !fields.get(high).trim()) return name;
    const [from, to] = reading.range(low, high);
    return `${name}=${from}:${to}`;
  });
  const many = (name: string): string[] | undefined => (listed(fields.get(name)).length ? listed(fields.get(name)) : undefined);
  const starts = reading.optional("starts", ...bounds("fit", "starts"));
  if (!free.length) reading.wrong["free"] = "Choose what is to be fitted.";
  if (!data.value) reading.wrong["data"] = "Choose a file of data.";
  const asked = given({ data: data.value?.text, free, column: many("column"), sigma: many("sigma"), clock: fields.get("clock") || undefined, starts });
  return { asked, wrong: reading.wrong, right: reading.right };
}
