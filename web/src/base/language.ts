// The language of the page: English, or Chinese, whose table is loaded at its first use. It is the language in
// the address, else the one chosen before, else the browser's. A chosen language is in the address, so a shared
// link opens in that language.
import { Atom } from "./atom";
import { kLanguage } from "./place";
import { setProgramWords, type Language } from "./translate";
import { changeSettings, settings } from "./settings";
import { english, setWords } from "./words";

const kNames: Record<Language, { tag: string; name: string }> = {
  en: { tag: "en", name: "English" },
  zh: { tag: "zh-CN", name: "中文" },
};
export const kLanguages = Object.keys(kNames) as Language[];

/** The current language: everything drawn depends on it. */
export const language = new Atom<Language>("en");
let chosen: Language | null = null;
let latest: Language = "en";

/** The language in the address; empty until one is chosen. */
export function chosenLanguage(): string {
  return chosen ?? "";
}

/** The language's name for itself. */
export function nameOf(of: Language): string {
  return kNames[of].name;
}

function isLanguage(text: string | null): text is Language {
  return text !== null && (kLanguages as string[]).includes(text);
}

async function speak(to: Language): Promise<void> {
  latest = to;
  const tables = to === "zh" ? await import("./zh/chinese") : null;
  // A later choice wins.
  if (latest !== to) return;
  const table = tables?.words ?? english;
  setWords(table);
  const { formula: Formula, source: Source, differs: Differs } = table;
  setProgramWords(tables?.program ?? null, tables && { Formula, Source, Differs });
  document.documentElement.lang = kNames[to].tag;
  language.set(to);
}

/** Await this before drawing, so that nothing is drawn in another language first. */
export async function startLanguage(): Promise<void> {
  const requested = new URLSearchParams(location.search).get(kLanguage);
  chosen = isLanguage(requested) ? requested : settings.get().language;
  const usual = navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en";
  // Without its table, the page is shown in English.
  await speak(chosen ?? usual).catch(() => speak("en"));
}

/** False: its table could not be loaded, and nothing changed. */
export async function chooseLanguage(to: Language): Promise<boolean> {
  const before = chosen;
  chosen = to;
  try {
    await speak(to);
  } catch {
    chosen = before;
    return false;
  }
  changeSettings({ language: chosen });
  return true;
}

/** The other one: there are two. */
export function otherLanguage(): Language {
  return language.get() === "en" ? "zh" : "en";
}
