// Cells of a grid as an image: one pixel a cell, coloured by its category.
import { bytes } from "./theme";

export interface Cells {
  columns: number;
  rows: number;
  // Row after row from below; NaN or a negative number is a missing cell.
  category: ArrayLike<number>;
  colours: string[];
}

export function imageOf({ columns, rows, category, colours }: Cells): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, columns);
  canvas.height = Math.max(1, rows);
  const pen = canvas.getContext("2d");
  if (!pen) return canvas;
  const image = pen.createImageData(canvas.width, canvas.height);
  const pixels = new Uint32Array(image.data.buffer);
  const shades = colours.map((colour) => {
    const [red, green, blue] = bytes(colour);
    return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
  });
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const value = category[row * columns + column];
      // Images begin at the top.
      pixels[(rows - 1 - row) * columns + column] = value !== undefined && value >= 0 ? (shades[value % shades.length] ?? 0) : 0;
    }
  }
  pen.putImageData(image, 0, 0);
  return canvas;
}

// The box of cells around their middles.
export function boxAround(x: number[], y: number[]): { x0: number; x1: number; y0: number; y1: number } {
  const half = (values: number[]): number => (values.length > 1 ? (values[values.length - 1]! - values[0]!) / (values.length - 1) / 2 : 0.5);
  const [a, b] = [half(x), half(y)];
  return { x0: x[0]! - a, x1: x[x.length - 1]! + a, y0: y[0]! - b, y1: y[y.length - 1]! + b };
}

export const even = (low: number, high: number, count: number): number[] => Array.from({ length: count }, (_, i) => (count === 1 ? low : low + ((high - low) * i) / (count - 1)));
