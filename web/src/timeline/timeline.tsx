// The timeline panel: requests the lanes, then holds the toolbar, the canvases with the lane names beside them,
// and the details. The address is the state: user actions are written to it, and what Back or a link puts into
// it is taken over.
import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { inFile } from "../api/source";
import { spokenTimeline } from "../api/spoken";
import { fetchTimeline, type Profile, type TimelineInfo } from "../api/timeline";
import { adjust, go, place as placeAtom } from "../base/history";
import { language as languageAtom } from "../base/language";
import { withPage } from "../base/place";
import { settings as settingsAtom, theme as themeAtom } from "../base/settings";
import { words } from "../base/words";
import { useAtom, useSize } from "../widgets/hooks";
import { Controller } from "./controller";
import { Details, Divider, type DrawReport } from "./details";
import { kMinimap, kRuler } from "./draw_head";
import { FetchFailed, useFetched } from "./fetched";
import { Frames } from "./frame";
import { addGestures } from "./gestures";
import { HoverTip } from "./hover_tip";
import { Legend } from "./legend";
import { LanesBody } from "./lanes_body";
import { LaneFilter } from "./names";
import { Ranks } from "./ranks/ranks";
import { ranksAreOpen } from "./ranks/ranks_state";
import { readState, writeState, type ViewState } from "./state";
import { addDeselect, addTimelineKeys } from "./timeline_keys";
import { Toolbar } from "./toolbar";

interface Props {
  stateKey: string;
  drawReport: DrawReport;
  /** The "?" of the view. */
  help?: VNode;
}

/** Belongs to one profile: another profile has another timeline, and nothing of this one is written to it. */
export function Timeline(props: Props) {
  const { run, worker, span, page } = useAtom(placeAtom);
  const profile = useMemo(() => ({ run, worker, span }), [run, worker, span]);
  if (ranksAreOpen(page, props.stateKey) && !inFile())
    return (
      <Ranks key={JSON.stringify(profile)} profile={profile} stateKey={props.stateKey} help={props.help} />
    );
  return <OfProfile key={JSON.stringify(profile)} profile={profile} {...props} />;
}

function OfProfile({ profile, stateKey, drawReport, help }: Props & { profile: Profile }) {
  const { answer, error, attempt, again } = useFetched((signal) => fetchTimeline(profile, signal), profile);
  const language = useAtom(languageAtom);
  const info = useMemo(() => answer && spokenTimeline(answer), [answer, language]);
  const lanes = info?.groups.reduce((n, group) => n + group.lanes.length + group.counters.length, 0);
  if (lanes === 0) return <p class="panel-empty">{words.timeline.empty}</p>;
  return (
    <div class="timeline">
      <FetchFailed error={error} again={again} />
      {info && (
        <Loaded
          key={attempt}
          info={info}
          profile={profile}
          stateKey={stateKey}
          drawReport={drawReport}
          help={help}
        />
      )}
    </div>
  );
}

/** A slice or search that a link names ("slice", "search" among the parameters) is shown at the beginning. */
function firstState(stateKey: string): ViewState {
  const { page, parameters } = placeAtom.get();
  const state = readState(page, stateKey);
  const { slice = "", search = "" } = parameters;
  if (state.slice === null && /^\d+$/.test(slice)) state.slice = Number(slice);
  if (state.text === "") state.text = search;
  return state;
}

/** The controller, bound to the address under `stateKey`. */
function useController(info: TimelineInfo, profile: Profile, stateKey: string): Controller {
  const written = useRef("");
  const textOf = (state: ViewState) => JSON.stringify(writeState(state, stateKey));
  const inPlace = () => readState(placeAtom.get().page, stateKey);
  const [timeline] = useState(() => {
    const write = (state: ViewState, how: "go" | "adjust") => {
      written.current = textOf(state);
      const next = withPage(placeAtom.get(), writeState(state, stateKey));
      if (how === "go") go(next);
      else adjust(() => next);
    };
    written.current = textOf(inPlace());
    return new Controller(profile, info, firstState(stateKey), write);
  });
  const place = useAtom(placeAtom);
  useEffect(() => {
    // The current place, not that of the render: a late effect must not restore an older place.
    const now = inPlace();
    const text = textOf(now);
    if (text !== written.current && text !== textOf(timeline.state)) timeline.accept(now);
    written.current = text;
  }, [place]);
  useAtom(timeline.changed);
  return timeline;
}

interface LoadedProps {
  info: TimelineInfo;
  profile: Profile;
  stateKey: string;
  drawReport: DrawReport;
  /** The "?" of the view. */
  help?: VNode;
}

function Loaded({ info, profile, stateKey, drawReport, help }: LoadedProps) {
  const timeline = useController(info, profile, stateKey);
  const theme = useAtom(themeAtom);
  const { detailsBeside, detailsSize, wheelZooms } = useAtom(settingsAtom);
  const [box, size] = useSize<HTMLDivElement>();
  const lanesRef = useRef<HTMLCanvasElement>(null);
  const headRef = useRef<HTMLCanvasElement>(null);
  const shownRef = useRef<HTMLDivElement>(null);
  const endsRef = useRef<HTMLDivElement>(null);
  const tipRef = useRef<HTMLDivElement>(null);
  const lineRef = useRef<HTMLDivElement>(null);
  const timeRef = useRef<HTMLDivElement>(null);
  const frames = useRef<Frames | null>(null);

  useLayoutEffect(() => {
    const [lanes, head] = [lanesRef.current, headRef.current];
    const refs = [shownRef, tipRef, lineRef, timeRef, endsRef];
    const [shown, tip, line, time, ends] = refs.map((ref) => ref.current);
    if (!lanes || !head || !shown || !tip || !line || !time || !ends) return;
    frames.current = new Frames(timeline, { lanes, head, shown, ends }, themeAtom.get());
    timeline.lanes.scrollTo = (top) => {
      if (box.current) box.current.scrollTop = top;
    };
    const hover = new HoverTip(timeline, { lanes, tip, line, time });
    const endGestures = addGestures(timeline, lanes, head, (at) => hover.show(at));
    return () => {
      endGestures();
      hover.leave();
      frames.current?.leave();
      timeline.leave();
    };
  }, [timeline]);
  useEffect(() => timeline.tell(info), [info]);
  // Registered again after a change of language or of the wheel: the key sheet lists their titles.
  useLayoutEffect(() => addTimelineKeys(timeline), [timeline, info, wheelZooms]);
  useEffect(() => frames.current?.setTheme(theme), [theme]);
  useLayoutEffect(() => {
    const lanes = lanesRef.current;
    if (!lanes) return;
    timeline.moves.width = lanes.clientWidth;
    timeline.lanes.resize(size.height);
    timeline.bump();
  }, [size.width, size.height]);
  const { slice, range } = timeline.state;
  const something = slice !== null || range !== null;
  const deselects = something || timeline.measuring !== null;
  useLayoutEffect(() => (deselects ? addDeselect(timeline) : undefined), [timeline, deselects, info]);

  const tall = kMinimap + kRuler + timeline.stepBar;
  const detailsStyle = { "--details": `${detailsSize}px` };
  return (
    <>
      <Toolbar timeline={timeline} stateKey={stateKey} help={help} />
      <div class={detailsBeside ? "timeline-main beside" : "timeline-main"} style={detailsStyle}>
        <div class="timeline-sight">
          <div class="timeline-head">
            <div class="timeline-corner">
              <div class="timeline-shown" ref={shownRef} />
              <LaneFilter timeline={timeline} />
            </div>
            <canvas
              ref={headRef}
              role="img"
              aria-label={words.timeline.overview}
              style={{ width: "100%", height: `${tall}px` }}
            />
            <div
              class="timeline-time"
              ref={timeRef}
              style={{ top: `${kMinimap}px`, height: `${kRuler - 1}px` }}
            />
          </div>
          <LanesBody timeline={timeline} box={box} height={size.height}>
            <canvas
              ref={lanesRef}
              class="timeline-lanes"
              tabIndex={0}
              role="application"
              aria-label={words.timeline.title}
              style={{ height: `${size.height}px` }}
            />
            <div class="timeline-ends" ref={endsRef} style={{ height: `${size.height}px` }} />
            <div class="timeline-pointer" ref={lineRef} style={{ height: `${size.height}px` }} />
            <div class="timeline-tip" ref={tipRef} role="tooltip" />
          </LanesBody>
          <Legend timeline={timeline} theme={theme} />
        </div>
        {(detailsBeside || something) && <Divider beside={detailsBeside} />}
        <Details timeline={timeline} stateKey={stateKey} drawReport={drawReport} />
      </div>
    </>
  );
}
