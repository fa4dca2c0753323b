// The session: the questions that were answered, with their commands, in the order in which they can be asked again.
import type { JSX } from "preact";
import { short } from "../../draw/numbers";
import { exposed } from "../../parts/measured";
import { useSignal } from "../../parts/signal";
import { plain } from "../../model/words";
import { ask } from "../../session/files";
import { entries, remove, session } from "../../session/requests";

exposed("session", () => session(null));

export function SessionPanel(): JSX.Element {
  const list = useSignal(entries);
  return (
    <section class="panel" aria-label="Session">
      <p class="soft">The list of requests is the session. Saved as a file it can be opened here again, or run without the page: <code>saltation explore --run FILE</code>. Of trajectories that follow the sliders the newest is kept. The file holds the present text of the model, of which all is asked again. The browser keeps this list, what is typed and the edits of the model as long as the page is open, and of a closed page for a month.</p>
      {!list.length && <p>Nothing has been asked yet.</p>}
      <ol class="requests" data-test="requests">
        {list.map(({ request, seconds, report, command, missing, live }) => (
          <li key={request.id}>
            <details>
              <summary><b>{request.question.replaceAll("_", " ")}</b>{request.from && <span class="soft"> from {list.findIndex((one) => one.request.id === request.from) + 1 || request.from}</span>} <code>{JSON.stringify(request.fields)}</code> <span class="soft">{missing ? "" : `${short(seconds, 3)} s`}</span>{missing && <b class="bad"> no answer: {missing}</b>}</summary>
              <pre tabIndex={0}>{command.join("\n")}</pre>
              <pre tabIndex={0}>{report.slice(0, 200).map((line) => plain(request.question, line)).join("\n")}</pre>
              <button type="button" data-test={`ask-${request.id}`} onClick={() => void ask(request, live)}>Ask again</button>
              <button type="button" onClick={() => remove(request.id)}>Remove from the list</button>
            </details>
          </li>
        ))}
      </ol>
    </section>
  );
}
