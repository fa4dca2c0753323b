// Watches whether the server lives: an open stream of events; when it breaks, tries again every two seconds.
import { Signal } from "../parts/signal";
import { newLife } from "./ask";
import { json } from "./http";
import type { Begin } from "./types";

export const gone = new Signal(false);
const AGAIN = 2000;

export function watch(recovered: (begin: Begin) => void): void {
  const source = new EventSource("alive");
  source.onerror = () => {
    source.close();
    gone.value = true;
    setTimeout(() => void retry(recovered), AGAIN);
  };
}

async function retry(recovered: (begin: Begin) => void): Promise<void> {
  try {
    const begin = await json<Begin>("begin");
    newLife();
    gone.value = false;
    recovered(begin);
    watch(recovered);
  } catch {
    setTimeout(() => void retry(recovered), AGAIN);
  }
}
