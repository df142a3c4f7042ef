// The page's own keys: search here and everywhere, the key sheet, the rail, and `g` with a letter for
// each view.
import type { ViewEntry } from "../api/types";
import { addShortcut } from "../base/keys";
import { otherLanguage } from "../base/language";
import { words } from "../base/words";
import { closeFloat, isFloatOpen } from "../widgets/float";
import { changeSettings, isRailFolded } from "../base/settings";
import { openKeySheet } from "./key_sheet";
import { speak } from "./language_button";
import { goToView } from "./navigate";
import { openPalette } from "./palette";
import { viewKeys } from "./view_keys";

function focusSearch(): void {
  const fields = [...document.querySelectorAll<HTMLInputElement>("[data-search]")];
  const inSight = fields.find((field) => {
    const { top, bottom } = field.getBoundingClientRect();
    return top >= 40 && bottom <= innerHeight;
  });
  const field = inSight ?? fields[0];
  field?.focus();
  field?.select();
}

/** Registers the page's keys; returns a function that removes them. */
export function addPageShortcuts(views: ViewEntry[]): () => void {
  const page = words.keyGroups.page;
  const ends = [
    addShortcut({ keys: "Ctrl+k", title: words.keyPalette, group: page, run: openPalette }),
    addShortcut({ keys: "/", title: words.keySearch, group: page, run: focusSearch }),
    addShortcut({ keys: "?", title: words.keyHelp, group: page, run: openKeySheet }),
    addShortcut({
      keys: "b",
      title: words.keyRail,
      group: page,
      run: () => changeSettings({ railFolded: !isRailFolded() }),
    }),
    addShortcut({ keys: "l", title: words.keyLanguage, group: page, run: () => speak(otherLanguage()) }),
  ];
  const keys = viewKeys(views);
  for (const view of views) {
    const key = keys.get(view.id);
    if (key === undefined) continue;
    const run = () => {
      if (isFloatOpen()) closeFloat();
      goToView(view.id);
    };
    ends.push(addShortcut({ keys: `g ${key}`, title: view.title, group: words.keyGroups.go, run }));
  }
  return () => ends.forEach((end) => end());
}
