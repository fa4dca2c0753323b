// The models to choose from: the own ones of this tab, and those that come with the program. The work on the one before is put aside, and is there when it is chosen again.
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Signal, useSignal } from "../parts/signal";
import { json } from "../server/http";
import { open } from "../session/files";
import { aside, namesAside, putAside } from "../session/keep";
import { check, name } from "./state";

interface Item {
  name: string;
  title: string;
  about: string;
}

const gallery = new Signal<Item[]>([]);

const known = (model: string): boolean => gallery.value.some((item) => item.name === model);

async function choose(model: string): Promise<void> {
  putAside(!known(name.value));
  const before = aside(model);
  if (before) await open(before.session, before);
  else await check({ gallery: model }, model);
}

export function Gallery(): JSX.Element {
  const items = useSignal(gallery);
  const own = useSignal(name);
  useEffect(() => {
    if (!gallery.value.length) void json<Item[]>("gallery").then((found) => (gallery.value = found), () => undefined);
  }, []);
  const others = [...new Set([own, ...namesAside()])].filter((model) => !known(model));
  return (
    <select class="gallery" data-test="gallery" aria-label="Model" value={own} onChange={(event) => event.currentTarget.value && void choose(event.currentTarget.value)}>
      {others.map((model) => <option key={model} value={model}>{model || "…"}</option>)}
      {items.map((item) => (
        <option key={item.name} value={item.name} title={item.about}>{item.name}: {item.title}</option>
      ))}
    </select>
  );
}
