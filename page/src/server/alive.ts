// Watches whether the server lives: asks every two seconds. A browser gives a server few connections, so that none is held for this.
import { Signal } from "../parts/signal";
import { newLife } from "./ask";
import { json } from "./http";
import type { Begin } from "./types";

export const gone = new Signal(false);
const AGAIN = 2000;

// `recovered` is called when another server answers at the same address.
export function watch(recovered: (begin: Begin) => void): void {
  let known: string | null = null;
  const look = async (): Promise<void> => {
    try {
      const { life } = await json<{ life: string }>("alive");
      if (known !== null && life !== known) {
        const begin = await json<Begin>("begin");
        newLife();
        recovered(begin);
      }
      known = life;
      gone.value = false;
    } catch {
      gone.value = true;
    }
    setTimeout(() => void look(), AGAIN);
  };
  void look();
}
