// Draws a picture on a canvas: frame, ticks, grid, and all layers in a view that can be moved.
import { countPoints, paint } from "./cloud";
import { drawMark } from "./marks";
import { fit, type Axis, type Box, type Colour, type Layer, type Mark, type Picture } from "./layers";
import { pickAt, REACH } from "./pick";
import { bytes, ink, type Ink } from "./theme";
import { powers, ticks, type Tick } from "./ticks";

const FONT = '12px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif';
const colourOf = (colour: Colour): string => (colour.startsWith("#") ? colour : ink(colour as Ink));

export interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
}

export class Plane {
  picture: Picture = { x: { label: "" }, y: { label: "" }, layers: [] };
  // What is shown; null is all.
  view: Box | null = null;
  // A vertical line that follows the pointer, at this abscissa.
  cursor: number | null = null;
  area: Area = { left: 0, top: 0, width: 1, height: 1 };
  box: Box = { x0: 0, x1: 1, y0: 0, y1: 1 };
  // The width that labels of the ordinate take, for stacks that share one.
  leftWanted = 0;
  leftLeast = 0;
  bottomTicks = true;
  private cloud = document.createElement("canvas");
  private counts = new Uint32Array(0);

  constructor(readonly canvas: HTMLCanvasElement) {}

  all(): Box {
    return fit(this.picture);
  }

  draw(width: number, height: number): void {
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const [w, h] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
    if (this.canvas.width !== w || this.canvas.height !== h) {
      this.canvas.width = w;
      this.canvas.height = h;
    }
    const pen = this.canvas.getContext("2d");
    if (!pen) return;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.fillStyle = ink("page");
    pen.fillRect(0, 0, width, height);
    pen.font = FONT;
    this.box = this.view ?? this.all();
    const yTicks = ticksOf(this.picture.y, this.box.y0, this.box.y1, Math.max(3, height / 45));
    this.leftWanted = Math.ceil(Math.max(0, ...yTicks.map((tick) => pen.measureText(tick.label).width))) + 30;
    const left = Math.max(this.leftWanted, this.leftLeast);
    const bottom = this.bottomTicks ? 40 : 8;
    this.area = { left, top: 8, width: Math.max(20, width - left - 12), height: Math.max(20, height - 8 - bottom) };
    if (this.picture.equal) this.box = equal(this.box, this.area);
    const xTicks = ticksOf(this.picture.x, this.box.x0, this.box.x1, this.area.width / 85);
    this.grid(pen, xTicks, yTicks);
    pen.save();
    pen.beginPath();
    pen.rect(this.area.left, this.area.top, this.area.width, this.area.height);
    pen.clip();
    for (const layer of this.picture.layers) this.layer(pen, layer, ratio);
    if (this.cursor !== null) this.verticals(pen, [this.cursor], ink("soft"), [3, 3]);
    pen.restore();
    this.frame(pen, xTicks, yTicks, height);
  }

  px = (x: number): number => this.area.left + ((x - this.box.x0) / (this.box.x1 - this.box.x0)) * this.area.width;
  py = (y: number): number => this.area.top + ((this.box.y1 - y) / (this.box.y1 - this.box.y0)) * this.area.height;
  xAt = (px: number): number => this.box.x0 + ((px - this.area.left) / this.area.width) * (this.box.x1 - this.box.x0);
  yAt = (py: number): number => this.box.y1 - ((py - this.area.top) / this.area.height) * (this.box.y1 - this.box.y0);

  // What a click at a place of the canvas picks, if something is near.
  markAt(px: number, py: number, within = REACH): Mark | null {
    return pickAt(this.picture.layers, [px, py], (mark) => [this.px(mark.x), this.py(mark.y)], within);
  }

  private grid(pen: CanvasRenderingContext2D, xTicks: Tick[], yTicks: Tick[]): void {
    const { left, top, width, height } = this.area;
    pen.strokeStyle = ink("grid");
    pen.lineWidth = 1;
    pen.beginPath();
    for (const { at } of xTicks) {
      const x = Math.round(this.px(at)) + 0.5;
      pen.moveTo(x, top);
      pen.lineTo(x, top + height);
    }
    for (const { at } of yTicks) {
      const y = Math.round(this.py(at)) + 0.5;
      pen.moveTo(left, y);
      pen.lineTo(left + width, y);
    }
    pen.stroke();
  }

  private frame(pen: CanvasRenderingContext2D, xTicks: Tick[], yTicks: Tick[], total: number): void {
    const { left, top, width, height } = this.area;
    pen.strokeStyle = ink("frame");
    pen.lineWidth = 1;
    pen.strokeRect(Math.round(left) - 0.5, Math.round(top) - 0.5, Math.round(width) + 1, Math.round(height) + 1);
    pen.fillStyle = ink("text");
    pen.textBaseline = "middle";
    pen.textAlign = "right";
    let last = Infinity;
    for (const { at, label } of yTicks) {
      const y = this.py(at);
      if (Math.abs(y - last) < 13) continue;
      last = y;
      pen.fillText(label, left - 6, Math.min(Math.max(y, top + 5), top + height - 4));
    }
    if (this.bottomTicks) {
      pen.textBaseline = "top";
      pen.textAlign = "center";
      let end = -Infinity;
      for (const { at, label } of xTicks) {
        const half = pen.measureText(label).width / 2;
        const x = Math.min(Math.max(this.px(at), left + half - 8), left + width - half + 10);
        if (x - half < end + 8) continue;
        end = x + half;
        pen.fillText(label, x, top + height + 5);
      }
      pen.fillText(shortened(pen, labelOf(this.picture.x), width), left + width / 2, total - 16);
    }
    pen.save();
    pen.translate(10, top + height / 2);
    pen.rotate(-Math.PI / 2);
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillText(shortened(pen, labelOf(this.picture.y), total - 4), 0, 0);
    pen.restore();
  }

  private layer(pen: CanvasRenderingContext2D, layer: Layer, ratio: number): void {
    if (layer.kind === "line") this.line(pen, layer);
    else if (layer.kind === "cloud") this.points(pen, layer, ratio);
    else if (layer.kind === "track") return;
    else if (layer.kind === "arrows") this.arrows(pen, layer);
    else if (layer.kind === "image") this.image(pen, layer);
    else if (layer.kind === "verticals") this.verticals(pen, layer.at, colourOf(layer.colour), []);
    else if (layer.kind === "level") this.level(pen, layer.at, colourOf(layer.colour));
    else if (layer.kind === "bands") {
      pen.fillStyle = ink(layer.colour);
      for (const [from, to] of layer.bands) {
        const x = this.px(from);
        pen.fillRect(x, this.area.top, Math.max(0.5, this.px(to) - x), this.area.height);
      }
    } else {
      for (const mark of layer.marks) {
        const [x, y] = [this.px(mark.x), this.py(mark.y)];
        if (x > this.area.left - 9 && x < this.area.left + this.area.width + 9) drawMark(pen, layer.shape, x, y, layer.size, colourOf(layer.colour));
      }
    }
  }

  private line(pen: CanvasRenderingContext2D, layer: Extract<Layer, { kind: "line" }>): void {
    pen.strokeStyle = colourOf(layer.colour);
    pen.lineWidth = layer.width ?? 1.5;
    pen.lineJoin = "round";
    pen.setLineDash(layer.dash ?? []);
    pen.beginPath();
    let drawing = false;
    // Far outside, coordinates of canvases lose their digits.
    const near = (value: number): number => Math.min(Math.max(value, -1e5), 1e5);
    for (let i = 0; i < layer.x.length; i++) {
      const x = this.px(layer.x[i]!);
      const y = this.py(layer.y[i]!);
      if (Number.isNaN(x) || Number.isNaN(y)) drawing = false;
      else if (drawing) pen.lineTo(near(x), near(y));
      else {
        pen.moveTo(near(x), near(y));
        drawing = true;
      }
    }
    pen.stroke();
    pen.setLineDash([]);
  }

  private points(pen: CanvasRenderingContext2D, layer: Extract<Layer, { kind: "cloud" }>, ratio: number): void {
    const width = Math.round(this.area.width * ratio);
    const height = Math.round(this.area.height * ratio);
    if (this.counts.length !== width * height) this.counts = new Uint32Array(width * height);
    else this.counts.fill(0);
    const many = layer.x.length > 40000;
    const visible = countPoints(this.counts, layer.x, layer.y, { width, height, ...this.box }, many ? 1 : 2);
    if (this.cloud.width !== width || this.cloud.height !== height) {
      this.cloud.width = width;
      this.cloud.height = height;
    }
    const brush = this.cloud.getContext("2d", { willReadFrequently: true });
    if (!brush) return;
    const image = brush.createImageData(width, height);
    const single = Math.min(0.9, Math.max(0.35, (40 * width) / (visible + 1)));
    paint(new Uint32Array(image.data.buffer), this.counts, bytes(colourOf(layer.colour)), single);
    brush.putImageData(image, 0, 0);
    pen.imageSmoothingEnabled = false;
    pen.drawImage(this.cloud, this.area.left, this.area.top, this.area.width, this.area.height);
  }

  private image(pen: CanvasRenderingContext2D, { image, box }: Extract<Layer, { kind: "image" }>): void {
    pen.imageSmoothingEnabled = false;
    const [x, y] = [this.px(box.x0), this.py(box.y1)];
    pen.drawImage(image, x, y, this.px(box.x1) - x, this.py(box.y0) - y);
  }

  // Arrows of half the distance between neighbours, turned as the picture stretches both directions.
  private arrows(pen: CanvasRenderingContext2D, layer: Extract<Layer, { kind: "arrows" }>): void {
    const { width, height } = this.area;
    const [sx, sy] = [width / (this.box.x1 - this.box.x0), height / (this.box.y1 - this.box.y0)];
    const length = Math.min(16, 0.6 * Math.sqrt((width * height) / Math.max(1, layer.x.length)));
    pen.strokeStyle = colourOf(layer.colour);
    pen.lineWidth = 1;
    pen.beginPath();
    for (let i = 0; i < layer.x.length; i++) {
      const [u, v] = [layer.u[i]! * sx, -layer.v[i]! * sy];
      const size = Math.hypot(u, v);
      if (!(size > 0) || !Number.isFinite(size)) continue;
      const [dx, dy] = [(u / size) * length, (v / size) * length];
      const [x, y] = [this.px(layer.x[i]!), this.py(layer.y[i]!)];
      const [hx, hy] = [x + dx / 2, y + dy / 2];
      pen.moveTo(x - dx / 2, y - dy / 2);
      pen.lineTo(hx, hy);
      pen.lineTo(hx - 0.3 * dx - 0.18 * dy, hy - 0.3 * dy + 0.18 * dx);
      pen.moveTo(hx, hy);
      pen.lineTo(hx - 0.3 * dx + 0.18 * dy, hy - 0.3 * dy - 0.18 * dx);
    }
    pen.stroke();
  }

  private verticals(pen: CanvasRenderingContext2D, at: number[], colour: string, dash: number[]): void {
    pen.strokeStyle = colour;
    pen.lineWidth = 1;
    pen.globalAlpha = 0.7;
    pen.setLineDash(dash);
    pen.beginPath();
    for (const value of at) {
      const x = this.px(value);
      pen.moveTo(x, this.area.top);
      pen.lineTo(x, this.area.top + this.area.height);
    }
    pen.stroke();
    pen.globalAlpha = 1;
    pen.setLineDash([]);
  }

  private level(pen: CanvasRenderingContext2D, at: number, colour: string): void {
    pen.strokeStyle = colour;
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(this.area.left, this.py(at));
    pen.lineTo(this.area.left + this.area.width, this.py(at));
    pen.stroke();
  }
}

function ticksOf(axis: Axis, low: number, high: number, most: number): Tick[] {
  return (axis.log ? powers : ticks)(low, high, Math.max(2, Math.floor(most)));
}

function labelOf({ label, unit }: Axis): string {
  return unit ? `${label} (${unit})` : label;
}

// The text, cut where it is longer than there is room.
function shortened(pen: CanvasRenderingContext2D, text: string, room: number): string {
  if (pen.measureText(text).width <= room) return text;
  let length = text.length;
  while (length > 1 && pen.measureText(`${text.slice(0, length)}…`).width > room) length -= 1;
  return `${text.slice(0, length)}…`;
}

function equal(box: Box, area: Area): Box {
  const scale = Math.max((box.x1 - box.x0) / area.width, (box.y1 - box.y0) / area.height) / 2;
  const [x, y] = [(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2];
  return { x0: x - scale * area.width, x1: x + scale * area.width, y0: y - scale * area.height, y1: y + scale * area.height };
}
