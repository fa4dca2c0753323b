// Save and open the session.
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { folder } from "../panels/take_home";
import { useSignal } from "../parts/signal";
import { openText, said, save } from "./files";
import { entries } from "./requests";
import { opening } from "./view";

export function SessionButtons(): JSX.Element {
  const file = useRef<HTMLInputElement>(null);
  const list = useSignal(entries);
  const words = useSignal(said);
  const busy = useSignal(opening);
  const place = useSignal(folder);
  return (
    <div class="session-buttons">
      <span class="soft" role="status" data-test="session-said">{words ?? ""}</span>
      <button type="button" class="quiet" data-test="session-save" disabled={!list.length} title={place ? `Saves the list of requests as a file, and into ${place}` : "Saves the list of requests as a file"} onClick={() => void save(place !== null)}>Save session</button>
      <button type="button" class="quiet" data-test="session-open" disabled={busy} onClick={() => file.current?.click()}>Open…</button>
      <input
        ref={file}
        type="file"
        accept=".json,application/json"
        data-test="session-file"
        aria-label="File of a session"
        hidden
        onChange={(event) => {
          const chosen = event.currentTarget.files?.[0];
          event.currentTarget.value = "";
          if (chosen) void chosen.text().then(openText);
        }}
      />
    </div>
  );
}
