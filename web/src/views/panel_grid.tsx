// Panels in rows: full, half, third. A panel that does not fit beside its neighbour goes below it, and the last
// one of a row takes the remaining width. Panels that have nothing to show are one line below the others.
import { useState } from "preact/hooks";
import type { Report } from "../api/client";
import { fill, words } from "../base/words";
import { hasNothing } from "./empty_panels";
import { PanelView } from "./panel";

interface Props {
  report: Report;
  /** A prefix of every state key: distinguishes the panels inside expanded rows. */
  prefix: string;
}

export function PanelGrid({ report, prefix }: Props) {
  const [unfolded, setUnfolded] = useState(false);
  const empty = report.panels.filter((panel) => hasNothing(panel, report));
  // If all are empty, each says why.
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
