// Above the lanes: the search with its hits, what is selected by length, the step bands, and "show all".
import { useEffect, useRef, useState } from "preact/hooks";
import { fill, grouped, words } from "../base/words";
import { formatAlone } from "../base/units";
import { useDebounced } from "../widgets/hooks";
import { Icon } from "../widgets/icon";
import type { Controller } from "./controller";

function hitsText(timeline: Controller): string {
  if (!timeline.searched) return "";
  if (timeline.hitCount === 0) return words.timeline.noHits;
  const n = grouped(timeline.hitCount);
  return timeline.hitIndex < 0
    ? fill(words.timeline.hits, { n })
    : fill(words.timeline.hitOf, { i: grouped(timeline.hitIndex + 1), n });
}

export function Toolbar({ timeline }: { timeline: Controller }) {
  const [text, setText] = useState(timeline.state.text);
  const typed = useRef(false);
  const search = useDebounced((wanted: string) => {
    typed.current = false;
    timeline.setText(wanted);
  }, 180);
  useEffect(() => {
    if (!typed.current) setText(timeline.state.text);
  }, [timeline.state.text]);
  const { range, bands } = timeline.state;
  const none = timeline.hits.length === 0;
  return (
    <div class="timeline-bar">
      <input
        class="field timeline-search"
        type="search"
        data-search
        value={text}
        placeholder={words.timeline.searchHint}
        aria-label={words.timeline.searchHint}
        onInput={(event) => {
          typed.current = true;
          setText(event.currentTarget.value);
          search(event.currentTarget.value);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") timeline.nextHit(event.shiftKey ? -1 : 1);
          else if (event.key === "Escape") {
            event.preventDefault();
            event.currentTarget.blur();
          }
        }}
      />
      <button
        class="plain round"
        disabled={none}
        aria-label={words.timeline.previousHit}
        data-tip={words.timeline.previousHit}
        onClick={() => timeline.nextHit(-1)}
      >
        <span class="turned">
          <Icon name="chevron" />
        </span>
      </button>
      <button
        class="plain round"
        disabled={none}
        aria-label={words.timeline.nextHit}
        data-tip={words.timeline.nextHit}
        onClick={() => timeline.nextHit(1)}
      >
        <Icon name="chevron" />
      </button>
      <span class="timeline-hits muted" role="status">
        {hitsText(timeline)}
      </span>
      <span class="timeline-rest">
        {timeline.cache.error && (
          <span class="timeline-error">
            {fill(words.timeline.tilesFailed, { why: timeline.cache.error.message })}
          </span>
        )}
      </span>
      {range && (
        <span class="timeline-range">
          {words.timeline.range} {formatAlone(Math.round(range.end - range.start), "ns")}
        </span>
      )}
      {timeline.info.steps.length > 0 && (
        <label class="timeline-check" data-tip={words.timeline.bandsTip}>
          <input
            type="checkbox"
            checked={bands}
            onChange={(event) => timeline.setBands(event.currentTarget.checked)}
          />
          {words.timeline.bands}
        </label>
      )}
      <button class="plain text" data-tip={words.timeline.fitTip} onClick={() => timeline.fit()}>
        {words.timeline.fit}
      </button>
    </div>
  );
}
