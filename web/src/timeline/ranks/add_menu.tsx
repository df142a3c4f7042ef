// "Add to timeline": the ranks of the span, and those of another span or run, on one axis.
import { inFile } from "../../api/source";
import { server } from "../../api/profiles";
import { go, place as placeAtom } from "../../base/history";
import { withPage } from "../../base/place";
import { fill, words } from "../../base/words";
import { anchorOf } from "../../widgets/float";
import { useAtom } from "../../widgets/hooks";
import { openMenu, type MenuEntries } from "../../widgets/menu";
import { addedText, ranksAreOpen, readRanks } from "./ranks_state";

interface Group {
  run: string;
  span: string;
  workers: number;
}

/** The spans of all runs, each with the number of its workers. */
function groupsOf(): Group[] {
  const groups: Group[] = [];
  for (const run of server.get()?.runs ?? []) {
    const spans = new Map<string, number>();
    for (const worker of run.workers)
      for (const span of worker.spans) spans.set(span.name, (spans.get(span.name) ?? 0) + 1);
    for (const [span, workers] of spans) groups.push({ run: run.name, span, workers });
  }
  return groups;
}

export function AddMenu({ stateKey }: { stateKey: string }) {
  useAtom(server);
  const say = words.ranks;
  const place = useAtom(placeAtom);
  const groups = groupsOf();
  const isOwn = ({ run, span }: Group) => run === place.run && span === place.span;
  const own = groups.find(isOwn);
  const others = groups.filter((group) => !isOwn(group));
  if (inFile() || ((own?.workers ?? 0) < 2 && others.length === 0)) return null;
  const open = ranksAreOpen(place.page, stateKey);
  const { added } = readRanks(place.page, stateKey);
  const show = (text: string) =>
    go(withPage(placeAtom.get(), { [`${stateKey}.ranks`]: "span", [`${stateKey}.added`]: text }));
  const entries = (): MenuEntries => [
    {
      title: fill(say.ofSpan, { n: String(own?.workers ?? 1) }),
      checked: open && added === null,
      run: () => show(""),
    },
    ...(others.length > 0 ? [null] : []),
    ...others.map((group) => ({
      title: fill(say.andSpan, { run: group.run, span: group.span, n: String(group.workers) }),
      checked: open && added?.run === group.run && added.span === group.span,
      run: () => show(addedText(group.run, group.span)),
    })),
  ];
  return (
    <button
      class="plain text"
      aria-haspopup="menu"
      data-tip={say.addTip}
      onClick={(event) => openMenu(anchorOf(event.currentTarget), say.add, entries)}
    >
      {say.add}
    </button>
  );
}
