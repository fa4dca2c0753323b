// The legend of a picture: one entry for each label of its layers.
import type { JSX } from "preact";
import { useSignal } from "../parts/signal";
import type { Colour, Layer, Shape } from "./layers";
import { ink, isDark, type Ink } from "./theme";

interface Entry {
  label: string;
  key: JSX.Element;
}

const of = (colour: Colour): string => (colour.startsWith("#") ? colour : ink(colour as Ink));

function symbol(shape: Shape, size: number, colour: string): JSX.Element {
  const r = Math.min(size, 9) / 2;
  if (shape === "circle") return <circle cx="8" cy="6" r={r} fill={colour} />;
  if (shape === "ring") return <circle cx="8" cy="6" r={r} fill="none" stroke={colour} stroke-width="2" />;
  if (shape === "square") return <rect x={8 - r} y={6 - r} width={2 * r} height={2 * r} fill={colour} />;
  if (shape === "triangle") return <polygon points={`8,${6 - r * 1.1} ${8 + r},${6 + r * 0.8} ${8 - r},${6 + r * 0.8}`} fill={colour} />;
  return <path d={`M${8 - r},${6 - r}L${8 + r},${6 + r}M${8 + r},${6 - r}L${8 - r},${6 + r}`} stroke={colour} stroke-width="2" />;
}

function entry(layer: Layer): Entry | null {
  if (!("label" in layer) || !layer.label) return null;
  const { label } = layer;
  const svg = (inner: JSX.Element): JSX.Element => <svg width={layer.kind === "line" ? 24 : 16} height="12" aria-hidden="true">{inner}</svg>;
  if (layer.kind === "line") return { label, key: svg(<line x1="0" x2="24" y1="6" y2="6" stroke={of(layer.colour)} stroke-width="2" stroke-dasharray={layer.dash?.join(" ") ?? ""} />) };
  if (layer.kind === "marks") return { label, key: svg(symbol(layer.shape, layer.size, of(layer.colour))) };
  if (layer.kind === "arrows") return { label, key: svg(<path d="M1,6H14M14,6L10,3.5M14,6L10,8.5" stroke={of(layer.colour)} fill="none" />) };
  if (layer.kind === "bands") return { label, key: svg(<rect width="16" height="12" fill={of(layer.colour)} />) };
  if (layer.kind === "verticals") return { label, key: svg(<line x1="8" x2="8" y1="0" y2="12" stroke={of(layer.colour)} />) };
  return { label, key: svg(<circle cx="8" cy="6" r="2.5" fill={of(layer.colour as Colour)} />) };
}

export function Legend({ layers }: { layers: Layer[] }): JSX.Element | null {
  useSignal(isDark);
  const found = new Map<string, Entry>();
  for (const layer of layers) {
    const one = entry(layer);
    if (one && !found.has(one.label)) found.set(one.label, one);
  }
  if (!found.size) return null;
  return (
    <ul class="legend" aria-label="Legend">
      {[...found.values()].map(({ label, key }) => (
        <li key={label}>{key}{label}</li>
      ))}
    </ul>
  );
}
