// The bar above ranks on one axis, and the legend below them.
import type { VNode } from "preact";
import { errorText } from "../../api/client";
import { go, place as placeAtom } from "../../base/history";
import type { Theme } from "../../base/hues";
import { withPage } from "../../base/place";
import { fill, words } from "../../base/words";
import { AddMenu } from "./add_menu";
import type { RanksController } from "./controller";
import { hueOf, kByActivity, kByPass } from "./paint";
import { kAligns, withoutRanks, type Align } from "./ranks_state";

interface PickProps {
  label: string;
  tip: string;
  value: string;
  choices: { value: string; title: string }[];
  onChange: (value: string) => void;
}

function Pick({ label, tip, value, choices, onChange }: PickProps) {
  return (
    <label class="timeline-choice" data-tip={tip}>
      <span>{label}</span>
      <select
        class="bare"
        value={value}
        aria-label={tip}
        onChange={(event) => {
          onChange(event.currentTarget.value);
          event.currentTarget.blur();
        }}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.title}
          </option>
        ))}
      </select>
    </label>
  );
}

/** What to know before times of ranks are compared. */
function caution(ranks: RanksController): string {
  const n = ranks.uncertain;
  const say = words.ranks;
  if (n === 0) return "";
  const text = ranks.state.align === "step" ? say.withoutSteps : say.unaligned;
  return fill(text, { n: String(n), all: String(ranks.axis.ranks.length) });
}

export function RanksBar({
  ranks,
  stateKey,
  help,
}: {
  ranks: RanksController;
  stateKey: string;
  help?: VNode;
}) {
  const say = words.ranks;
  const { state, axis, sheets } = ranks;
  const sorts = [
    { value: "rank", title: say.sorts.rank },
    { value: "late", title: say.sorts.late },
    ...axis.dimensions.map((name) => ({ value: name, title: name })),
  ];
  return (
    <div class="timeline-bar">
      <button
        class="plain text"
        onClick={() =>
          go(withPage(placeAtom.get(), { ...withoutRanks(stateKey), [`${stateKey}.window`]: "" }))
        }
      >
        {say.back}
      </button>
      <span class="timeline-rest">
        {sheets.error && (
          <span class="timeline-error">
            {fill(words.timeline.tilesFailed, { why: errorText(sheets.error) })}
          </span>
        )}
        <span class="ranks-caution" role="status">
          {caution(ranks)}
        </span>
      </span>
      <Pick
        label={say.align}
        tip={say.alignTip}
        value={state.align}
        choices={kAligns.map((value) => ({ value, title: say.aligns[value] }))}
        onChange={(value) => ranks.set({ align: value as Align }, "adjust")}
      />
      <Pick
        label={say.sort}
        tip={say.sortTip}
        value={state.sort}
        choices={sorts}
        onChange={(sort) => ranks.set({ sort }, "adjust")}
      />
      <Pick
        label={words.timeline.colour}
        tip={say.colourTip}
        value={state.passes ? "passes" : "activity"}
        choices={[
          { value: "activity", title: say.colours.activity },
          { value: "passes", title: say.colours.passes },
        ]}
        onChange={(value) => ranks.set({ passes: value === "passes" }, "adjust")}
      />
      <AddMenu stateKey={stateKey} />
      {state.shifts.size > 0 && (
        <button class="plain text" onClick={() => ranks.set({ shifts: new Map() }, "adjust")}>
          {fill(say.dropShifts, { n: String(state.shifts.size) })}
        </button>
      )}
      <button class="plain text" onClick={() => ranks.moves.fit(null)}>
        {words.timeline.fit}
      </button>
      {help}
    </div>
  );
}

export function RanksLegend({ ranks, theme }: { ranks: RanksController; theme: Theme }) {
  const doings = ranks.state.passes ? kByPass : kByActivity;
  return (
    <div class="ranks-legend">
      {doings.map((doing) => (
        <span key={doing}>
          <i style={{ background: hueOf(doing, theme) }} />
          {words.ranks.doing[doing]}
        </span>
      ))}
    </div>
  );
}
