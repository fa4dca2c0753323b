// Multipliers on the unit circle, or eigenvalues in the plane.
import type { JSX } from "preact";
import { complex } from "../../draw/numbers";

// Multipliers far outside are shown at the edge, hollow; their numbers stand beside.
const EDGE = 1.45;
// A multiplier that is one up to rounding is not outside.
const ROUNDING = 1e-9;

export function UnitCircle({ multipliers }: { multipliers: [number, number][] }): JSX.Element {
  const label = `Multipliers on the unit circle: ${multipliers.map((one) => complex(one)).join("; ")}`;
  return (
    <svg class="circle" viewBox="-1.6 -1.6 3.2 3.2" role="img" aria-label={label} data-test="circle">
      <line x1="-1.6" x2="1.6" y1="0" y2="0" class="axis" />
      <line x1="0" x2="0" y1="-1.6" y2="1.6" class="axis" />
      <circle r="1" class="unit-circle" />
      {multipliers.map(([re, im], i) => {
        const size = Math.hypot(re, im);
        const scale = size > EDGE ? EDGE / size : 1;
        return (
          <circle key={i} cx={re * scale} cy={-im * scale} r="0.055" class={size > 1 + ROUNDING ? "multiplier outside" : "multiplier"} {...(scale < 1 ? { "fill-opacity": 0 } : {})}>
            <title>{complex([re, im], 15)}, modulus {size}</title>
          </circle>
        );
      })}
    </svg>
  );
}

export function Pairs({ pairs, test, title }: { pairs: [number, number][]; test: string; title: string }): JSX.Element {
  return (
    <table class="pairs">
      <thead><tr><th>{title}</th><th class="n">modulus</th></tr></thead>
      <tbody>
        {pairs.map(([re, im], i) => (
          <tr key={i}>
            <td data-test={`${test}-${i}`} title={`${re}, ${im}`}>{complex([re, im])}</td>
            <td class="n" title={String(Math.hypot(re, im))}>{Math.hypot(re, im).toPrecision(6)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
