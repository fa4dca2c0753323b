// What a panel gives to take home: its command, its Python, its JSON, and its picture by the library.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { download } from "../parts/download";
import { name } from "../model/state";
import { Signal } from "../parts/signal";
import { about } from "../server/ask";
import { json } from "../server/http";
import type { Ran } from "../server/job";

export const folder = new Signal<string | null>(null);

type Kind = "command" | "python" | "json";

export function TakeHome({ ran, how, test, picture: drawn = true }: { ran: Ran | null; how?: Record<string, unknown>; test: string; picture?: boolean }): JSX.Element | null {
  const [open, setOpen] = useState<Kind | null>(null);
  const [said, say] = useState<string | null>(null);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return undefined;
    const key = (event: KeyboardEvent): void => {
      if (event.key === "Escape") setOpen(null);
    };
    const click = (event: MouseEvent): void => {
      if (!place.current?.contains(event.target as Node)) setOpen(null);
    };
    document.addEventListener("keydown", key);
    document.addEventListener("mousedown", click);
    return () => {
      document.removeEventListener("keydown", key);
      document.removeEventListener("mousedown", click);
    };
  }, [open]);
  if (!ran) return null;
  const { answer } = ran;
  const words: Record<Kind, () => string> = {
    command: () => answer.command.join("\n"),
    python: () => answer.python,
    json: () => JSON.stringify(answer.answer, null, 1),
  };
  const file = `${name.value || "model"}-${answer.question}`;
  const names: Record<Kind, [string, string]> = { command: ["Command", `${file}.sh`], python: ["Python", `${file}.py`], json: ["JSON", `${file}.json`] };
  const save = async (named: string, data: Blob): Promise<void> => {
    download(named, data, data.type);
    if (!folder.value) return;
    try {
      const base64 = btoa(Array.from(new Uint8Array(await data.arrayBuffer()), (byte) => String.fromCharCode(byte)).join(""));
      const { path } = await json<{ path: string }>("save", { name: named, base64 });
      say(`saved as ${path}`);
    } catch (error) {
      say(error instanceof Error ? error.message : String(error));
    }
  };
  const picture = async (format: string): Promise<void> => {
    say(null);
    try {
      const response = await about("figure", { id: answer.id, format, how: how ?? {} });
      await save(`${file}.${format}`, await response.blob());
    } catch (error) {
      say(error instanceof Error ? error.message : String(error));
    }
  };
  const text = open ? words[open]() : "";
  return (
    <div class="take" ref={place} data-test={`take-${test}`}>
      {(["command", "python", "json"] as Kind[]).map((kind) => (
        <button key={kind} type="button" class="quiet" aria-expanded={open === kind} data-test={`take-${test}-${kind}`} onClick={() => setOpen(open === kind ? null : kind)}>{names[kind][0]}</button>
      ))}
      {(drawn ? ["svg", "png", "pdf"] : []).map((format) => (
        <button key={format} type="button" class="quiet" title={`The picture of the library as ${format.toUpperCase()}`} data-test={`take-${test}-${format}`} onClick={() => void picture(format)}>{format.toUpperCase()}</button>
      ))}
      {said && <span class="soft" role="status">{said}</span>}
      {open && (
        <div class="popover" role="dialog" aria-label={names[open][0]}>
          <div class="row">
            <button type="button" autofocus data-test={`copy-${test}`} onClick={() => void navigator.clipboard.writeText(text).then(() => say("copied"), () => say("the browser does not allow copying; select the text"))}>Copy</button>
            <button type="button" onClick={() => void save(names[open][1], new Blob([text], { type: "text/plain" }))}>Save</button>
            <button type="button" class="link" onClick={() => setOpen(null)}>Close</button>
          </div>
          <pre data-test={`text-${test}`} tabIndex={0}>{text.length > 200000 ? `${text.slice(0, 200000)}\n… ${text.length - 200000} more characters; Copy and Save have all` : text}</pre>
        </div>
      )}
    </div>
  );
}
