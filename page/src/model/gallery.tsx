// The models that come with the program, to choose from.
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Signal, useSignal } from "../parts/signal";
import { json } from "../server/http";
import { check, name } from "./state";

interface Item {
  name: string;
  title: string;
  about: string;
}

const gallery = new Signal<Item[]>([]);

export function Gallery(): JSX.Element {
  const items = useSignal(gallery);
  const own = useSignal(name);
  useEffect(() => {
    if (!gallery.value.length) void json<Item[]>("gallery").then((found) => (gallery.value = found), () => undefined);
  }, []);
  const known = items.some((item) => item.name === own);
  return (
    <select class="gallery" data-test="gallery" aria-label="Model of the gallery" value={known ? own : ""} onChange={(event) => event.currentTarget.value && void check({ gallery: event.currentTarget.value }, event.currentTarget.value)}>
      {!known && <option value="">{own || "…"}</option>}
      {items.map((item) => (
        <option key={item.name} value={item.name} title={item.about}>{item.name}: {item.title}</option>
      ))}
    </select>
  );
}
