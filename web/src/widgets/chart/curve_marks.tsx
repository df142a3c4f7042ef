// Overlays of the curves: the brush, the selected moment, the report's marks, and the instants of the row under
// the pointer. They are HTML over the drawing, so they move without redrawing the curves.
import { textWidth } from "../table/char_widths";
import type { CurveAxis, Plot } from "./curve_axis";
import type { Brush } from "./curve_gestures";
import type { PictureParts } from "./picture";

export interface CurveMark {
  x: number;
  label: string;
}

interface Props {
  axis: CurveAxis;
  plot: Plot;
  brush: Brush | null;
  at: number | null;
  marks: CurveMark[];
  pointed: CurveMark[];
}

interface Placed extends CurveMark {
  kind: "at" | "pointed" | "mark";
  pixel: number;
  /** Left edge of the label; null if there is no room for it. */
  labelLeft: number | null;
}

const kGap = 6;

/** Pixels that a label takes. */
export type TextWidth = (text: string) => number;

/** Labels are above their lines, and right of the unit of the axis; a label that would cover another one is shown only on hover. */
export function placeMarks(
  axis: CurveAxis,
  plot: Plot,
  marks: Omit<Placed, "pixel" | "labelLeft">[],
  widthOf: TextWidth = textWidth,
): Placed[] {
  const taken: [from: number, to: number][] = [];
  return marks
    .filter(({ x }) => axis.isInside(x))
    .map((mark) => {
      const pixel = axis.pixel(mark.x, plot);
      const width = widthOf(mark.label);
      const left = Math.max(plot.left, Math.min(plot.left + plot.width - width, pixel - width / 2));
      const free = taken.every(([from, to]) => left + width + kGap < from || left > to + kGap);
      if (free) taken.push([left, left + width]);
      return { ...mark, pixel, labelLeft: free ? left : null };
    });
}

export function CurveMarks({ axis, plot, brush, at, marks, pointed }: Props) {
  const placed = placeMarks(axis, plot, [
    ...(at === null ? [] : [{ kind: "at" as const, x: at, label: axis.text(at) }]),
    ...pointed.map((mark) => ({ kind: "pointed" as const, ...mark })),
    ...marks.map((mark) => ({ kind: "mark" as const, ...mark })),
  ]);
  const box = (from: number, to: number) => {
    const left = Math.max(plot.left, Math.min(from, to));
    const right = Math.min(plot.left + plot.width, Math.max(from, to));
    return right <= left
      ? null
      : { left: `${left}px`, width: `${right - left}px`, top: `${plot.top}px`, height: `${plot.height}px` };
  };
  const span = pointed.length === 2 && box(axis.pixel(pointed[0].x, plot), axis.pixel(pointed[1].x, plot));
  const brushed = brush && box(brush.from, brush.to);
  return (
    <div class="curve-marks">
      {span && <i class="curve-span" style={span} />}
      {brushed && <i class="curve-brush" style={brushed} data-keys={brush.keys} />}
      {brush?.keys && (
        <i
          class="curve-cursor"
          style={{ left: `${brush.to}px`, top: `${plot.top}px`, height: `${plot.height}px` }}
        />
      )}
      {placed.map(({ kind, pixel, label, labelLeft, x }) => (
        <div key={`${kind} ${x} ${label}`} class={`curve-mark curve-${kind}`} data-mark={kind}>
          <i
            style={{ left: `${pixel}px`, top: `${plot.top}px`, height: `${plot.height}px` }}
            data-tip={`${label}\n${axis.text(x)}`}
          />
          {labelLeft !== null && (
            <span style={{ left: `${labelLeft}px`, top: `${plot.top - 18}px` }} data-tip={axis.text(x)}>
              {label}
            </span>
          )}
        </div>
      ))}
    </div>
  );
}

/** The marks over a panel's curves, for its picture. */
export function drawnMarks(panel: HTMLElement): NonNullable<PictureParts["marks"]> {
  return [...panel.querySelectorAll<HTMLElement>(".curve-mark")].flatMap((mark) => {
    const line = mark.querySelector("i");
    const label = mark.querySelector("span");
    if (!line) return [];
    const { offsetLeft: left, offsetTop: top, offsetHeight: height } = line;
    return [{ left, top, height, label: label?.textContent ?? "", labelLeft: label?.offsetLeft ?? null }];
  });
}
