// Colours and fonts of the canvases, read from the page's style once per theme and colouring.
import type { TimelineInfo } from "../api/timeline";
import { categoryHue, type Theme } from "../base/hues";
import { readLook } from "../widgets/chart/look";
import { charWidths } from "../widgets/table/char_widths";
import { Colors } from "./colors";
import type { HeadLook } from "./draw_head";
import type { SceneLook } from "./draw_lanes";
import type { ColourBy } from "./state";

const kFontSize = 11;
const kSmall = 10;

export interface Looks {
  scene: Omit<SceneLook, "chosen" | "only">;
  head: HeadLook;
}

export function makeLooks(theme: Theme, by: ColourBy, info: Pick<TimelineInfo, "groups">): Looks {
  const look = readLook(theme);
  const style = getComputedStyle(document.documentElement);
  const get = (name: string) => style.getPropertyValue(name).trim();
  const { text, muted, line, surface, accent } = look;
  const band = get("--hover");
  const marker = get("--marker");
  const titles = info.groups.flatMap(({ title, lanes }) =>
    lanes.map((lane): [number, string] => [lane.lane, `${title} ${lane.title}`]),
  );
  return {
    scene: {
      colors: new Colors(theme, by, new Map(titles)),
      font: `${kFontSize}px ${look.mono}`,
      small: `${kSmall}px ${look.sans}`,
      char: (charWidths().mono * kFontSize) / 12,
      strong: text,
      line,
      band,
      bandLine: get("--line-strong"),
      head: get("--ground"),
      accent,
      muted,
      surface,
      marker,
      flowHues: {
        launch: categoryHue("runtime", theme),
        forward_backward: categoryHue("memcpy", theme),
        other: categoryHue("communication", theme),
      },
    },
    head: {
      text,
      muted,
      line: get("--line-strong"),
      surface,
      band,
      accent,
      marker,
      ground: get("--ground"),
      font: `${kFontSize}px ${look.sans}`,
      theme,
    },
  };
}
