// The names of the rows beside them: all where rows are high enough, else as many as fit.
import { fill, words } from "../../base/words";
import { Icon } from "../../widgets/icon";
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
        const open = state.unfolded === row;
        return (
          <div
            key={row}
            class={state.select?.rank === row ? "ranks-row chosen" : "ranks-row"}
            style={{ top: `${ranks.topOf(at)}px`, height: `${Math.max(kNameHeight, rowHeight)}px` }}
          >
            <button
              class="plain ranks-fold"
              disabled={!rank.clock}
              aria-expanded={open}
              aria-label={fill(words.ranks.unfold, { rank: title })}
              onClick={() => ranks.unfold(row)}
            >
              <Icon name={open ? "down" : "chevron"} />
            </button>
            <button
              class="plain ranks-name"
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
          </div>
        );
      })}
    </div>
  );
}
