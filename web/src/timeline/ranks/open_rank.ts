// From ranks to the timeline of one of them, at the same moment.
import { go, place as placeAtom } from "../../base/history";
import { withPage } from "../../base/place";
import type { RanksController } from "./controller";
import { withoutRanks } from "./ranks_state";

/** `slice`: of the rank, to be selected there; without it, the rank's part in the selected collective. */
export function openRank(ranks: RanksController, row: number, stateKey: string, slice?: number): void {
  const { run, worker, span } = ranks.axis.ranks[row];
  const { window } = ranks.moves;
  const shift = ranks.alignment.shift(row, (window.start + window.end) / 2);
  const found = ranks.selected?.collective.ranks.find(({ rank }) => rank === row);
  ranks.moves.flush();
  go(
    withPage(
      { ...placeAtom.get(), run, worker, span },
      {
        ...withoutRanks(stateKey),
        [`${stateKey}.window`]: `${Math.round(window.start - shift)},${Math.round(window.end - shift)}`,
        [`${stateKey}.select`]: String(slice ?? found?.slice ?? ""),
      },
    ),
  );
}
