// How wide a character is in the table's two fonts, measured once: names are shortened by counting
// characters, without asking the browser to lay anything out.
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

const titles = new Map<string, number>();

/** The width of a column's title as it is drawn when the column is sorted (bold). */
export function titleWidth(title: string): number {
  let width = titles.get(title);
  if (width === undefined) {
    const context = document.createElement("canvas").getContext("2d");
    if (!context) return title.length * 8;
    context.font = `600 12px ${getComputedStyle(document.documentElement).getPropertyValue("--sans")}`;
    width = Math.ceil(context.measureText(title).width);
    titles.set(title, width);
  }
  return width;
}
