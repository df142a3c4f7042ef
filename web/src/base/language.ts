// The language of the page: English, or Chinese, whose table is loaded when it is first spoken. It is the one in the address,
// else the one that was chosen before, else the browser's. Once chosen it is in the address, so that a link that is
// passed on is read as it was written.
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

/** The language in force: what is drawn depends on it. */
export const language = new Atom<Language>("en");
let chosen: Language | null = null;
let latest: Language = "en";

/** The language in the address; empty until one is chosen. */
export function chosenLanguage(): string {
  return chosen ?? "";
}

/** What the language calls itself. */
export function nameOf(of: Language): string {
  return kNames[of].name;
}

function isLanguage(text: string | null): text is Language {
  return text !== null && (kLanguages as string[]).includes(text);
}

async function speak(to: Language): Promise<void> {
  latest = to;
  const tables = to === "zh" ? await import("./zh/chinese") : null;
  // Whoever chose again meanwhile is right.
  if (latest !== to) return;
  const table = tables?.words ?? english;
  setWords(table);
  const { formula: Formula, source: Source, differs: Differs } = table;
  setProgramWords(tables?.program ?? null, tables && { Formula, Source, Differs });
  document.documentElement.lang = kNames[to].tag;
  language.set(to);
}

/** To be awaited before anything is drawn, so that nothing is drawn in another language first. */
export async function startLanguage(): Promise<void> {
  const asked = new URLSearchParams(location.search).get(kLanguage);
  chosen = isLanguage(asked) ? asked : settings.get().language;
  const usual = navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en";
  // Without its table the page is better in English than not at all.
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
