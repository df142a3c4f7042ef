// The names of the rows beside them: all where rows are high enough, else as many as fit.
import { words } from "../../base/words";
import type { RanksController } from "./controller";
import { openRank } from "./open_rank";
import { offsetText, rankTitle } from "./rank_texts";

const kNameHeight = 15;

export function RankNames({ ranks, stateKey }: { ranks: RanksController; stateKey: string }) {
  const { order, rowHeight, contentHeight, axis, state, alignment } = ranks;
  const every = Math.max(1, Math.ceil(kNameHeight / rowHeight));
  const named = order.map((row, at) => ({ row, at })).filter(({ at }) => at % every === 0);
  return (
    <div class="timeline-names ranks-names" style={{ height: `${contentHeight}px` }}>
      {named.map(({ row, at }) => {
        const rank = axis.ranks[row];
        const title = rankTitle(ranks, row);
        const uncertain = alignment.isUncertain(row);
        return (
          <button
            key={row}
            class={state.select?.rank === row ? "plain ranks-name chosen" : "plain ranks-name"}
            style={{ top: `${at * rowHeight}px`, height: `${Math.max(kNameHeight, rowHeight)}px` }}
            data-tip={`${rank.worker}\n${words.ranks.clock}: ${offsetText(rank)}\n${words.ranks.openTip}`}
            onClick={() => openRank(ranks, row, stateKey)}
          >
            <span>{title}</span>
            <span class="muted">
              {state.align === "clocks"
                ? uncertain
                  ? "?"
                  : rank.clock?.rule === "reference"
                    ? ""
                    : offsetText(rank)
                : ""}
            </span>
          </button>
        );
      })}
    </div>
  );
}
