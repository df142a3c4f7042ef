// Loading of a profile: a bar per file with speed, events so far and the current stage. Shown in the content
// while the open profile loads, and behind the top bar's badge while others do.
import type { SpanState } from "../api/types";
import { translate } from "../base/translate";
import { fill, grouped, words } from "../base/words";
import { formatAlone } from "../base/units";

const kListed = 40;

function stageText(span: SpanState): string {
  if (span.status === "queued" && (span.stage ?? "queued") === "queued") return words.queued;
  if (span.status === "ready") return words.ready;
  if (span.status === "failed") return span.error?.message ?? words.failed;
  return span.stage === undefined ? words.loading : translate(span.stage);
}

export function FileProgress({ span }: { span: SpanState }) {
  const total = span.bytes_total ?? 0;
  const done = span.status === "ready" ? total : Math.min(span.bytes_done ?? 0, total || Infinity);
  const share = span.status === "ready" ? 1 : total > 0 ? done / total : 0;
  const speed = span.status === "reading" ? (span.megabytes_per_second ?? 0) : 0;
  return (
    <div class={`file file-${span.status}`} data-file={span.file}>
      <div class="file-line">
        <span class="file-name code" data-tip={span.file}>
          {span.file}
        </span>
        <span class="file-stage">{stageText(span)}</span>
        <span class="file-number">
          {speed > 0 ? fill(words.megabytesPerSecond, { n: speed.toFixed(0) }) : ""}
        </span>
        <span class="file-number">
          {span.events ? fill(words.eventsSoFar, { n: grouped(span.events) }) : ""}
        </span>
        <span class="file-number">
          {total > 0 ? `${formatAlone(done, "bytes")} / ${formatAlone(total, "bytes")}` : ""}
        </span>
      </div>
      <div
        class="progress"
        role="progressbar"
        aria-valuenow={Math.round(share * 100)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-label={span.file}
      >
        <i style={{ width: `${(share * 100).toFixed(1)}%` }} />
      </div>
    </div>
  );
}

/** Files being read first, then those waiting, then the rest; at most forty are listed. */
export function FileList({ spans }: { spans: SpanState[] }) {
  const rank = { reading: 0, queued: 1, failed: 2, ready: 3 };
  const listed = [...spans].sort((a, b) => rank[a.status] - rank[b.status]).slice(0, kListed);
  return (
    <div class="files">
      {listed.map((span) => (
        <FileProgress key={span.file} span={span} />
      ))}
      {spans.length > kListed && <p class="muted">{`… ${grouped(spans.length - kListed)}`}</p>}
    </div>
  );
}

export function LoadingState({ spans }: { spans: SpanState[] }) {
  return (
    <div class="state wide" aria-busy="true" data-state="loading">
      <h1>{words.loadingView}</h1>
      <FileList spans={spans} />
    </div>
  );
}
