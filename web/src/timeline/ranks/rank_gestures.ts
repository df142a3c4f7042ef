// Gestures on ranks: as on the timeline of one profile, the wheel scrolls or zooms, drag moves, a click selects, a double
// click opens the rank's own timeline. A resting pointer shows the collective under it on all its ranks.
import { settings } from "../../base/settings";
import { follow } from "../press";
import { timeAt } from "../viewport";
import { kMinimap } from "../draw_head";
import type { RanksController } from "./controller";
import { openRank } from "./open_rank";
import { tipText } from "./rank_texts";

const kWheel = 0.0018;
const kPinch = 0.012;
const kRestMs = 120;

function pixelsOf(event: WheelEvent, delta: number): number {
  return event.deltaMode === 1 ? delta * 30 : event.deltaMode === 2 ? delta * 300 : delta;
}

export function addRankGestures(
  ranks: RanksController,
  rows: HTMLCanvasElement,
  head: HTMLCanvasElement,
  tip: HTMLElement,
  stateKey: string,
): () => void {
  const leave = new AbortController();
  const { signal } = leave;
  const { moves } = ranks;
  let resting = 0;
  const hide = () => {
    clearTimeout(resting);
    tip.style.visibility = "hidden";
  };
  const show = (x: number, y: number) => {
    const under = ranks.under(x, y);
    if (!under) return hide();
    tip.textContent = tipText(ranks, under);
    tip.style.visibility = "visible";
    const left = rows.offsetLeft;
    const flip = x + 16 + tip.offsetWidth > moves.width;
    const fits = y + 20 + tip.offsetHeight <= ranks.height;
    const atX = left + Math.max(0, flip ? x - tip.offsetWidth - 10 : x + 14);
    const atY = ranks.scrollTop + (fits ? y + 18 : Math.max(0, y - tip.offsetHeight - 8));
    tip.style.transform = `translate(${atX}px, ${atY}px)`;
  };
  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    const at = event.offsetX;
    hide();
    const [x, y] = [pixelsOf(event, event.deltaX), pixelsOf(event, event.deltaY)];
    const chord = event.ctrlKey || event.metaKey;
    if (event.shiftKey && !chord) return moves.pan(x === 0 ? y : x);
    if (chord || settings.get().wheelZooms) {
      moves.zoom(Math.exp(-y * (event.ctrlKey && Math.abs(y) < 50 ? kPinch : kWheel)), at);
    } else if (Math.abs(y) >= Math.abs(x)) ranks.scrollTo(ranks.scrollTop + y);
    if (Math.abs(x) > Math.abs(y) && !chord) moves.pan(x);
  };
  const press = (down: PointerEvent) => {
    if (down.button !== 0) return;
    hide();
    let [lastX, lastY] = [0, 0];
    follow(
      down,
      (_event, dx, dy) => {
        rows.classList.add("dragged");
        moves.pan(lastX - dx);
        ranks.scrollTo(ranks.scrollTop + lastY - dy);
        [lastX, lastY] = [dx, dy];
      },
      (event, clicked) => {
        rows.classList.remove("dragged");
        const under = clicked ? ranks.under(event.offsetX, event.offsetY) : null;
        if (under) ranks.choose(under);
      },
    );
  };
  const pressHead = (down: PointerEvent) => {
    if (down.button !== 0) return;
    const onMap = down.offsetY <= kMinimap;
    const span = moves.window.end - moves.window.start;
    const to = (x: number) => {
      const time = timeAt(x, onMap ? moves.all : moves.window, moves.width);
      if (onMap) moves.move({ start: time - span / 2, end: time + span / 2 });
    };
    const { left } = head.getBoundingClientRect();
    to(down.offsetX);
    follow(
      down,
      (event) => to(event.clientX - left),
      () => undefined,
    );
  };
  rows.addEventListener("wheel", wheel, { signal, passive: false });
  head.addEventListener("wheel", wheel, { signal, passive: false });
  rows.addEventListener("pointerdown", press, { signal });
  head.addEventListener("pointerdown", pressHead, { signal });
  rows.addEventListener(
    "dblclick",
    (event) => {
      const under = ranks.under(event.offsetX, event.offsetY);
      if (under) openRank(ranks, under.row, stateKey);
    },
    { signal },
  );
  rows.addEventListener(
    "pointermove",
    (event) => {
      moves.pointer = event.offsetX;
      if (event.buttons !== 0) return;
      const { offsetX: x, offsetY: y } = event;
      show(x, y);
      clearTimeout(resting);
      resting = window.setTimeout(() => ranks.hover(communicates(ranks, x, y)), kRestMs);
    },
    { signal },
  );
  rows.addEventListener(
    "pointerleave",
    () => {
      moves.pointer = -1;
      hide();
      ranks.hover(null);
    },
    { signal },
  );
  const keys = (event: KeyboardEvent) => {
    const acts: Record<string, () => void> = {
      ArrowLeft: () => moves.pan(-80),
      ArrowRight: () => moves.pan(80),
      ArrowUp: () => ranks.scrollTo(ranks.scrollTop - 40),
      ArrowDown: () => ranks.scrollTo(ranks.scrollTop + 40),
      "+": () => moves.zoom(1.4),
      "=": () => moves.zoom(1.4),
      "-": () => moves.zoom(1 / 1.4),
      f: () => moves.fit(null),
      Escape: () => ranks.deselect(),
    };
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  rows.addEventListener("keydown", keys, { signal });
  return () => {
    leave.abort();
    clearTimeout(resting);
  };
}

/** What is under the pointer, where it may be a collective. */
function communicates(ranks: RanksController, x: number, y: number) {
  const under = ranks.under(x, y);
  const may = under?.doing === "communicating" || under?.doing === "overlapped";
  return under && (may || (ranks.state.passes && under.doing !== "idle" && under.doing !== null))
    ? under
    : null;
}
