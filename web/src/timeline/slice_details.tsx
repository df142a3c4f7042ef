// Details of the selected slice. Facts at the left, related slices at the right, each a link to that slice;
// rows of other views that count it; the recorded event, folded. All of it is text.
import { errorText } from "../api/client";
import { spokenSlice } from "../api/spoken";
import type { Related, SliceDetail, SliceFact, SliceLink } from "../api/timeline";
import { go, place } from "../base/history";
import { shortenName } from "../base/names";
import { inView, kFind } from "../base/place";
import { exactText, formatAlone, kUnknown } from "../base/units";
import { words } from "../base/words";
import { parseFrame } from "../base/source_links";
import { copyText } from "../widgets/copy";
import { isStack, StackText } from "../widgets/source_text";
import { timeText } from "./axis";
import type { Controller } from "./controller";
import { kindWord, startText } from "./hover_text";
import { counterKey } from "./lane_list";

interface Line {
  label: string;
  text: string;
  tip?: string;
  code?: boolean;
}

/** Characters; a narrower page also cuts the end off. */
const kNameWidth = 46;
const kLabelWidth = 20;
const kMostEvent = 20_000;

function factLine(fact: SliceFact): Line {
  const { label, text, value, unit = "none" } = fact;
  if (text !== undefined) return { label, text, code: true };
  if (value === undefined || value === null) return { label, text: kUnknown };
  return { label, text: formatAlone(value, unit), tip: exactText(value, unit) };
}

function ownLines(timeline: Controller, detail: SliceDetail, lane: string): Line[] {
  const { duration, start, kind } = detail;
  const { axis } = timeline;
  const say = words.timeline;
  const relative = axis.mode === "start" ? [] : [{ label: say.axes[axis.mode], text: timeText(axis, start) }];
  return [
    { label: say.duration, text: formatAlone(duration, "ns"), tip: exactText(duration, "ns") },
    { label: say.start, text: startText(start, duration), tip: exactText(start, "ns") },
    ...relative,
    { label: say.kind, text: kindWord(kind) },
    ...(parseFrame(detail.name) ? [{ label: say.source, text: detail.name, code: true }] : []),
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
                onClick={() => timeline.goTo(other)}
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

/** Counters that the facts of the slice name, for example the semaphore that it waited for: a click pins one
 * above the lanes. */
function NamedCounters({ lines, timeline }: { lines: Line[]; timeline: Controller }) {
  const texts = lines.flatMap(({ text, code }) => (code ? [text] : []));
  const named = timeline.info.groups
    .flatMap(({ counters }) => counters)
    .filter(({ title }) => texts.some((text) => text.includes(title)));
  if (named.length === 0) return null;
  return (
    <p class="timeline-links">
      <span class="muted">{words.timeline.namedCounters}</span>
      {named.map(({ counter, title }) => (
        <button
          key={counter}
          class="link code"
          data-tip={words.timeline.pinCounter}
          data-counter={counter}
          onClick={() => timeline.lanes.pin(counterKey(counter))}
        >
          {title}
        </button>
      ))}
    </p>
  );
}

/** Rows of other views that count this slice: a history entry, from which Back returns. */
function Links({ links }: { links: SliceLink[] }) {
  if (links.length === 0) return null;
  const follow = ({ view, parameters, find }: SliceLink) => {
    const to = inView(place.get(), view, parameters);
    go(find === undefined ? to : { ...to, page: { [kFind]: find } });
  };
  return (
    <p class="timeline-links">
      <span class="muted">{words.timeline.seeIn}</span>
      {links.map((link) => (
        <button key={link.title} class="link" data-view={link.view} onClick={() => follow(link)}>
          {link.title}
        </button>
      ))}
    </p>
  );
}

export function SliceDetails({ timeline }: { timeline: Controller }) {
  const { detail: answer, error } = timeline.selection;
  if (error) {
    return (
      <p class="timeline-nothing" role="alert">
        {errorText(error)}
      </p>
    );
  }
  const detail = answer && spokenSlice(answer);
  if (!detail || detail.slice !== timeline.state.slice)
    return <p class="timeline-nothing muted">{words.timeline.loadingSlice}</p>;
  const lane = timeline.info.groups.flatMap((g) => g.lanes).find((l) => l.lane === detail.lane);
  const own = ownLines(timeline, detail, lane?.title ?? String(detail.lane));
  const lines = [...own, ...detail.facts.map(factLine)];
  const isStackLine = ({ text, code }: Line) => code === true && isStack(text);
  const { event } = detail;
  return (
    <div class="timeline-columns">
      <div>
        <dl class="timeline-facts">
          {lines
            .filter((line) => !isStackLine(line))
            .map(({ label, text, tip, code }, i) => (
              <div key={i}>
                <dt data-tip={label.length > kLabelWidth ? label : undefined}>{label}</dt>
                <dd class={code ? "code" : undefined} data-tip={tip}>
                  {code ? <StackText text={text} /> : text}
                </dd>
              </div>
            ))}
        </dl>
        {event !== null && (
          <details class="timeline-event">
            <summary>{words.timeline.event}</summary>
            {/* Not parsed and written again, because numbers above 2^53 would change: it stays as recorded. */}
            <pre class="code">{event.length > kMostEvent ? `${event.slice(0, kMostEvent)}…` : event}</pre>
          </details>
        )}
        {detail.note && <p class="muted">{detail.note}</p>}
      </div>
      <div>
        <Links links={detail.links} />
        <NamedCounters lines={lines} timeline={timeline} />
        {lines.filter(isStackLine).map(({ label, text }) => (
          <section key={label} class="timeline-stack" aria-label={label}>
            <span class="muted">{label}</span>
            <div class="code">
              <StackText text={text} />
            </div>
          </section>
        ))}
        <RelatedList related={detail.related} timeline={timeline} />
        <p class="timeline-links">
          <button class="link" onClick={() => void copyText(detail.name)}>
            {words.copyName}
          </button>
          <button class="link" onClick={() => timeline.setText(detail.name)}>
            {words.timeline.searchName}
          </button>
        </p>
      </div>
    </div>
  );
}
