// A number on the screen: six significant digits, all of them when pointed at.
import type { JSX } from "preact";
import { full, short } from "../draw/numbers";

export function Num({ value, test, unit }: { value: number | null | undefined; test?: string; unit?: string | null }): JSX.Element {
  return (
    <span class="num" title={full(value)} {...(test ? { "data-test": test } : {})}>
      {short(value)}
      {unit ? ` ${unit}` : ""}
    </span>
  );
}
