// A table or tree of a report: adds to the plain table what an expanded row shows (another report, drawn
// in place) and where a row leads.
import type { Report } from "../api/client";
import { reportQuery } from "../api/client";
import { fillParameters, type NumberColumn, type TableData } from "../api/table_data";
import { place as placeAtom } from "../base/history";
import { words } from "../base/words";
import { Table } from "../widgets/table/table";
import { doorIsOpen } from "./navigate";
import { Notes } from "./notes";
import { PanelGrid } from "./panel_grid";
import { linkEntries } from "./row_door";
import { useReport } from "./use_report";

interface Props {
  table: TableData;
  report: Report;
  stateKey: string;
  parent: NumberColumn | null;
}

export function TablePanel({ table, stateKey, parent }: Props) {
  const door = table.wire.row_detail;
  const detail = door
    ? (row: number) =>
        doorIsOpen(door, table, row)
          ? () => (
              <Detail
                view={door.view}
                parameters={fillParameters(table, row, door.parameters)}
                prefix={`${stateKey}/${row}/`}
              />
            )
          : undefined
    : undefined;
  return (
    <Table
      table={table}
      stateKey={stateKey}
      parent={parent}
      detail={parent ? undefined : detail}
      rowEntries={(row) => linkEntries(table, row)}
    />
  );
}

interface DetailProps {
  view: string;
  parameters: Record<string, string>;
  prefix: string;
}

function Detail({ view, parameters, prefix }: DetailProps) {
  const { run, worker, span } = placeAtom.get();
  const query = reportQuery({ run, worker, span, view, parameters });
  const { report, error } = useReport(query, "");
  if (error) return <p class="panel-empty">{error.detail.message}</p>;
  if (!report) return <p class="panel-empty muted">{words.loadingReport}</p>;
  return (
    <>
      {report.notes && <Notes notes={report.notes} />}
      <PanelGrid report={report} prefix={prefix} />
    </>
  );
}
