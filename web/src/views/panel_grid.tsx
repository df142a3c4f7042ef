// Panels in rows: full, half, third. What does not fit beside its neighbour goes below it, and the last of
// a row takes what is left.
import type { Report } from "../api/client";
import { PanelView } from "./panel";

interface Props {
  report: Report;
  /** Put before every state key: distinguishes the panels inside expanded rows. */
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
