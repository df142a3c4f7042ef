// A flame graph on a canvas: roots above, callees below, width by value. A click zooms into a box (the
// table beside it selects the row), Escape or a click on the first row shows all. Boxes narrower than a
// third of a pixel are left out.
import type { RefObject } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { cellText, wireText, type Column, type NumberColumn, type TableData } from "../../api/table_data";
import { categoryHue, inkOn, isCategory, nameHue } from "../../base/hues";
import { theme as themeAtom } from "../../base/settings";
import { exactText, formatWithUnit } from "../../base/units";
import { words } from "../../base/words";
import { useAtom, useSize } from "../hooks";
import { shortNameOf } from "../short_names";
import { charWidths } from "../table/char_widths";
import { layoutFlame } from "./flame_layout";
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
  canvasRef: RefObject<HTMLCanvasElement>;
}

const kBox = 20;
const kMostHeight = 640;

export function Flame({ table, label, parent, value, title, focus, onFocus, canvasRef }: Props) {
  const theme = useAtom(themeAtom);
  const [box, size] = useSize<HTMLDivElement>();
  const tip = useRef<HTMLDivElement>(null);
  const [over, setOver] = useState(-1);
  const boxes = useMemo(() => layoutFlame(table.rows, parent, value), [table, parent, value]);
  const category = useMemo(() => table.columns.find((column) => column.role === "category"), [table]);
  const height = Math.min(kMostHeight, (boxes.deepest + 1) * kBox);
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
      const y = boxes.depth[i] * kBox;
      if (right - x < 0.34 || y > height) continue;
      const row = boxes.rows[i];
      const name = cellText(label, row);
      const kind = category ? wireText(category, row) : "";
      draw.globalAlpha = at >= 0 && boxes.depth[i] < boxes.depth[at] ? 0.45 : 1;
      const hue = isCategory(kind) ? categoryHue(kind, theme) : nameHue(wireText(label, row));
      draw.fillStyle = hue;
      draw.fillRect(x, y, Math.max(0.34, right - x - (right - x > 2 ? 1 : 0)), kBox - 1);
      const room = Math.floor((right - x - 8) / char);
      if (room >= 3) {
        draw.fillStyle = inkOn(hue);
        draw.fillText(shortNameOf(label, name, room), x + 4, y + kBox / 2);
      }
      if (row === over) {
        draw.strokeStyle = look.text;
        draw.strokeRect(x + 0.5, y + 0.5, right - x - 1, kBox - 2);
      }
    }
    draw.globalAlpha = 1;
    canvas.dataset.drawn = "true";
  }, [boxes, size.width, height, theme, from, span, over]);

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
    const depth = Math.floor(event.offsetY / kBox);
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
    element.style.top = `${event.offsetY + 16}px`;
  };
  return (
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
}
