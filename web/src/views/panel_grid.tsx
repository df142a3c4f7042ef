// Panels in rows: full, half, third. A panel that does not fit beside its neighbour goes below it, and the last
// one of a row takes the remaining width.
import type { Report } from "../api/client";
import { PanelView } from "./panel";

interface Props {
  report: Report;
  /** A prefix of every state key: distinguishes the panels inside expanded rows. */
  prefix: string;
}

export function PanelGrid({ report, prefix }: Props) {
  return (
    <div class={prefix === "" ? "panel-grid" : "panel-grid inner"}>
      {report.panels.map((panel) => (
        <PanelView key={panel.id} panel={panel} report={report} prefix={prefix} />
      ))}
    </div>
  );
}
