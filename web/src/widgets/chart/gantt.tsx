// Rectangles on rows over one axis, of time or bytes, on a canvas: a row for each lane, under the title of its group. Groups share the axis,
// and a thin line marks where each of them ends. Dragging zooms, Escape or a double click shows all.
import type { RefObject } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { cellText, wireText, type Column, type NumberColumn, type TableData } from "../../api/table_data";
import { categoryHue, inkOn, isCategory, nameHue } from "../../base/hues";
import { boxLabel, cutMiddle } from "../../base/names";
import { theme as themeAtom } from "../../base/settings";
import { formatAlone, spanScale } from "../../base/units";
import { words } from "../../base/words";
import { useAtom, useSize } from "../hooks";
import { charWidths } from "../table/char_widths";
import { ganttRows, ganttTicks, type GanttRow } from "./gantt_layout";
import { axisNumber, readLook } from "./look";

interface Props {
  table: TableData;
  group: Column;
  lane: Column;
  start: NumberColumn;
  length: NumberColumn;
  label: Column;
  hue: Column;
  title: string;
  canvasRef: RefObject<HTMLCanvasElement>;
}

const kRow = 20;
const kHead = 22;
const kAxis = 24;
const kNames = 168;

interface Window {
  from: number;
  to: number;
}

export function Gantt({ table, group, lane, start, length, label, hue, title, canvasRef }: Props) {
  const theme = useAtom(themeAtom);
  const [box, size] = useSize<HTMLDivElement>();
  const tip = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState<Window | null>(null);
  const [dragged, setDragged] = useState<Window | null>(null);
  const [over, setOver] = useState(-1);
  const rows = useMemo(
    () => ganttRows(table.rows, group, lane, start.numbers, length.numbers),
    [table, group, lane, start, length],
  );
  const whole = Math.max(1, ...rows.map((row) => row.end));
  const names = Math.min(kNames, size.width * 0.4);
  const { from, to } = zoom ?? { from: 0, to: whole };
  const room = Math.max(1, size.width - names - 8);
  const xOf = (time: number) => names + ((time - from) / (to - from)) * room;
  const timeOf = (x: number) => from + ((x - names) / room) * (to - from);
  const tops = useMemo(() => {
    let y = 0;
    return rows.map((row) => {
      if (row.isFirst) y += kHead;
      const top = y;
      y += kRow;
      return top;
    });
  }, [rows]);
  const bottom = (tops.at(-1) ?? 0) + kRow;
  const height = bottom + kAxis;
  const colour = (row: number) => {
    const kind = wireText(hue, row);
    return isCategory(kind) ? categoryHue(kind, theme) : nameHue(wireText(label, row));
  };

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
    draw.textBaseline = "middle";
    draw.font = `12px ${look.sans}`;
    const scale = spanScale(start.unit, from, to);
    const ticks = ganttTicks(from / scale.divisor, to / scale.divisor, Math.max(2, Math.floor(room / 110)));
    for (const tick of ticks.map((each) => each * scale.divisor)) {
      const x = Math.round(xOf(tick)) + 0.5;
      draw.strokeStyle = look.line;
      draw.beginPath();
      draw.moveTo(x, kHead);
      draw.lineTo(x, bottom + 4);
      draw.stroke();
      draw.fillStyle = look.muted;
      const text = `${axisNumber(tick / scale.divisor, scale)} ${scale.label}`;
      draw.textAlign = x > size.width - 40 ? "right" : "center";
      draw.fillText(text, x, bottom + kAxis / 2 + 2);
    }
    draw.textAlign = "left";
    const char = charWidths().mono;
    rows.forEach((row, i) => {
      const y = tops[i];
      if (row.isFirst) {
        draw.font = `600 12px ${look.sans}`;
        draw.fillStyle = look.text;
        draw.fillText(cellText(group, row.rows[0]), 0, y - kHead / 2 + 1);
      }
      draw.font = `12px ${look.sans}`;
      draw.fillStyle = look.muted;
      draw.save();
      draw.beginPath();
      draw.rect(0, y, names - 8, kRow);
      draw.clip();
      const name = cellText(lane, row.rows[0]);
      const fits = Math.floor(((names - 16) * name.length) / draw.measureText(name).width) - 1;
      draw.fillText(fits + 1 < name.length ? cutMiddle(name, fits) : name, 8, y + kRow / 2);
      draw.restore();
      draw.save();
      draw.beginPath();
      draw.rect(names, 0, room + 8, height);
      draw.clip();
      draw.font = `12px ${look.mono}`;
      for (const at of row.rows) {
        const left = Math.max(names, xOf(start.numbers[at]));
        const right = Math.min(size.width, xOf(start.numbers[at] + length.numbers[at]));
        if (right < names || left > size.width) continue;
        const fill = colour(at);
        draw.fillStyle = fill;
        draw.fillRect(left, y + 1, Math.max(0.5, right - left - (right - left > 3 ? 0.5 : 0)), kRow - 2);
        const text = boxLabel(cellText(label, at), Math.floor((right - left - 8) / char));
        if (text !== "") {
          draw.fillStyle = inkOn(fill);
          draw.fillText(text, left + 4, y + kRow / 2);
        }
        if (at === over) {
          draw.strokeStyle = look.text;
          draw.strokeRect(left + 0.5, y + 1.5, right - left - 1, kRow - 3);
        }
      }
      draw.restore();
    });
    drawEnds(draw, rows, tops, look.accent, xOf, names);
    if (dragged) {
      draw.fillStyle = look.accent;
      draw.globalAlpha = 0.15;
      const left = xOf(Math.min(dragged.from, dragged.to));
      draw.fillRect(left, kHead, xOf(Math.max(dragged.from, dragged.to)) - left, bottom - kHead);
      draw.globalAlpha = 1;
    }
    canvas.dataset.drawn = "true";
  }, [rows, tops, size.width, height, theme, from, to, over, dragged]);

  useLayoutEffect(() => {
    if (!zoom) return;
    const escape = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented) setZoom(null);
    };
    addEventListener("keydown", escape);
    return () => removeEventListener("keydown", escape);
  }, [zoom]);

  const hit = (event: MouseEvent): number => {
    const i = tops.findIndex((top) => event.offsetY >= top && event.offsetY < top + kRow);
    if (i < 0 || event.offsetX < names) return -1;
    const time = timeOf(event.offsetX);
    const pixel = (to - from) / room;
    return (
      rows[i].rows.find(
        (row) =>
          time >= start.numbers[row] - pixel && time < start.numbers[row] + length.numbers[row] + pixel,
      ) ?? -1
    );
  };
  const hover = (event: PointerEvent) => {
    if (dragged) setDragged({ from: dragged.from, to: Math.min(to, Math.max(from, timeOf(event.offsetX))) });
    const row = dragged ? -1 : hit(event);
    setOver(row);
    const element = tip.current;
    if (!element) return;
    element.style.visibility = row < 0 ? "hidden" : "visible";
    if (row < 0) return;
    const name = cellText(label, row) || words.categories[wireText(hue, row)] || "";
    const more = table.byKey.get("pieces");
    const pieces = more && Number(wireText(more, row)) > 1 ? `\n${more.title} ${cellText(more, row)}` : "";
    element.textContent = `${name}\n${start.title} ${formatAlone(start.numbers[row], start.unit)}, ${length.title} ${formatAlone(length.numbers[row], length.unit)}${pieces}`;
    const right = event.offsetX + 14 + element.offsetWidth > size.width;
    element.style.left = `${Math.max(0, right ? event.offsetX - element.offsetWidth - 10 : event.offsetX + 14)}px`;
    element.style.top = `${Math.min(event.offsetY + 16, Math.max(0, height - element.offsetHeight))}px`;
  };
  const release = () => {
    if (!dragged) return;
    const [first, last] = [Math.min(dragged.from, dragged.to), Math.max(dragged.from, dragged.to)];
    setDragged(null);
    if (((last - first) / (to - from)) * room > 4) setZoom({ from: first, to: last });
  };
  return (
    <div class="gantt" ref={box} role="group" aria-label={title}>
      <canvas
        ref={canvasRef}
        role="img"
        aria-label={`${title}. ${words.ganttHint}`}
        style={{ width: "100%", height: `${height}px` }}
        onPointerMove={hover}
        onPointerDown={(event) => {
          if (event.button !== 0 || event.offsetX < names) return;
          (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
          setDragged({ from: timeOf(event.offsetX), to: timeOf(event.offsetX) });
        }}
        onPointerUp={release}
        onPointerCancel={() => setDragged(null)}
        onPointerLeave={() => {
          setOver(-1);
          if (tip.current) tip.current.style.visibility = "hidden";
        }}
        onDblClick={() => setZoom(null)}
      />
      <div class="flame-tip code" ref={tip} />
    </div>
  );
}

/** Where the last rectangle of each group ends. */
function drawEnds(
  draw: CanvasRenderingContext2D,
  rows: GanttRow[],
  tops: number[],
  hue: string,
  xOf: (time: number) => number,
  least: number,
): void {
  rows.forEach((row, first) => {
    if (!row.isFirst) return;
    let last = first;
    while (last + 1 < rows.length && !rows[last + 1].isFirst) last++;
    const end = Math.max(...rows.slice(first, last + 1).map((each) => each.end));
    const x = Math.round(xOf(end)) + 0.5;
    if (x < least) return;
    draw.strokeStyle = hue;
    draw.lineWidth = 1.5;
    draw.beginPath();
    draw.moveTo(x, tops[first] - 4);
    draw.lineTo(x, tops[last] + kRow);
    draw.stroke();
    draw.lineWidth = 1;
  });
}
