// Copies text from the page, with a short message at the foot of the page.
import { Atom } from "../base/atom";
import { words } from "../base/words";

/** The short message; empty if there is none. */
export const notice = new Atom("");
let timer = 0;

export function say(text: string): void {
  notice.set(text);
  clearTimeout(timer);
  timer = window.setTimeout(() => notice.set(""), 1600);
}

export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyBySelection(text);
  }
  say(words.copied);
}

/** For pages without the clipboard API: plain http from another host. */
function copyBySelection(text: string): void {
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "offscreen";
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}
