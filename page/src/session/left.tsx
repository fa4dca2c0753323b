// Says what closed tabs have left at this address, and what could not be kept or restored.
import type { JSX } from "preact";
import { many } from "../draw/numbers";
import { useSignal } from "../parts/signal";
import { leaveOut, open } from "./files";
import { forget, left, notKept } from "./keep";
import { opening } from "./view";

export function Left(): JSX.Element {
  const found = useSignal(left);
  const trouble = useSignal(notKept);
  const busy = useSignal(opening);
  return (
    <>
      {trouble && <p class="notice bad" data-test="not-kept">{trouble}</p>}
      {busy && <p class="notice" data-test="opening">The session is being opened. <button type="button" class="link" data-test="leave-out" onClick={leaveOut}>Leave out the rest</button></p>}
      {found.map(({ key, work }) => (
        <p class="notice left" key={key} data-test="left">
          A closed page left work on <b>{work.session.model.name}</b>: {many(work.session.requests.length, "question")}{work.typed !== work.original ? ", edits of the model" : ""}, {new Date(work.when).toLocaleString()}.{" "}
          <button type="button" class="link" data-test="left-open" disabled={busy} onClick={() => {
            forget(key);
            void open(work.session, work);
          }}>Open it here</button>{" "}
          <button type="button" class="link" data-test="left-forget" onClick={() => forget(key)}>Forget it</button>
        </p>
      ))}
    </>
  );
}
