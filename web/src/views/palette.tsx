// Ctrl-K: one search over everything that has a name. Views, profiles and settings are known immediately; the
// names in the operators and kernels tables are requested when the palette opens.
import { useEffect, useState } from "preact/hooks";
import { fetchReport, reportQuery, type Report } from "../api/client";
import { findSpan, server } from "../api/profiles";
import { cellText, labelColumn } from "../api/table_data";
import type { ServerState } from "../api/types";
import { go, place as placeAtom } from "../base/history";
import { kLanguages, nameOf } from "../base/language";
import { inView } from "../base/place";
import { changeSettings, isRailFolded } from "../base/settings";
import { fill, words } from "../base/words";
import { closeFloat, openFloat } from "../widgets/float";
import { useAtom } from "../widgets/hooks";
import { Picker, type PickerItem } from "../widgets/picker";
import { placeWithRow } from "../widgets/table/table_state";
import { speak } from "./language_button";
import { goToProfile, goToView } from "./navigate";

/** Views whose tables contain names that users search for. */
const kNamed = ["operators", "kernels", "modules"];

function viewItems(state: ServerState): PickerItem[] {
  const { span } = findSpan(state, placeAtom.get());
  return state.views.map((view) => ({
    title: view.title,
    hint: words.paletteGroups.view,
    disabled: span?.views?.[view.id] ?? undefined,
    take: () => goToView(view.id),
  }));
}

function profileItems(state: ServerState): PickerItem[] {
  return state.runs.flatMap((run) =>
    run.workers.flatMap((worker) =>
      worker.spans.map((span) => ({
        title: [run.name, worker.name, span.name].join(" › "),
        hint: words.paletteGroups.profile,
        take: () => goToProfile(run.name, worker.name, span.name),
      })),
    ),
  );
}

function settingItems(): PickerItem[] {
  const hint = words.paletteGroups.setting;
  const themes = (["light", "dark", "auto"] as const).map((theme) => ({
    title: fill(words.setTheme, { theme: words.themeNames[theme] }),
    hint,
    take: () => changeSettings({ theme }),
  }));
  const languages = kLanguages.map((language) => ({
    title: fill(words.setLanguage, { name: nameOf(language) }),
    hint,
    take: () => speak(language),
  }));
  const folded = isRailFolded();
  return [
    ...themes,
    ...languages,
    {
      title: folded ? words.unfoldRail : words.foldRail,
      hint,
      take: () => changeSettings({ railFolded: !folded }),
    },
    // After the palette has closed.
    {
      title: words.sourceLinks.title,
      hint,
      take: () => setTimeout(async () => (await import("./source_settings")).openSourceSettings()),
    },
  ];
}

function nameItems(report: Report): PickerItem[] {
  const panel = report.panels.find((p) => p.kind === "table" || p.kind === "tree");
  const table = panel && "table" in panel ? report.tables.get(panel.table) : undefined;
  const label = table && labelColumn(table);
  if (!table || !label) return [];
  return Array.from({ length: table.rows }, (_, row) => ({
    title: cellText(label, row),
    hint: report.title,
    code: true,
    take: () => go(placeWithRow(inView(placeAtom.get(), report.view), table.key, row)),
  }));
}

function Palette() {
  const state = useAtom(server);
  const [named, setNamed] = useState<PickerItem[]>([]);
  useEffect(() => {
    if (!state) return;
    const place = placeAtom.get();
    const { span } = findSpan(state, place);
    if (span?.status !== "ready") return;
    const leave = new AbortController();
    for (const view of kNamed) {
      if (!state.views.some((v) => v.id === view) || span.views?.[view]) continue;
      const { run, worker, parameters } = inView(place, view);
      fetchReport(reportQuery({ run, worker, span: place.span, view, parameters }), leave.signal)
        .then((report) => setNamed((before) => [...before, ...nameItems(report)]))
        .catch(() => undefined);
    }
    return () => leave.abort();
  }, []);
  const items = state ? [...viewItems(state), ...profileItems(state), ...settingItems(), ...named] : [];
  return <Picker wide items={items} hint={words.paletteHint} onTake={closeFloat} />;
}

export function openPalette(): void {
  const middle = innerWidth / 2;
  const half = Math.min(320, middle - 8);
  openFloat({
    anchor: { left: middle - half, right: middle + half, top: 48, bottom: 48 },
    title: words.palette,
    align: "left",
    content: () => <Palette />,
  });
}
