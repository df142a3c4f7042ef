// Panels in rows: full, half, third. A panel that does not fit beside its neighbour goes below it, and the last
// one of a row takes the remaining width. Panels that have nothing to show are one line below the others; if all have
// nothing, each is a line that says why.
import { useState } from "preact/hooks";
import type { Report } from "../api/client";
import type { Panel } from "../api/types";
import { fill, words } from "../base/words";
import { hasNothing } from "./empty_panels";
import { PanelView } from "./panel";

interface Props {
  report: Report;
  /** A prefix of every state key: distinguishes the panels inside expanded rows. */
  prefix: string;
}

function EmptyPanels({ panels }: { panels: Panel[] }) {
  return (
    <dl class="panel empty-panels">
      {panels.map((panel) => (
        <div key={panel.id} data-panel={panel.id}>
          <dt>{panel.title}</dt>
          <dd>{panel.empty || words.nothingHere}</dd>
        </div>
      ))}
    </dl>
  );
}

export function PanelGrid({ report, prefix }: Props) {
  const [unfolded, setUnfolded] = useState(false);
  const empty = report.panels.filter((panel) => hasNothing(panel, report));
  const areAll = empty.length > 1 && empty.length === report.panels.length;
  if (prefix === "" && areAll) return <EmptyPanels panels={empty} />;
  const folded = prefix === "" && !unfolded && empty.length < report.panels.length ? empty : [];
  return (
    <div class={prefix === "" ? "panel-grid" : "panel-grid inner"}>
      {report.panels
        .filter((panel) => !folded.includes(panel))
        .map((panel) => (
          <PanelView key={panel.id} panel={panel} report={report} prefix={prefix} />
        ))}
      {folded.length > 0 && (
        <p class="folded">
          {fill(words.foldedPanels, { names: folded.map(({ title }) => title).join(", ") })}
          <button class="plain text" onClick={() => setUnfolded(true)}>
            {words.showFolded}
          </button>
        </p>
      )}
    </div>
  );
}
