// All links between views: rows, slices and items lead to other views through this file.
import type { Report } from "../api/client";
import { server } from "../api/profiles";
import { inFile } from "../api/source";
import { fillParameters, fillText, type TableData } from "../api/table_data";
import type { ProfilePlace, RowDoor } from "../api/types";
import { go, place } from "../base/history";
import { inView, kOther, otherOf, withoutRows, withParameters, type Place } from "../base/place";
import { Atom } from "../base/atom";
import { addedText } from "../timeline/ranks/ranks_state";
import { placeWithRow } from "../widgets/table/table_state";

/** The panel to scroll to after a link inside the same page was followed. */
export const revealed = new Atom<{ table: string }>({ table: "" });

/** Whether a panel of the report shows this table's rows. */
export function showsRows(report: Report, table: string): boolean {
  return report.panels.some(
    (panel) => (panel.kind === "table" || panel.kind === "tree") && panel.table === table,
  );
}

export function selectRow(table: string, row: number): void {
  const now = place.get();
  const page = { ...now.page };
  delete page[`${table}.search`];
  go(placeWithRow({ ...now, page }, table, row));
  revealed.set({ table });
}

/** The state of the timeline that names the run it adds; "<other>" is replaced by the other profile of the report. */
const kAdded = "timeline.added";

/** Parameters of a link that name the profile to which it leads; `open`: by the path or address of its trace. */
const kProfileKeys = ["run", "worker", "span", "open"];

/** The trace that the server must open before the link can be followed. */
export function traceToOpen(door: RowDoor, table: TableData, row: number): string {
  return fillParameters(table, row, door.parameters).open ?? "";
}

/** `opened`: the profile of the trace that the server has opened for the link. */
export function doorPlace(door: RowDoor, table: TableData, row: number, opened?: ProfilePlace): Place {
  const filled = fillParameters(table, row, door.parameters);
  const known = Object.fromEntries(
    Object.entries(filled).filter(([key, value]) => value !== "" && !kProfileKeys.includes(key)),
  );
  const now = place.get();
  const compared = door.view === now.view ? otherOf(now) : {};
  const [, other] = table.profiles;
  if (known[kAdded] === "<other>") known[kAdded] = other ? addedText(other.run, other.span) : "";
  const named = opened ?? (door.other ? other : undefined);
  const from = named ? { ...now, ...named } : atWorker(door, table, row);
  return inView(from, door.view, { ...compared, ...known }, fillText(table, row, door.find ?? ""));
}

/** Where a link opens: here, at another worker of the run, or at a profile of another run. */
function atWorker(door: RowDoor, table: TableData, row: number): Place {
  const now = place.get();
  const { run, worker = "", span = "" } = fillParameters(table, row, door.parameters);
  if (run) return { ...now, run, worker, span };
  const name = door.worker ? fillText(table, row, door.worker) : now.worker;
  if (name === now.worker) return now;
  const found = server
    .get()
    ?.runs.find((run) => run.name === now.run)
    ?.workers.find((each) => each.name === name);
  const same = found?.spans.find((each) => each.name === now.span) ?? found?.spans[0];
  return { ...now, worker: name, span: same?.name ?? "" };
}

/** A link is disabled if its flag column says so, or if a cell that it needs is unknown. */
export function doorIsOpen(door: RowDoor, table: TableData, row: number): boolean {
  if (inFile() && door.parameters?.open) return false;
  const flag = door.when ? table.byKey.get(door.when) : undefined;
  if (flag?.kind === "flag" && flag.flags[row] !== 1) return false;
  const filled = fillParameters(table, row, door.parameters ?? {});
  if (door.find && fillText(table, row, door.find) === "") return false;
  if (door.worker && fillText(table, row, door.worker) === "") return false;
  return Object.entries(door.parameters ?? {}).every(
    ([key, value]) => !value.startsWith("$") || filled[key] !== "",
  );
}

/** Parameters with the same meaning in every view: they are carried to the views that have them. */
export const kStepKeys = ["steps", "step"];

export function viewPlace(view: string): Place {
  const now = place.get();
  const known = server.get()?.views.find((v) => v.id === view)?.parameters ?? [];
  const carried = kStepKeys.filter((key) => known.includes(key) && now.parameters[key] !== undefined);
  return inView(now, view, Object.fromEntries(carried.map((key) => [key, now.parameters[key]])));
}

export function goToView(view: string): void {
  if (place.get().view !== view) go(viewPlace(view));
}

/** Sets parameters of the view; an empty text removes one. The next report has other rows. */
export function goWithin(changes: Record<string, string>): void {
  const spelt = Object.entries(changes).map(([key, value]) => [key, value === "" ? null : value]);
  go(withParameters(withoutRows(place.get()), Object.fromEntries(spelt)));
}

/** The same place for other profiles: rows and parts are identified by their numbers, which are different there. */
function elsewhere(changes: Record<string, string> = {}): Place {
  return withParameters(withoutRows(place.get()), { ...changes, node: null });
}

function comparedWith(run: string, worker: string, span: string): Place {
  return elsewhere({ [kOther.run]: run, [kOther.worker]: worker, [kOther.span]: span });
}

/** Compares with another profile. */
export function compareWith(run: string, worker: string, span: string): void {
  go(comparedWith(run, worker, span));
}

/** Exchanges the baseline and the compared profile. */
export function swapWith(compared: ProfilePlace): void {
  const { run, worker, span } = place.get();
  go({ ...comparedWith(run, worker, span), ...compared });
}

/** Another profile in the same view. */
export function goToProfile(run: string, worker: string, span: string): void {
  go({ ...elsewhere(), run, worker, span });
}
