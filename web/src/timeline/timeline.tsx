// The timeline panel: asks for the lanes, then holds the toolbar, the canvases with the lane names beside
// them, and the details. The address is the state: what the reader does is written there, and what Back
// or a link puts there is taken over.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { fetchTimeline, type Profile, type TimelineInfo } from "../api/timeline";
import { adjust, go, place as placeAtom } from "../base/history";
import { withPage } from "../base/place";
import { theme as themeAtom } from "../base/settings";
import { words } from "../base/words";
import { useAtom, useSize } from "../widgets/hooks";
import { Controller } from "./controller";
import { Details } from "./details";
import { kMinimap, kRuler } from "./draw_head";
import { Frames } from "./frame";
import { addGestures } from "./gestures";
import { hoverText } from "./hover_text";
import { LaneNames } from "./names";
import { readState, writeState } from "./state";
import { addDeselect, addTimelineKeys } from "./timeline_keys";
import { Toolbar } from "./toolbar";

interface Props {
  stateKey: string;
  enlarged: boolean;
}

/** Lane names are drawn anew when the list has scrolled by this much. */
const kScrollStep = 200;

export function Timeline({ stateKey, enlarged }: Props) {
  const { run, worker, span } = useAtom(placeAtom);
  const [info, setInfo] = useState<TimelineInfo | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const leave = new AbortController();
    setError(null);
    setInfo(null);
    fetchTimeline({ run, worker, span }, leave.signal).then(setInfo, (failure: Error) => {
      if (failure.name !== "AbortError") setError(failure);
    });
    return () => leave.abort();
  }, [run, worker, span, attempt]);
  const profile = useMemo(() => ({ run, worker, span }), [run, worker, span]);
  const lanes = info?.groups.reduce((n, group) => n + group.lanes.length, 0);
  if (lanes === 0) return <p class="panel-empty">{words.timeline.empty}</p>;
  return (
    <div class={enlarged ? "timeline big" : "timeline"}>
      {error && (
        <div class="state" role="alert">
          <h2>{words.timeline.failed}</h2>
          <p>{error.message}</p>
          <button class="button" onClick={() => setAttempt((n) => n + 1)}>
            {words.retry}
          </button>
        </div>
      )}
      {info && <Loaded key={attempt} info={info} profile={profile} stateKey={stateKey} />}
    </div>
  );
}

/** A slice named by a link of another view ("slice" among the parameters) is chosen at the beginning. */
function firstState(stateKey: string) {
  const { page, parameters } = placeAtom.get();
  const state = readState(page, stateKey);
  const named = parameters.slice ?? "";
  return state.slice === null && /^\d+$/.test(named) ? { ...state, slice: Number(named) } : state;
}

function Loaded({ info, profile, stateKey }: { info: TimelineInfo; profile: Profile; stateKey: string }) {
  const written = useRef("");
  const [timeline] = useState(() => {
    const write = (state: ReturnType<typeof readState>, how: "go" | "adjust") => {
      const page = writeState(state, stateKey);
      written.current = JSON.stringify(page);
      const next = withPage(placeAtom.get(), page);
      if (how === "go") go(next);
      else adjust(() => next);
    };
    written.current = JSON.stringify(writeState(readState(placeAtom.get().page, stateKey), stateKey));
    return new Controller(profile, info, firstState(stateKey), write);
  });
  useAtom(timeline.changed);
  const place = useAtom(placeAtom);
  const theme = useAtom(themeAtom);
  const [box, size] = useSize<HTMLDivElement>();
  const [scrolled, setScrolled] = useState(0);
  const lanesRef = useRef<HTMLCanvasElement>(null);
  const headRef = useRef<HTMLCanvasElement>(null);
  const shownRef = useRef<HTMLDivElement>(null);
  const tipRef = useRef<HTMLDivElement>(null);
  const frames = useRef<Frames | null>(null);

  useLayoutEffect(() => {
    const [lanes, head, tip, shown] = [lanesRef, headRef, tipRef, shownRef].map((ref) => ref.current) as [
      HTMLCanvasElement | null,
      HTMLCanvasElement | null,
      HTMLDivElement | null,
      HTMLDivElement | null,
    ];
    if (!lanes || !head || !tip || !shown) return;
    frames.current = new Frames(timeline, { lanes, head, shown }, themeAtom.get());
    timeline.scrollTo = (top) => {
      if (box.current) box.current.scrollTop = top;
    };
    const endGestures = addGestures(timeline, lanes, head, (hit, x, y) => {
      tip.style.visibility = hit ? "visible" : "hidden";
      if (!hit) return;
      tip.textContent = hoverText(hit);
      const flip = x + 16 + tip.offsetWidth > timeline.width;
      const under = y + 20 + tip.offsetHeight <= timeline.height;
      tip.style.left = `${lanes.offsetLeft + Math.max(0, flip ? x - tip.offsetWidth - 10 : x + 14)}px`;
      tip.style.top = `${timeline.scrollTop + (under ? y + 18 : Math.max(0, y - tip.offsetHeight - 8))}px`;
    });
    const endKeys = addTimelineKeys(timeline);
    return () => {
      endGestures();
      endKeys();
      frames.current?.leave();
      timeline.leave();
    };
  }, [timeline]);
  useEffect(() => frames.current?.setTheme(theme), [theme]);
  useLayoutEffect(() => {
    const lanes = lanesRef.current;
    if (!lanes) return;
    timeline.width = lanes.clientWidth;
    timeline.height = size.height;
    timeline.draw();
  }, [size.width, size.height]);
  useEffect(() => {
    // The place of now, not of the render: a late effect must not bring an older place back.
    const now = readState(placeAtom.get().page, stateKey);
    const text = JSON.stringify(writeState(now, stateKey));
    const own = JSON.stringify(writeState(timeline.state, stateKey));
    if (text !== written.current && text !== own) timeline.accept(now);
    written.current = text;
  }, [place]);
  const { slice, range } = timeline.state;
  const something = slice !== null || range !== null;
  useEffect(() => (something ? addDeselect(timeline) : undefined), [timeline, something]);

  const tall = kMinimap + kRuler + timeline.stepBar;
  return (
    <>
      <Toolbar timeline={timeline} />
      <div class="timeline-head">
        <div class="timeline-shown" ref={shownRef} />
        <canvas
          ref={headRef}
          role="img"
          aria-label={words.timeline.overview}
          style={{ width: "100%", height: `${tall}px` }}
        />
      </div>
      <div
        class="timeline-body"
        ref={box}
        onScroll={(event) => {
          timeline.scrollTop = event.currentTarget.scrollTop;
          setScrolled(Math.floor(timeline.scrollTop / kScrollStep));
          timeline.draw();
        }}
      >
        <LaneNames
          layout={timeline.layout}
          top={scrolled * kScrollStep}
          height={size.height + kScrollStep}
          onToggle={(key) => timeline.toggle(key)}
        />
        <canvas
          ref={lanesRef}
          class="timeline-lanes"
          tabIndex={0}
          role="application"
          aria-label={words.timeline.title}
          style={{ height: `${size.height}px` }}
        />
        <div class="timeline-tip" ref={tipRef} role="tooltip" />
      </div>
      <Details timeline={timeline} />
    </>
  );
}
