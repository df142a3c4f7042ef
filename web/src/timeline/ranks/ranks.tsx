// Ranks on one axis: a bar, the ruler, one row per rank with its name, and below what is selected. Like the timeline
// of one profile, it is drawn on canvases, and the address is its state.
import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { fetchRanks, type OnAxis, type RankAxis } from "../../api/ranks";
import { spokenRanks } from "../../api/spoken";
import type { Profile } from "../../api/timeline";
import { adjust, go, place as placeAtom } from "../../base/history";
import { language as languageAtom } from "../../base/language";
import { withPage } from "../../base/place";
import { settings as settingsAtom, theme as themeAtom } from "../../base/settings";
import { formatShort } from "../../base/units";
import { fill, words } from "../../base/words";
import { useAtom, useSize } from "../../widgets/hooks";
import { CanvasPainter } from "../canvas_painter";
import { drawMinimap, drawRuler, kMinimap, kRuler, kStepBar } from "../draw_head";
import { FetchFailed, useFetched } from "../fetched";
import { fitCanvas } from "../frame";
import { makeLooks } from "../looks";
import { RanksController } from "./controller";
import { drawRows, WholeStrip } from "./draw_ranks";
import { addRankGestures } from "./rank_gestures";
import { RankNames } from "./rank_names";
import { RanksBar, RanksLegend } from "./ranks_bar";
import { RankDetails } from "./rank_details";
import { UnfoldedRank } from "./unfolded";
import { readRanks, writeRanks, type RanksState } from "./ranks_state";

interface Props {
  profile: Profile;
  stateKey: string;
  help?: VNode;
}

export function Ranks({ profile, stateKey, help }: Props) {
  const place = useAtom(placeAtom);
  const added = readRanks(place.page, stateKey).added;
  const key = added ? `${added.run}\n${added.span}` : "";
  const on = useMemo<OnAxis>(() => ({ profile, added }), [profile, key]);
  const { answer, error, again } = useFetched((signal) => fetchRanks(on, signal), on);
  const language = useAtom(languageAtom);
  // While the list is requested again, the one before stays: a gesture goes on.
  const kept = useRef({ on, answer });
  if (answer || kept.current.on !== on) kept.current = { on, answer };
  const listed = kept.current.answer;
  const axis = useMemo(() => listed && spokenRanks(listed), [listed, language]);
  // Ranks that are still being read appear when they are.
  const reading = axis?.ranks.some(({ status }) => status === "queued" || status === "reading") ?? false;
  useEffect(() => {
    if (!reading) return undefined;
    const timer = setTimeout(again, 2000);
    return () => clearTimeout(timer);
  }, [reading, listed]);
  return (
    <div class="timeline">
      <FetchFailed error={error} again={again} />
      {axis && <Loaded key={`${key} ${language}`} axis={axis} on={on} stateKey={stateKey} help={help} />}
    </div>
  );
}

function useRanks(axis: RankAxis, on: OnAxis, stateKey: string): RanksController {
  const written = useRef("");
  const textOf = (state: RanksState) => JSON.stringify(writeRanks(state, stateKey));
  const inPlace = () => readRanks(placeAtom.get().page, stateKey);
  const [ranks] = useState(() => {
    const write = (state: RanksState, how: "go" | "adjust") => {
      written.current = textOf(state);
      const next = withPage(placeAtom.get(), writeRanks(state, stateKey));
      if (how === "go") go(next);
      else adjust(() => next);
    };
    written.current = textOf(inPlace());
    return new RanksController(on, axis, inPlace(), write, themeAtom.get());
  });
  const place = useAtom(placeAtom);
  useEffect(() => {
    const now = inPlace();
    const text = textOf(now);
    if (text !== written.current && text !== textOf(ranks.state)) ranks.accept(now);
    written.current = text;
  }, [place]);
  useLayoutEffect(() => ranks.renew(axis), [axis]);
  useAtom(ranks.changed);
  return ranks;
}

function Loaded({
  axis,
  on,
  stateKey,
  help,
}: {
  axis: RankAxis;
  on: OnAxis;
  stateKey: string;
  help?: VNode;
}) {
  const ranks = useRanks(axis, on, stateKey);
  const theme = useAtom(themeAtom);
  useAtom(settingsAtom);
  const [box, size] = useSize<HTMLDivElement>();
  const rowsRef = useRef<HTMLCanvasElement>(null);
  const headRef = useRef<HTMLCanvasElement>(null);
  const shownRef = useRef<HTMLDivElement>(null);
  const tipRef = useRef<HTMLDivElement>(null);
  const steps = useMemo(() => {
    const reference = axis.ranks.find(({ clock }) => clock?.rule === "reference");
    return (reference?.steps ?? []).map(({ number, start, end }) => ({
      title: String(number),
      start,
      duration: end - start,
      slice: null,
    }));
  }, [axis]);
  const tall = kMinimap + kRuler + (steps.length > 0 ? kStepBar : 0);

  useLayoutEffect(() => {
    const [rows, head, tip] = [rowsRef.current, headRef.current, tipRef.current];
    if (!rows || !head || !tip) return undefined;
    ranks.setTheme(theme);
    const look = makeLooks(theme, "category", { groups: [] }).head;
    const strip = new WholeStrip();
    let pending = 0;
    const draw = () => {
      pending = 0;
      const { width, window } = ranks.moves;
      if (width <= 0 || ranks.height <= 0) return;
      ranks.want();
      const context = fitCanvas(rows, width, ranks.height);
      if (context) drawRows(context, ranks, look);
      const above = fitCanvas(head, width, tall);
      if (above) {
        above.fillStyle = look.surface;
        above.fillRect(0, 0, width, tall);
        above.fillStyle = look.ground;
        above.fillRect(0, 0, width, kMinimap);
        strip.draw(above, ranks, width, look);
        const painter = new CanvasPainter(above);
        const seen = { extent: ranks.extent, window, hits: [], markers: [], range: null };
        drawMinimap(painter, seen, width, look);
        const axisOfRuler = { mode: "start" as const, zero: 0, title: "", clock: null };
        const scene = { window, range: null, steps, markers: [], axis: axisOfRuler };
        drawRuler(painter, scene, width, kMinimap, look);
      }
      const length = formatShort(Math.round(window.end - window.start), "ns");
      for (const follower of ranks.followers) follower();
      if (shownRef.current) shownRef.current.textContent = fill(words.timeline.shown, { length });
      const whole = String(ranks.sheets.complete(...ranks.visible()));
      if (rows.dataset.drawn !== whole) rows.dataset.drawn = whole;
    };
    ranks.redraw = () => {
      if (pending === 0) pending = requestAnimationFrame(draw);
    };
    ranks.scrollTo = (top) => {
      if (box.current) box.current.scrollTop = top;
    };
    ranks.redraw();
    const end = addRankGestures(ranks, rows, head, tip, stateKey);
    return () => {
      end();
      cancelAnimationFrame(pending);
      ranks.redraw = () => undefined;
    };
  }, [ranks, theme, tall]);
  useEffect(() => () => ranks.leave(), [ranks]);
  useLayoutEffect(() => {
    if (!rowsRef.current) return;
    ranks.moves.width = rowsRef.current.clientWidth;
    ranks.height = size.height;
    ranks.bump();
  }, [size.width, size.height]);

  return (
    <>
      <RanksBar ranks={ranks} stateKey={stateKey} help={help} />
      <div class="timeline-main">
        <div class="timeline-sight">
          <div class="timeline-head">
            <div class="timeline-corner">
              <div class="timeline-shown" ref={shownRef} />
              <div>{fill(words.ranks.count, { n: String(axis.ranks.length) })}</div>
            </div>
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
              ranks.scrollTop = event.currentTarget.scrollTop;
              ranks.draw();
            }}
          >
            <RankNames ranks={ranks} stateKey={stateKey} />
            <canvas
              ref={rowsRef}
              class="timeline-lanes"
              tabIndex={0}
              role="application"
              aria-label={words.ranks.title}
              style={{ height: `${size.height}px` }}
            />
            <UnfoldedRank ranks={ranks} stateKey={stateKey} />
            <div class="timeline-tip" ref={tipRef} role="tooltip" />
          </div>
          <RanksLegend ranks={ranks} theme={theme} />
        </div>
        <RankDetails ranks={ranks} stateKey={stateKey} />
      </div>
    </>
  );
}
