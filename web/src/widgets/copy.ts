// Copying text from the page, with a word of what happened where the eye is.
import { Atom } from "../base/atom";
import { words } from "../base/words";

/** A short word at the foot of the page; empty when there is nothing to say. */
export const said = new Atom("");
let timer = 0;

export function say(text: string): void {
  said.set(text);
  clearTimeout(timer);
  timer = window.setTimeout(() => said.set(""), 1600);
}

export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyBySelection(text);
  }
  say(words.copied);
}

/** Where the clipboard is not offered: plain http on another host than this one. */
function copyBySelection(text: string): void {
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "offscreen";
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}
