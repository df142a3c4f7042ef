// Below the rows: the selected rank with its clock, and the collective there with all its ranks.
import type { AxisCollective } from "../../api/ranks";
import { formatAlone } from "../../base/units";
import { fill, words } from "../../base/words";
import type { RanksController } from "./controller";
import { openRank } from "./open_rank";
import { collectiveTitle, offsetText, rankTitle } from "./rank_texts";

const kMostListed = 200;

function Fact({ label, text }: { label: string; text: string }) {
  return text === "" ? null : (
    <div>
      <dt>{label}</dt>
      <dd>{text}</dd>
    </div>
  );
}

/** Its ranks, the last to come first. */
function Members({ ranks, collective }: { ranks: RanksController; collective: AxisCollective }) {
  const say = words.ranks;
  const length = ({ start, end }: { start: number; end: number }) => end - start;
  const members = [...collective.ranks].sort((a, b) => length(a) - length(b)).slice(0, kMostListed);
  return (
    <table class="ranks-members">
      <thead>
        <tr>
          <th>{say.member}</th>
          <th>{say.inIt}</th>
          <th>{say.waiting}</th>
        </tr>
      </thead>
      <tbody>
        {members.map((member) => (
          <tr key={member.rank}>
            <td>
              <button
                class="link"
                onClick={() =>
                  ranks.set({ select: { rank: member.rank, time: middleOf(ranks, member) } }, "go")
                }
              >
                {rankTitle(ranks, member.rank)}
              </button>
            </td>
            <td>{formatAlone(length(member), "ns")}</td>
            <td>
              {collective.transfer === null ? "–" : formatAlone(length(member) - collective.transfer, "ns")}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function middleOf(ranks: RanksController, { rank, start, end }: AxisCollective["ranks"][number]): number {
  const middle = (start + end) / 2;
  return middle + ranks.alignment.shift(rank, middle);
}

export function RankDetails({ ranks, stateKey }: { ranks: RanksController; stateKey: string }) {
  const { select } = ranks.state;
  const rank = select ? ranks.axis.ranks[select.rank] : undefined;
  if (!select || !rank) return null;
  const say = words.ranks;
  const { clock } = rank;
  const collective = ranks.selected?.collective;
  return (
    <section class="ranks-details" aria-label={rankTitle(ranks, select.rank)}>
      <div class="details-head">
        <h3>{rankTitle(ranks, select.rank)}</h3>
        <span class="muted">{rank.worker}</span>
        <button class="button" onClick={() => openRank(ranks, select.rank, stateKey)}>
          {say.open}
        </button>
        <label class="ranks-shift">
          {say.byHand}
          <input
            class="field"
            type="number"
            step="any"
            value={(ranks.state.shifts.get(select.rank) ?? 0) / 1000}
            onChange={(event) => ranks.shiftBy(select.rank, Number(event.currentTarget.value) * 1000)}
          />
          µs
        </label>
        <button class="plain round" aria-label={say.deselect} onClick={() => ranks.deselect()}>
          ×
        </button>
      </div>
      <div class="ranks-facts">
        <dl>
          <Fact label={say.host} text={rank.host} />
          <Fact label={say.clock} text={offsetText(rank)} />
          <Fact label={say.rule} text={clock?.title ?? ""} />
          <Fact label={say.ends} text={clock && clock.ends > 0 ? String(clock.ends) : ""} />
          <Fact
            label={say.drift}
            text={
              clock && clock.drift !== null && clock.drift !== 0
                ? `${(clock.drift * 1e6).toFixed(2)} ppm`
                : ""
            }
          />
          <Fact label={say.why} text={clock?.why ?? ""} />
          <Fact label={say.caused} text={rank.caused === null ? "" : formatAlone(rank.caused, "ns")} />
        </dl>
        {collective && (
          <div class="ranks-collective">
            <h4>{collectiveTitle(collective)}</h4>
            <p class="muted">
              {[
                collective.sequence === null ? "" : fill(say.sequence, { n: String(collective.sequence) }),
                collective.step === null ? "" : fill(words.timeline.step, { title: String(collective.step) }),
                collective.bytes === null ? "" : formatAlone(collective.bytes, "bytes"),
                collective.waited === null
                  ? say.unmatched
                  : fill(say.waited, { time: formatAlone(collective.waited, "ns") }),
                collective.last === null ? "" : fill(say.last, { rank: rankTitle(ranks, collective.last) }),
              ]
                .filter(Boolean)
                .join(" · ")}
            </p>
            <Members ranks={ranks} collective={collective} />
          </div>
        )}
      </div>
    </section>
  );
}
