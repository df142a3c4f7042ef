// The lanes of one rank below its row, for the window of the axis. They move with the axis: a drag, or a wheel with Ctrl, moves all
// ranks; the wheel alone scrolls the lanes. A click on a slice selects it on the rank's own timeline.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { spokenTimeline } from "../../api/spoken";
import { fetchTimeline, type Profile, type TimelineInfo } from "../../api/timeline";
import { language as languageAtom } from "../../base/language";
import { settings as settingsAtom, theme as themeAtom } from "../../base/settings";
import { fill, words } from "../../base/words";
import { useAtom, useSize } from "../../widgets/hooks";
import { Controller } from "../controller";
import { kNoSlice } from "../derived";
import { FetchFailed, useFetched } from "../fetched";
import { Frames } from "../frame";
import { wheelPixels, zoomOf } from "../gestures";
import { HoverTip } from "../hover_tip";
import { LanesBody } from "../lanes_body";
import { markUnder } from "../pointer";
import { follow } from "../press";
import { readState } from "../state";
import { kUnfolded, type RanksController } from "./controller";
import { openRank } from "./open_rank";
import { rankTitle } from "./rank_texts";

interface Props {
  ranks: RanksController;
  stateKey: string;
}

export function UnfoldedRank({ ranks, stateKey }: Props) {
  const place = ranks.unfoldedAt;
  if (place < 0) return null;
  const row = ranks.order[place];
  const { run, worker, span } = ranks.axis.ranks[row];
  const top = ranks.topOf(place) + ranks.rowHeight;
  return (
    <section
      class="ranks-unfolded"
      style={{ top: `${top}px`, height: `${kUnfolded}px` }}
      aria-label={fill(words.ranks.lanesOf, { rank: rankTitle(ranks, row) })}
    >
      <OfRank
        key={`${run}\n${worker}\n${span}`}
        ranks={ranks}
        row={row}
        profile={{ run, worker, span }}
        stateKey={stateKey}
      />
    </section>
  );
}

interface OfRankProps extends Props {
  row: number;
  profile: Profile;
}

function OfRank({ profile, ...rest }: OfRankProps) {
  const own = useMemo(() => profile, [profile.run, profile.worker, profile.span]);
  const { answer, error, attempt, again } = useFetched((signal) => fetchTimeline(own, signal), own);
  const language = useAtom(languageAtom);
  const info = useMemo(() => answer && spokenTimeline(answer), [answer, language]);
  return (
    <>
      <FetchFailed error={error} again={again} />
      {info && <Lanes key={attempt} info={info} profile={own} {...rest} />}
    </>
  );
}

function Lanes({ info, profile, ranks, row, stateKey }: OfRankProps & { info: TimelineInfo }) {
  const [timeline] = useState(() => new Controller(profile, info, readState({}, ""), () => undefined));
  useAtom(timeline.changed);
  const theme = useAtom(themeAtom);
  const [box, size] = useSize<HTMLDivElement>();
  const lanesRef = useRef<HTMLCanvasElement>(null);
  const tipRef = useRef<HTMLDivElement>(null);
  const frames = useRef<Frames | null>(null);

  useLayoutEffect(() => {
    const [lanes, tip] = [lanesRef.current, tipRef.current];
    if (!lanes || !tip) return undefined;
    const unseen = () => document.createElement("div");
    const head = document.createElement("canvas");
    frames.current = new Frames(timeline, { lanes, head, shown: unseen(), ends: unseen() }, themeAtom.get());
    timeline.lanes.scrollTo = (top) => {
      if (box.current) box.current.scrollTop = top;
    };
    const moveAlong = () => {
      const { window } = ranks.moves;
      const shift = ranks.alignment.shift(row, (window.start + window.end) / 2);
      timeline.moves.window = { start: window.start - shift, end: window.end - shift };
      timeline.moves.width = ranks.moves.width;
      timeline.draw();
    };
    ranks.followers.add(moveAlong);
    moveAlong();
    const hover = new HoverTip(timeline, { lanes, tip, line: unseen(), time: unseen() });
    const end = addGestures(ranks, timeline, lanes, hover, (slice) => openRank(ranks, row, stateKey, slice));
    return () => {
      end();
      ranks.followers.delete(moveAlong);
      hover.leave();
      frames.current?.leave();
      timeline.leave();
    };
  }, [timeline]);
  useEffect(() => timeline.tell(info), [info]);
  useEffect(() => frames.current?.setTheme(theme), [theme]);
  useLayoutEffect(() => {
    timeline.moves.width = ranks.moves.width;
    timeline.lanes.resize(size.height);
    timeline.bump();
  }, [size.width, size.height]);

  return (
    <LanesBody timeline={timeline} box={box} height={size.height}>
      <canvas
        ref={lanesRef}
        class="timeline-lanes"
        role="img"
        aria-label={words.timeline.title}
        style={{ height: `${size.height}px`, width: `${ranks.moves.width}px` }}
      />
      <div class="timeline-tip" ref={tipRef} role="tooltip" />
    </LanesBody>
  );
}

function addGestures(
  ranks: RanksController,
  timeline: Controller,
  lanes: HTMLCanvasElement,
  hover: HoverTip,
  choose: (slice: number) => void,
): () => void {
  const leave = new AbortController();
  const { signal } = leave;
  lanes.addEventListener(
    "wheel",
    (event) => {
      const [x, y] = [wheelPixels(event, event.deltaX), wheelPixels(event, event.deltaY)];
      const chord = event.ctrlKey || event.metaKey || settingsAtom.get().wheelZooms;
      if (chord) ranks.moves.zoom(zoomOf(y, event.ctrlKey), event.offsetX);
      else if (event.shiftKey || Math.abs(x) > Math.abs(y)) ranks.moves.pan(x === 0 ? y : x);
      else return;
      event.preventDefault();
      hover.show(null);
    },
    { signal, passive: false },
  );
  lanes.addEventListener(
    "pointerdown",
    (down) => {
      if (down.button !== 0) return;
      let last = 0;
      const drag = (_event: PointerEvent, dx: number) => {
        ranks.moves.pan(last - dx);
        last = dx;
      };
      follow(down, drag, (event, clicked) => {
        const hit = clicked ? markUnder(timeline, event.offsetX, event.offsetY) : null;
        if (hit && hit.count === 1 && hit.slice !== kNoSlice) choose(hit.slice);
      });
    },
    { signal },
  );
  lanes.addEventListener(
    "pointermove",
    (event) => event.buttons === 0 && hover.show({ x: event.offsetX, y: event.offsetY }),
    { signal },
  );
  lanes.addEventListener("pointerleave", () => hover.show(null), { signal });
  return () => leave.abort();
}
