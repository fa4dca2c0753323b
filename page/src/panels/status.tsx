// What a question says while it runs and afterwards: progress with Stop, mistakes, warnings, and an ending that is not complete.
import type { JSX } from "preact";
import { short } from "../draw/numbers";
import { useSignal } from "../parts/signal";
import type { Job } from "../server/job";

export function Status({ job, test, quiet }: { job: Job; test: string; quiet?: boolean }): JSX.Element {
  const running = useSignal(job.running);
  const progress = useSignal(job.progress);
  const mistakes = useSignal(job.mistakes);
  const ran = useSignal(job.ran);
  return (
    <div class="status" data-test={`status-${test}`} role="status">
      {running && !quiet && (
        <div class="running">
          {progress?.share != null ? <progress value={progress.share} max="1" aria-label="Progress" /> : <progress aria-label="Progress" />}
          <span class="soft">{progress?.words ?? "computing"}{progress?.share != null ? `, ${Math.round(progress.share * 100)} %` : ""}</span>
          <button type="button" data-test={`stop-${test}`} onClick={() => void job.stop()}>Stop</button>
        </div>
      )}
      {mistakes.map((one, i) => (
        <p class="notice bad" key={i} data-test={`mistake-${test}`}>{one.field && !one.message.startsWith(one.field) ? <b>{one.field}: </b> : null}{one.message}{one.help && <span class="soft"> ({one.help})</span>}</p>
      ))}
      {!mistakes.length && ran && !running && (
        <>
          {!ran.answer.ending.complete && (
            <div class="notice" data-test={`ending-${test}`}>
              <b>Not complete.</b> {[...new Set([...ran.answer.ending.lines, ...(ran.answer.missing?.[1] ?? [])])].join(" ")}
            </div>
          )}
          {ran.answer.warnings.map((warning) => <p class="notice" key={warning}>{warning}</p>)}
        </>
      )}
    </div>
  );
}

export function Seconds({ job }: { job: Job }): JSX.Element | null {
  const ran = useSignal(job.ran);
  return ran ? <span class="soft seconds" title={`${ran.answer.seconds} s`}>{ran.answer.seconds < 1 ? `${short(ran.answer.seconds * 1000, 3)} ms` : `${short(ran.answer.seconds, 3)} s`}</span> : null;
}
