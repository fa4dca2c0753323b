// A legend of coloured areas.
import type { JSX } from "preact";

export function Swatches({ entries, test }: { entries: { colour: string; label: string; title?: string }[]; test: string }): JSX.Element {
  return (
    <ul class="legend" data-test={test} aria-label="Legend">
      {entries.map(({ colour, label, title }) => (
        <li key={label} title={title}><svg width="16" height="12" aria-hidden="true"><rect width="16" height="12" fill={colour} stroke="currentColor" stroke-opacity="0.3" /></svg>{label}</li>
      ))}
    </ul>
  );
}
