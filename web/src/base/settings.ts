// Settings of the user, not of the profile: theme, language, whether the rail is folded, where source files
// are. They are kept in the browser's storage; the language is also in the address, so a link opens in the
// language it was written in.
import { Atom } from "./atom";
import type { Theme } from "./hues";
import type { Language } from "./translate";
import { kPatterns, type SourceSettings } from "./source_links";

export interface Settings extends SourceSettings {
  theme: Theme | "auto";
  /** Null: the browser's. */
  language: Language | null;
  /** Null: folded when the window is narrow. */
  railFolded: boolean | null;
  /** Whether the timeline's details are beside the lanes, and their size in pixels. */
  detailsBeside: boolean;
  detailsSize: number;
  /** Whether the wheel zooms the timeline without Ctrl; otherwise it scrolls the lanes. */
  wheelZooms: boolean;
}

const kKey = "sightline.settings";
const kDefaults: Settings = {
  theme: "auto",
  language: null,
  railFolded: null,
  detailsBeside: false,
  detailsSize: 260,
  wheelZooms: false,
  sourcePattern: kPatterns[0][1],
  pathMap: "",
};

function read(): Settings {
  try {
    return { ...kDefaults, ...JSON.parse(localStorage.getItem(kKey) ?? "{}") };
  } catch {
    return kDefaults;
  }
}

export const settings = new Atom<Settings>(kDefaults);
/** The current theme, after "auto" is resolved: charts redraw when it changes. */
export const theme = new Atom<Theme>("light");

export function startSettings(): void {
  settings.set(read());
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    const chosen = settings.get().theme;
    if (chosen === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = chosen;
    theme.set(chosen === "auto" ? (dark.matches ? "dark" : "light") : chosen);
  };
  dark.addEventListener("change", apply);
  settings.watch(apply);
  apply();
}

export function changeSettings(change: Partial<Settings>): void {
  settings.update((now) => ({ ...now, ...change }));
  try {
    localStorage.setItem(kKey, JSON.stringify(settings.get()));
  } catch {
    // Storage refused: the setting lasts as long as the page is open.
  }
}

/** Puts the timeline's details beside the lanes or below them, at a usual size. */
export function dockDetails(beside: boolean): void {
  changeSettings({ detailsBeside: beside, detailsSize: beside ? 460 : 260 });
}

const kRoomForRail = 1100;

export function isRailFolded(): boolean {
  return settings.get().railFolded ?? innerWidth < kRoomForRail;
}
