// Below the lanes: what is known of the slice chosen. Facts at the left, related slices at the right,
// each a door that jumps there; the event as the trace has it in a fold. All of it is text.
import type { Related, SliceDetail } from "../api/timeline";
import type { Fact } from "../api/types";
import { shortenName } from "../base/names";
import { exactText, formatAlone, kUnknown } from "../base/units";
import { words } from "../base/words";
import { copyText } from "../widgets/copy";
import { Icon } from "../widgets/icon";
import type { Controller } from "./controller";
import { kindWord } from "./hover_text";

interface Line {
  label: string;
  text: string;
  tip?: string;
  code?: boolean;
}

/** Characters; a narrower page cuts the end off besides. */
const kNameWidth = 46;

function factLine(fact: Fact): Line {
  const { label, text, value, unit = "none", unknown } = fact;
  if (text !== undefined) return { label, text, code: true };
  if (value === undefined || value === null) return { label, text: kUnknown, tip: unknown };
  return { label, text: formatAlone(value, unit), tip: exactText(value, unit) };
}

function ownLines(detail: SliceDetail, lane: string): Line[] {
  const { duration, start, kind } = detail;
  const say = words.timeline;
  return [
    { label: say.duration, text: formatAlone(duration, "ns"), tip: exactText(duration, "ns") },
    { label: say.start, text: formatAlone(start, "ns"), tip: exactText(start, "ns") },
    { label: say.kind, text: kindWord(kind) },
    { label: say.laneFact, text: lane },
  ];
}

function RelatedList({ related, timeline }: { related: Related[]; timeline: Controller }) {
  const groups = new Map<string, Related[]>();
  for (const other of related) groups.set(other.relation, [...(groups.get(other.relation) ?? []), other]);
  const order = Object.keys(words.timeline.relations).filter((relation) => groups.has(relation));
  return (
    <dl class="timeline-related">
      {order.map((relation) => (
        <div key={relation}>
          <dt>{words.timeline.relations[relation]}</dt>
          {groups.get(relation)?.map((other) => (
            <dd key={other.slice}>
              <button
                class="link code"
                data-tip={other.name}
                data-code
                data-relation={relation}
                onClick={() =>
                  timeline.jumpTo({
                    slice: other.slice,
                    lane: other.lane,
                    start: other.start,
                    end: other.start + other.duration,
                  })
                }
              >
                {shortenName(other.name, kNameWidth)}
              </button>
              <span class="muted">{formatAlone(other.duration, "ns")}</span>
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
}

function pretty(event: string): string {
  // Numbers past 2^53 would change if the text were parsed and written again: it stays as recorded.
  return event.length > 20_000 ? event.slice(0, 20_000) + "…" : event;
}

export function Details({ timeline }: { timeline: Controller }) {
  const { detail, detailError, state } = timeline;
  if (state.slice === null)
    return <p class="timeline-details timeline-nothing muted">{words.timeline.nothingChosen}</p>;
  if (detailError) {
    return (
      <p class="timeline-details timeline-nothing" role="alert">
        {detailError.message}
      </p>
    );
  }
  if (!detail || detail.slice !== state.slice)
    return <p class="timeline-details timeline-nothing muted">{words.timeline.loadingSlice}</p>;
  const range = { start: detail.start, end: detail.start + detail.duration };
  const lane = timeline.info.groups.flatMap((g) => g.lanes).find((l) => l.lane === detail.lane);
  const lines = [...ownLines(detail, lane?.title ?? String(detail.lane)), ...detail.facts.map(factLine)];
  return (
    <section class="timeline-details" aria-label={words.timeline.details} data-slice={detail.slice}>
      <header>
        <h3 class="code" data-tip={detail.name} data-code>
          {detail.name}
        </h3>
        <button class="plain text" onClick={() => timeline.zoomTo(range)}>
          {words.timeline.zoomTo}
        </button>
        <button class="plain text" onClick={() => void copyText(detail.name)}>
          {words.copyName}
        </button>
        <button
          class="plain round"
          aria-label={words.timeline.close}
          data-tip={words.timeline.close}
          onClick={() => timeline.deselect()}
        >
          <Icon name="close" />
        </button>
      </header>
      <div class="timeline-columns">
        <div>
          <dl class="timeline-facts">
            {lines.map(({ label, text, tip, code }, i) => (
              <div key={i}>
                <dt>{label}</dt>
                <dd class={code ? "code" : undefined} data-tip={tip ?? (text.length > 60 ? text : undefined)}>
                  {text}
                </dd>
              </div>
            ))}
          </dl>
          {detail.event !== null && (
            <details class="timeline-event">
              <summary>{words.timeline.event}</summary>
              <pre class="code">{pretty(detail.event)}</pre>
            </details>
          )}
        </div>
        <RelatedList related={detail.related} timeline={timeline} />
      </div>
    </section>
  );
}
