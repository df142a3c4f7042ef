// A flame graph on a canvas: roots above (or, `up`, at the bottom), what is inside them next to them, width by value. A click
// zooms into a box (the table beside it selects the row), Escape or a click on the first row shows all. Boxes narrower than a
// third of a pixel are left out. A search marks the boxes whose names match; Enter goes to the next of them.
import type { RefObject } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { cellText, wireText, type Column, type NumberColumn, type TableData } from "../../api/table_data";
import { categoryHue, inkOn, isCategory, nameHue } from "../../base/hues";
import { theme as themeAtom } from "../../base/settings";
import { exactText, formatWithUnit } from "../../base/units";
import { words } from "../../base/words";
import { useAtom, useSize } from "../hooks";
import { boxLabel } from "../../base/names";
import { charWidths } from "../table/char_widths";
import { layoutFlame } from "./flame_layout";
import { findBoxes, matcherOf } from "./flame_search";
import { FlameSearch } from "./flame_search_field";
import { readLook } from "./look";

interface Props {
  table: TableData;
  label: Column;
  parent: NumberColumn;
  value: NumberColumn;
  title: string;
  /** The row the graph is zoomed into; -1 for all. */
  focus: number;
  onFocus: (row: number) => void;
  /** The roots are at the bottom. */
  up?: boolean;
  /** What is searched for, and the row of the match that the user has gone to; -1 for none. */
  search: string;
  found: number;
  onSearch: (text: string, found: number) => void;
  canvasRef: RefObject<HTMLCanvasElement>;
}

const kBox = 20;
/** Room for the hover text, as in the style sheet. */
const kLeastHeight = 80;
/** Of the drawing; what is higher than the panel scrolls. */
const kMostRows = 400;

export function Flame(props: Props) {
  const {
    table,
    label,
    parent,
    value,
    title,
    focus,
    onFocus,
    up = false,
    search,
    found,
    onSearch,
    canvasRef,
  } = props;
  const theme = useAtom(themeAtom);
  const [box, size] = useSize<HTMLDivElement>();
  const tip = useRef<HTMLDivElement>(null);
  const [over, setOver] = useState(-1);
  const boxes = useMemo(() => layoutFlame(table.rows, parent, value), [table, parent, value]);
  const category = useMemo(() => table.columns.find((column) => column.role === "category"), [table]);
  const matches = useMemo(() => {
    const matches = matcherOf(search);
    return matches ? findBoxes(boxes, (row) => matches(cellText(label, row))) : null;
  }, [boxes, label, search]);
  const height = Math.min(kMostRows, boxes.deepest + 1) * kBox;
  const top = (depth: number) => (up ? height - (depth + 1) * kBox : depth * kBox);
  const at = focus >= 0 ? boxes.boxOf[focus] : -1;
  const from = at >= 0 ? boxes.left[at] : 0;
  const span = at >= 0 && boxes.width[at] > 0 ? boxes.width[at] : 1;

  useLayoutEffect(() => {
    const canvas = canvasRef.current;
    const draw = canvas?.getContext("2d");
    if (!canvas || !draw || size.width === 0) return;
    const look = readLook(theme);
    const ratio = devicePixelRatio || 1;
    canvas.width = Math.round(size.width * ratio);
    canvas.height = Math.round(height * ratio);
    draw.setTransform(ratio, 0, 0, ratio, 0, 0);
    draw.fillStyle = look.surface;
    draw.fillRect(0, 0, size.width, height);
    draw.font = `12px ${look.mono}`;
    draw.textBaseline = "middle";
    const char = charWidths().mono;
    for (let i = 0; i < boxes.rows.length; i++) {
      const left = ((boxes.left[i] - from) / span) * size.width;
      const width = (boxes.width[i] / span) * size.width;
      const x = Math.max(0, left);
      const right = Math.min(size.width, left + width);
      const y = top(boxes.depth[i]);
      if (right - x < 0.34 || y > height || y < 0) continue;
      const row = boxes.rows[i];
      const name = cellText(label, row);
      const kind = category ? wireText(category, row) : "";
      const isMatch = matches?.isMatch(i);
      draw.globalAlpha = isMatch === false ? 0.25 : at >= 0 && boxes.depth[i] < boxes.depth[at] ? 0.45 : 1;
      const hue = isCategory(kind) ? categoryHue(kind, theme) : nameHue(wireText(label, row));
      draw.fillStyle = hue;
      draw.fillRect(x, y, Math.max(0.34, right - x - (right - x > 2 ? 1 : 0)), kBox - 1);
      const room = Math.floor((right - x - 8) / char);
      const text = boxLabel(name, room);
      if (text !== "") {
        draw.fillStyle = inkOn(hue);
        draw.fillText(text, x + 4, y + kBox / 2);
      }
      draw.lineWidth = row === found ? 3 : 1;
      if (row === over || row === found) {
        draw.strokeStyle = look.text;
        draw.strokeRect(x + 0.5, y + 0.5, right - x - 1, kBox - 2);
      }
    }
    draw.globalAlpha = 1;
    canvas.dataset.drawn = "true";
  }, [boxes, size.width, height, theme, from, span, over, matches, found, up]);

  // The match that was gone to, and the root of an upward graph, are in sight.
  useLayoutEffect(() => {
    const element = box.current;
    const i = found >= 0 ? boxes.boxOf[found] : -1;
    if (!element) return;
    if (i < 0) {
      if (up) element.scrollTop = element.scrollHeight;
      return;
    }
    const y = top(boxes.depth[i]);
    if (y < element.scrollTop || y + kBox > element.scrollTop + element.clientHeight)
      element.scrollTop = y - element.clientHeight / 2;
  }, [boxes, found, up, height]);

  useLayoutEffect(() => {
    if (focus < 0) return;
    const escape = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented) onFocus(-1);
    };
    addEventListener("keydown", escape);
    return () => removeEventListener("keydown", escape);
  }, [focus]);

  const hit = (event: MouseEvent): number => {
    const x = from + (event.offsetX / size.width) * span;
    const depth = Math.floor((up ? height - event.offsetY : event.offsetY) / kBox);
    for (let i = 0; i < boxes.rows.length; i++) {
      if (boxes.depth[i] === depth && x >= boxes.left[i] && x < boxes.left[i] + boxes.width[i])
        return boxes.rows[i];
    }
    return -1;
  };
  const hover = (event: PointerEvent) => {
    const row = hit(event);
    setOver(row);
    const element = tip.current;
    if (!element) return;
    element.style.visibility = row < 0 ? "hidden" : "visible";
    if (row < 0) return;
    const share = boxes.total > 0 ? (value.numbers[row] / boxes.total) * 100 : 0;
    element.textContent = `${cellText(label, row)}\n${value.title} ${formatWithUnit(value.numbers[row], value.scale)} (${exactText(value.numbers[row], value.unit)}), ${share.toFixed(1)}%`;
    const right = event.offsetX + 14 + element.offsetWidth > size.width;
    element.style.left = `${Math.max(0, right ? event.offsetX - element.offsetWidth - 10 : event.offsetX + 14)}px`;
    // Where it does not fit below the pointer it is above it: the graph must not begin to scroll.
    const below = event.offsetY + 16;
    const fits = below + element.offsetHeight <= Math.max(height, kLeastHeight);
    element.style.top = `${fits ? below : Math.max(0, event.offsetY - element.offsetHeight - 8)}px`;
  };
  /** Goes to a match; one outside the part in sight shows all again. */
  const goTo = (row: number) => {
    const i = boxes.boxOf[row];
    const isInSight = at < 0 || (boxes.left[i] >= from && boxes.left[i] < from + span);
    if (!isInSight) onFocus(-1);
    onSearch(search, row);
  };
  const flame = (
    <div class="flame" ref={box} tabIndex={0} role="group" aria-label={title}>
      <canvas
        ref={canvasRef}
        role="img"
        aria-label={`${title}. ${words.flameHint}`}
        style={{ width: "100%", height: `${height}px` }}
        onPointerMove={hover}
        onPointerLeave={() => {
          setOver(-1);
          if (tip.current) tip.current.style.visibility = "hidden";
        }}
        onClick={(event) => {
          const row = hit(event);
          if (row >= 0) onFocus(row === focus ? -1 : row);
        }}
      />
      <div class="flame-tip code" ref={tip} />
    </div>
  );
  return (
    <>
      <FlameSearch
        title={title}
        search={search}
        found={found}
        matches={matches}
        onSearch={onSearch}
        onGo={goTo}
      />
      {flame}
    </>
  );
}
