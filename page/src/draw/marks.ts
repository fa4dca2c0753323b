// Draws one symbol of a figure.
import type { Shape } from "./layers";

export function drawMark(pen: CanvasRenderingContext2D, shape: Shape, x: number, y: number, size: number, colour: string): void {
  const r = size / 2;
  pen.beginPath();
  if (shape === "circle") pen.arc(x, y, r, 0, 2 * Math.PI);
  else if (shape === "ring") {
    pen.arc(x, y, r, 0, 2 * Math.PI);
    pen.strokeStyle = colour;
    pen.lineWidth = 2;
    pen.stroke();
    return;
  } else if (shape === "square") pen.rect(x - r, y - r, size, size);
  else if (shape === "triangle") {
    pen.moveTo(x, y - r * 1.1);
    pen.lineTo(x + r, y + r * 0.8);
    pen.lineTo(x - r, y + r * 0.8);
    pen.closePath();
  } else {
    pen.moveTo(x - r, y - r);
    pen.lineTo(x + r, y + r);
    pen.moveTo(x + r, y - r);
    pen.lineTo(x - r, y + r);
    pen.strokeStyle = colour;
    pen.lineWidth = 2;
    pen.stroke();
    return;
  }
  pen.fillStyle = colour;
  pen.fill();
}
