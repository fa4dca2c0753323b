// A value that tells who listens when it changes, and a hook that draws a component again.
import { useEffect, useReducer } from "preact/hooks";

export class Signal<T> {
  private listeners = new Set<() => void>();

  constructor(private held: T) {}

  get value(): T {
    return this.held;
  }

  set value(next: T) {
    if (Object.is(next, this.held)) return;
    this.held = next;
    for (const listener of [...this.listeners]) listener();
  }

  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

export function useSignal<T>(signal: Signal<T>): T {
  const [, draw] = useReducer<number, void>((count) => count + 1, 0);
  useEffect(() => {
    draw();
    return signal.listen(() => draw());
  }, [signal]);
  return signal.value;
}
