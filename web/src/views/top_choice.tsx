// The number of slices of a donut, in its head: ten at most, because more cannot be distinguished.
import type { TableData } from "../api/table_data";
import type { PanelOf } from "../api/types";
import { adjust, place as placeAtom } from "../base/history";
import { withPage, type Place } from "../base/place";
import { words } from "../base/words";
import { kMostSlices } from "../widgets/chart/donut";
import { useAtom } from "../widgets/hooks";

const kChoices = [3, 5, 8, 10];

export function topOf(panel: PanelOf<"breakdown">, key: string, place: Place): number {
  const chosen = Number(place.page[`${key}.top`] ?? panel.top ?? kMostSlices);
  return chosen >= 1 ? Math.min(kMostSlices, Math.floor(chosen)) : kMostSlices;
}

/** If all rows fit, there is nothing to choose. */
export function hasChoice(table: TableData | undefined): boolean {
  return table !== undefined && table.rows > kMostSlices;
}

export function TopChoice({ panel, panelKey }: { panel: PanelOf<"breakdown">; panelKey: string }) {
  const place = useAtom(placeAtom);
  const top = topOf(panel, panelKey, place);
  const standard = Math.min(kMostSlices, panel.top ?? kMostSlices);
  const choices = [...new Set([...kChoices, top, standard])].sort((a, b) => a - b);
  return (
    <label class="top-choice">
      <span class="muted">{words.top}</span>
      <select
        class="bare"
        value={String(top)}
        onChange={(event) => {
          const next = Number(event.currentTarget.value);
          adjust((now) => withPage(now, { [`${panelKey}.top`]: next === standard ? "" : String(next) }));
        }}
      >
        {choices.map((n) => (
          <option key={n} value={String(n)}>
            {n}
          </option>
        ))}
      </select>
    </label>
  );
}
