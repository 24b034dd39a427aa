import { iso6393 } from "iso-639-3";
import type { LocalisedText, VocabularyEntry } from "../vocabulary.schema.ts";

/** Names in other languages come from the Unicode CLDR, which knows those with a two-letter code. */
const displayLanguages = ["de", "fr", "es", "it", "da"];

/** The languages of ISO 639-3 (records 8). */
export function languages(): VocabularyEntry[] {
  const names = displayLanguages.map((locale) => {
    const display = new Intl.DisplayNames([locale], { type: "language", fallback: "none" });
    return (code: string): [string, string][] => {
      const name = display.of(code);
      return name === undefined ? [] : [[locale, name]];
    };
  });
  return iso6393.map(({ name, type, iso6391, iso6393: id }) => {
    const others = iso6391 === undefined ? [] : names.flatMap((nameOf) => nameOf(iso6391));
    const title: LocalisedText = { en: name, ...Object.fromEntries(others) };
    const props: Record<string, string> = iso6391 === undefined ? {} : { alpha_2: iso6391 };
    return { id, title, props, tags: [type] };
  });
}
