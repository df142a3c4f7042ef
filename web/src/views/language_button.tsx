// A button for the other language, labelled with that language's name for itself.
import { chooseLanguage, nameOf, otherLanguage, language as languageAtom } from "../base/language";
import type { Language } from "../base/translate";
import { fill, words } from "../base/words";
import { say } from "../widgets/copy";
import { useAtom } from "../widgets/hooks";

export function speak(to: Language): void {
  void chooseLanguage(to).then((done) => !done && say(words.languageFailed));
}

export function LanguageButton() {
  const now = useAtom(languageAtom);
  const other = otherLanguage();
  const label = fill(words.language, { name: nameOf(now) });
  return (
    <button
      class="plain round language"
      aria-label={label}
      data-tip={`${label} (l)`}
      onClick={() => speak(other)}
    >
      <span lang={other}>{other === "zh" ? "中" : "EN"}</span>
    </button>
  );
}
