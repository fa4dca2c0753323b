// A plane on the page: wheel and drag magnify, shift and drag moves, keys do both, a double click shows all; a click picks.
import { useEffect, useRef, useState } from "preact/hooks";
import type { JSX } from "preact";
import { Signal, useSignal } from "../parts/signal";
import type { Box, Mark, Picture } from "./layers";
import { full, short } from "./numbers";
import { Plane } from "./plane";
import { isDark } from "./theme";
import { exposed, frames } from "../parts/measured";

export interface Shown {
  picture: Picture;
  height: number;
  name: string;
  // What is shown is kept here, so that it survives and can be shared; null shows all.
  view?: Signal<Box | null>;
  // Planes of a stack share the abscissa of the view and of the pointer.
  shared?: Signal<[number, number] | null>;
  cursor?: Signal<number | null>;
  left?: Signal<number>;
  bottomTicks?: boolean;
  onPick?: (mark: Mark) => void;
  onClick?: (x: number, y: number) => void;
  hint?: string;
}

type Drag = { x: number; y: number; toX: number; toY: number; moves: boolean; box: Box };

export function PlaneView(props: Shown): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  const room = useRef<HTMLDivElement>(null);
  const plane = useRef<Plane | null>(null);
  const wanted = useRef(0);
  const drag = useRef<Drag | null>(null);
  const [own] = useState(() => new Signal<Box | null>(null));
  const [selection, select] = useState<{ left: number; top: number; width: number; height: number } | null>(null);
  const [read, setRead] = useState<{ words: string; title: string } | null>(null);
  const view = props.view ?? own;
  const shown = useSignal(view);
  const dark = useSignal(isDark);

  const draw = (): void => {
    wanted.current = 0;
    const at = room.current;
    const it = plane.current;
    if (!at || !it || at.clientWidth === 0) return;
    const begin = performance.now();
    it.picture = props.picture;
    it.view = view.value;
    if (props.shared?.value) it.view = { ...(view.value ?? it.all()), x0: props.shared.value[0], x1: props.shared.value[1] };
    it.cursor = props.cursor?.value ?? null;
    it.leftLeast = props.left?.value ?? 0;
    it.bottomTicks = props.bottomTicks ?? true;
    it.draw(at.clientWidth, props.height);
    frames(props.name, performance.now() - begin);
    if (props.left && it.leftWanted > props.left.value) props.left.value = it.leftWanted;
  };
  const latest = useRef(draw);
  latest.current = draw;
  const later = (): void => {
    if (!wanted.current) wanted.current = requestAnimationFrame(() => latest.current());
  };

  useEffect(() => {
    plane.current = new Plane(canvas.current!);
    exposed(`places-${props.name}`, () => plane.current && { ...plane.current.area, ...plane.current.box });
    const observer = new ResizeObserver(later);
    observer.observe(room.current!);
    const stops = [props.cursor, props.shared, props.left].map((one) => one?.listen(later));
    // The page must not scroll while the wheel magnifies; only a listener that is not passive can say so.
    const wheel = (event: WheelEvent): void => {
      event.preventDefault();
      const at = place(event);
      zoom(at.x, at.y, Math.exp(Math.max(-1, Math.min(1, event.deltaY * 0.002))));
    };
    canvas.current!.addEventListener("wheel", wheel, { passive: false });
    return () => {
      observer.disconnect();
      for (const stop of stops) stop?.();
      cancelAnimationFrame(wanted.current);
    };
  }, []);
  useEffect(later, [props.picture, shown, dark, props.height, props.bottomTicks]);

  const place = (event: { clientX: number; clientY: number }): { x: number; y: number } => {
    const edge = canvas.current!.getBoundingClientRect();
    return { x: event.clientX - edge.left, y: event.clientY - edge.top };
  };
  const show = (box: Box | null): void => {
    if (box && !(box.x1 - box.x0 > 1e-14 * Math.max(Math.abs(box.x0), Math.abs(box.x1)) && box.y1 - box.y0 > 1e-14 * Math.max(Math.abs(box.y0), Math.abs(box.y1)))) return;
    if (props.shared) {
      props.shared.value = box && [box.x0, box.x1];
      later();
    } else view.value = box;
  };
  const zoom = (px: number, py: number, factor: number): void => {
    const it = plane.current!;
    const [x, y] = [it.xAt(px), it.yAt(py)];
    const { x0, x1, y0, y1 } = it.box;
    show({ x0: x + (x0 - x) * factor, x1: x + (x1 - x) * factor, y0: y + (y0 - y) * factor, y1: y + (y1 - y) * factor });
  };
  const shift = (dx: number, dy: number): void => {
    const { x0, x1, y0, y1 } = plane.current!.box;
    const [w, h] = [dx * (x1 - x0), dy * (y1 - y0)];
    show({ x0: x0 + w, x1: x1 + w, y0: y0 + h, y1: y1 + h });
  };
  const down = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    canvas.current!.setPointerCapture(event.pointerId);
    const { x, y } = place(event);
    drag.current = { x, y, toX: x, toY: y, moves: event.shiftKey, box: { ...plane.current!.box } };
  };
  const move = (event: PointerEvent): void => {
    const { x, y } = place(event);
    const it = plane.current!;
    const at = drag.current;
    if (at) {
      at.toX = x;
      at.toY = y;
      if (at.moves) {
        const [dx, dy] = [((at.x - x) / it.area.width) * (at.box.x1 - at.box.x0), ((y - at.y) / it.area.height) * (at.box.y1 - at.box.y0)];
        show({ x0: at.box.x0 + dx, x1: at.box.x1 + dx, y0: at.box.y0 + dy, y1: at.box.y1 + dy });
      } else if (Math.hypot(x - at.x, y - at.y) > 4) {
        const whole = Boolean(props.shared);
        select({ left: Math.min(x, at.x), width: Math.abs(x - at.x), top: whole ? it.area.top : Math.min(y, at.y), height: whole ? it.area.height : Math.abs(y - at.y) });
      }
    }
    const mark = it.markAt(x, y);
    const [vx, vy] = [it.xAt(x), it.yAt(y)];
    const value = (v: number, log?: boolean): number => (log ? 10 ** v : v);
    const [a, b] = [value(vx, props.picture.x.log), value(vy, props.picture.y.log)];
    setRead({ words: mark ? mark.title : `${short(a, 5)}, ${short(b, 5)}`, title: `${full(a)}, ${full(b)}` });
    if (props.cursor) props.cursor.value = vx >= it.box.x0 && vx <= it.box.x1 ? vx : null;
  };
  const up = (event: PointerEvent): void => {
    const at = drag.current;
    drag.current = null;
    select(null);
    if (!at) return;
    const { x, y } = place(event);
    const it = plane.current!;
    const [w, h] = [Math.abs(x - at.x), Math.abs(y - at.y)];
    if (w <= 4 && h <= 4) {
      const mark = it.markAt(x, y, event.pointerType === "touch" ? 20 : undefined);
      if (mark && mark.pick !== undefined) props.onPick?.(mark);
      else props.onClick?.(it.xAt(x), it.yAt(y));
    } else if (!at.moves) {
      const xs = [it.xAt(at.x), it.xAt(x)].sort((a, b) => a - b) as [number, number];
      const ys = [it.yAt(at.y), it.yAt(y)].sort((a, b) => a - b) as [number, number];
      // A drag along one direction magnifies that one only.
      show({ x0: w > 8 ? xs[0] : it.box.x0, x1: w > 8 ? xs[1] : it.box.x1, y0: h > 8 ? ys[0] : it.box.y0, y1: h > 8 ? ys[1] : it.box.y1 });
    }
  };
  const key = (event: KeyboardEvent): void => {
    const { left, top, width, height } = plane.current!.area;
    const centre: [number, number] = [left + width / 2, top + height / 2];
    const keys: Record<string, () => void> = {
      "+": () => zoom(...centre, 0.8),
      "=": () => zoom(...centre, 0.8),
      "-": () => zoom(...centre, 1.25),
      "0": () => show(null),
      ArrowLeft: () => shift(-0.1, 0),
      ArrowRight: () => shift(0.1, 0),
      ArrowUp: () => shift(0, 0.1),
      ArrowDown: () => shift(0, -0.1),
    };
    const doing = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
    if (!doing) return;
    event.preventDefault();
    doing();
  };

  const magnified = props.shared ? props.shared.value !== null : shown !== null;
  return (
    <div class="plane" ref={room} style={{ height: `${props.height}px` }} data-test={`plane-${props.name}`}>
      <canvas
        ref={canvas}
        style={{ height: `${props.height}px` }}
        tabIndex={0}
        role="img"
        aria-label={`${props.hint ?? props.name}. Keys + and − magnify, arrows move, 0 shows all.`}
        onPointerDown={down}
        onPointerMove={move}
        onPointerUp={up}
        onPointerCancel={() => {
          drag.current = null;
          select(null);
        }}
        onPointerLeave={() => {
          setRead(null);
          if (props.cursor) props.cursor.value = null;
        }}
        onDblClick={() => show(null)}
        onKeyDown={key}
      />
      {selection && <div class="selection" style={Object.fromEntries(Object.entries(selection).map(([name, value]) => [name, `${value}px`]))} />}
      {read && <output class="read" title={read.title}>{read.words}</output>}
      {magnified && props.bottomTicks !== false && (
        <button class="all" type="button" onClick={() => show(null)} data-test={`all-${props.name}`}>Show all</button>
      )}
    </div>
  );
}
