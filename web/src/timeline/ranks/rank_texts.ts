// What is said of a rank: under the pointer, and in the details.
import type { AxisCollective, AxisRank } from "../../api/ranks";
import { formatAlone, formatShort } from "../../base/units";
import { fill, words } from "../../base/words";
import type { RanksController, Under } from "./controller";

export function rankTitle(ranks: RanksController, row: number): string {
  const { rank, worker, run, role } = ranks.axis.ranks[row];
  const numbered = role ? `${role} ${rank}` : fill(words.ranks.rank, { n: String(rank) });
  const own = rank === null ? worker : numbered;
  const several = new Set(ranks.axis.ranks.map((each) => each.job)).size > 1;
  return several ? `${run} · ${own}` : own;
}

/** "+12.3 µs ± 4 µs": how far its clock is ahead. */
export function offsetText({ clock }: AxisRank): string {
  if (!clock) return "";
  if (!clock.known) return words.ranks.unknownClock;
  if (clock.rule === "reference") return words.ranks.reference;
  const sign = (clock.offset ?? 0) < 0 ? "−" : "+";
  const offset = sign + formatShort(Math.abs(Math.round(clock.offset ?? 0)), "ns");
  return clock.spread === null ? offset : `${offset} ± ${formatShort(Math.round(clock.spread), "ns")}`;
}

export function collectiveTitle({ kind, about, group, ranks, size }: AxisCollective): string {
  const where = about || group;
  const of = fill(words.ranks.ofRanks, { n: String(ranks.length), all: String(size ?? ranks.length) });
  return [kind, where, of].filter(Boolean).join(", ");
}

export function tipText(ranks: RanksController, under: Under): string {
  const rank = ranks.axis.ranks[under.row];
  const say = words.ranks;
  const lines = [`${rankTitle(ranks, under.row)} (${rank.worker})`];
  if (rank.status === "failed") lines.push(say.failed);
  else if (!rank.clock) lines.push(say.reading);
  else if (under.doing === null) lines.push(say.nothingRecorded);
  else {
    const partly = under.share < 1 && under.doing !== "idle";
    lines.push(say.doing[under.doing] + (partly ? `, ${formatAlone(under.share, "share")}` : ""));
  }
  if (rank.clock) lines.push(`${say.clock}: ${offsetText(rank)}`);
  const linked = ranks.hovered;
  if (linked && linked.row === under.row) {
    const { collective } = linked;
    lines.push(collectiveTitle(collective));
    if (collective.waited !== null)
      lines.push(fill(say.waited, { time: formatAlone(collective.waited, "ns") }));
    if (collective.last !== null) lines.push(fill(say.last, { rank: rankTitle(ranks, collective.last) }));
  }
  return lines.join("\n");
}
