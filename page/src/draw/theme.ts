// The colours of all pictures, those of the library's figures, with lighter ones of the same hue for the dark page.
import { Signal } from "../parts/signal";

const light = {
  page: "#ffffff", text: "#1b1f24", soft: "#57606a", grid: "#e6e8eb", frame: "#5a5a5a", zero: "#222222",
  blue: "#0072b2", vermillion: "#d55e00", green: "#009e73", purple: "#cc79a7", orange: "#e69f00", sky: "#56b4e9", black: "#000000", grey: "#6e6e6e",
  jump: "#a5b4c8", missing: "#dedede", body: "#c7ddee", edge: "#1c5482",
  lasts: "rgba(120,150,190,0.25)", sticks: "rgba(90,90,90,0.22)", forwards: "rgba(230,159,0,0.25)", backwards: "rgba(86,180,233,0.28)", slides: "rgba(204,121,167,0.18)",
};
export type Ink = keyof typeof light;
const dark: Record<Ink, string> = {
  page: "#14171b", text: "#e4e8ec", soft: "#a3acb6", grid: "#272c33", frame: "#77808a", zero: "#c9ced4",
  blue: "#4aa8e0", vermillion: "#ff8b3d", green: "#2cc79b", purple: "#e29cc4", orange: "#f0b429", sky: "#7cc8f2", black: "#f2f4f6", grey: "#98a0a8",
  jump: "#53637a", missing: "#3a3f46", body: "#274258", edge: "#7db9e3",
  lasts: "rgba(120,150,190,0.30)", sticks: "rgba(170,170,170,0.22)", forwards: "rgba(240,180,41,0.22)", backwards: "rgba(86,180,233,0.22)", slides: "rgba(226,156,196,0.20)",
};

export type Choice = "auto" | "light" | "dark";
const wish = matchMedia("(prefers-color-scheme: dark)");
export const choice = new Signal<Choice>("auto");
export const isDark = new Signal(wish.matches);

function follow(): void {
  isDark.value = choice.value === "auto" ? wish.matches : choice.value === "dark";
  document.documentElement.dataset["theme"] = isDark.value ? "dark" : "light";
}
wish.addEventListener("change", follow);
choice.listen(follow);
follow();

export const ink = (name: Ink): string => (isDark.value ? dark : light)[name];

// The colours of regions of contact maps.
export const REGIONS: Record<string, string> = { slip: "#9ecae1", stick: "#74c4a0", flight: "#f0f0eb", indeterminate: "#f5c86e", inconsistent: "#de785a", impossible: "#aaaaaa" };

export function bytes(color: string): [number, number, number, number] {
  const hex = /^#(..)(..)(..)$/.exec(color);
  if (hex) return [parseInt(hex[1]!, 16), parseInt(hex[2]!, 16), parseInt(hex[3]!, 16), 255];
  const parts = (/\(([^)]*)\)/.exec(color)?.[1] ?? "0,0,0").split(",").map(Number);
  return [parts[0] ?? 0, parts[1] ?? 0, parts[2] ?? 0, Math.round((parts[3] ?? 1) * 255)];
}
