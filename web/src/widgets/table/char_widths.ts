// The width of a character in the table's two fonts, measured once: names are shortened by counting characters,
// without a layout by the browser.
import type { CharWidths } from "./columns";

let known: CharWidths | null = null;

export function charWidths(): CharWidths {
  if (known) return known;
  const context = document.createElement("canvas").getContext("2d");
  const style = getComputedStyle(document.documentElement);
  const measure = (family: string, text: string): number => {
    if (!context) return 7;
    context.font = `12px ${style.getPropertyValue(family)}`;
    return context.measureText(text).width / text.length;
  };
  known = {
    mono: measure("--mono", "0000000000"),
    sans: measure("--sans", "Mean duration of the operator aten::0123"),
  };
  return known;
}

const measured = new Map<string, number>();
const kMostMeasured = 5000;
let context: CanvasRenderingContext2D | null = null;

/** The width of a text in the 12 px sans font; a title is measured bold, as it is drawn when sorted. */
function sansWidth(text: string, weight: number): number {
  const key = `${weight}${text}`;
  let width = measured.get(key);
  if (width === undefined) {
    context ??= document.createElement("canvas").getContext("2d");
    if (!context) return text.length * 8;
    context.font = `${weight} 12px ${getComputedStyle(document.documentElement).getPropertyValue("--sans")}`;
    width = Math.ceil(context.measureText(text).width);
    if (measured.size >= kMostMeasured) measured.clear();
    measured.set(key, width);
  }
  return width;
}

export function titleWidth(title: string): number {
  return sansWidth(title, 600);
}

export function textWidth(text: string): number {
  return sansWidth(text, 400);
}
