// The frame of the page: headline, values on one side, the panel in front on the other.
import type { JSX } from "preact";
import { choice, isDark } from "./draw/theme";
import { ModelPanel } from "./model/editor";
import { Gallery } from "./model/gallery";
import { mistakes, system } from "./model/state";
import { Values } from "./model/values";
import { PANELS } from "./panels/all";
import { useSignal } from "./parts/signal";
import { gone } from "./server/alive";
import { SessionButtons } from "./session/buttons";
import { Left } from "./session/left";
import { tab } from "./session/view";

export function App(): JSX.Element {
  const own = useSignal(system);
  const front = useSignal(tab);
  const ended = useSignal(gone);
  const wrong = useSignal(mistakes);
  const dark = useSignal(isDark);
  const panels = [{ id: "model", title: "Model", Panel: ModelPanel }, ...PANELS];
  const now = panels.find((one) => one.id === front) ?? panels[0]!;
  const step = (event: KeyboardEvent): void => {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!way) return;
    const next = panels[(panels.indexOf(now) + way + panels.length) % panels.length]!;
    tab.value = next.id;
    document.getElementById(`tab-${next.id}`)?.focus();
  };
  return (
    <>
      <header>
        <h1 title="Saltation explore"><span class="name" data-test="title">{own?.title ?? own?.name ?? "Saltation"}</span></h1>
        <Gallery />
        <SessionButtons />
        <button type="button" class="quiet" data-test="theme" aria-label={dark ? "Light page" : "Dark page"} title={dark ? "Light page" : "Dark page"} onClick={() => (choice.value = dark ? "light" : "dark")}>{dark ? "☀" : "☾"}</button>
      </header>
      {ended && <p class="banner" role="alert" data-test="gone">The server has ended, so nothing can be computed. The page tries again every 2 s.</p>}
      <Left />
      <div class="columns">
        <Values />
        <main>
          <div class="tabs" role="tablist" aria-label="Panels" onKeyDown={step}>
            {panels.map(({ id, title }) => (
              <button key={id} id={`tab-${id}`} type="button" role="tab" aria-selected={id === now.id} tabIndex={id === now.id ? 0 : -1} data-test={`tab-${id}`} class={id === now.id ? "on" : ""} onClick={() => (tab.value = id)}>
                {title}{id === "model" && wrong.length > 0 && <span class="bad" aria-label="has mistakes"> •</span>}
              </button>
            ))}
          </div>
          {wrong.length > 0 && now.id !== "model" && <p class="notice bad" data-test="model-wrong">The model has a mistake: {wrong[0]?.message}. <button type="button" class="link" onClick={() => (tab.value = "model")}>Show it</button></p>}
          <div role="tabpanel" aria-labelledby={`tab-${now.id}`}><now.Panel /></div>
        </main>
      </div>
    </>
  );
}
