// Where a mistake is in a text: lines and columns from 1, in characters, to positions.
import type { Mistake } from "../server/types";

export interface Piece {
  text: string;
  wrong: boolean;
}

// The pieces of a line, those under a mistake marked.
export function pieces(line: string, number: number, mistakes: Mistake[]): Piece[] {
  const characters = [...line];
  const marked = new Array<boolean>(characters.length + 1).fill(false);
  let any = false;
  for (const { line: at, column, length } of mistakes) {
    if (at !== number) continue;
    const from = Math.min(Math.max(0, (column ?? 1) - 1), characters.length);
    const to = column ? Math.min(characters.length + 1, from + Math.max(1, length ?? 1)) : characters.length + 1;
    for (let i = from; i < to; i++) marked[i] = true;
    any = true;
  }
  if (!any) return [{ text: line, wrong: false }];
  // A mistake behind the end of the line is shown on a space.
  if (marked[characters.length]) characters.push(" ");
  const found: Piece[] = [];
  characters.forEach((character, i) => {
    const last = found[found.length - 1];
    if (last && last.wrong === marked[i]) last.text += character;
    else found.push({ text: character, wrong: marked[i] ?? false });
  });
  return found;
}

// The position in the text of a line and a column.
export function position(text: string, line: number, column: number): number {
  const lines = text.split("\n");
  let at = 0;
  for (let i = 0; i < line - 1 && i < lines.length; i++) at += lines[i]!.length + 1;
  return at + [...(lines[line - 1] ?? "")].slice(0, Math.max(0, column - 1)).join("").length;
}
