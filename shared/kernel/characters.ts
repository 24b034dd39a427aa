// Control characters except tab, line feed and carriage return; zero-width characters; characters that XML forbids; and
// embeddings, overrides and isolates, which reorder the text around them. Direction marks (U+200E, U+200F) do not.
const unwanted =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point (records 8, type S)
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b-\u200d\u202a-\u202e\u2060\u2066-\u2069\ufeff\ufffe\uffff]/g;

/** Text as it is stored: trimmed, without control and zero-width characters (records 8, type S). */
export const cleanText = (text: string): string => text.toWellFormed().replace(unwanted, "").trim();

/** Characters that no name may have: control characters, line separators, and those that disguise a name. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
const misleading = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Whether a name has characters that hide or reorder its text. */
export const isMisleading = (name: string): boolean => name.search(misleading) >= 0 || !name.isWellFormed();

/** A foreign name, such as that of an archive's member, with `_` in place of each misleading character. */
export const withoutMisleading = (name: string): string => name.toWellFormed().replace(misleading, "_");

/** A name that is shown although it is refused, with the code of each misleading character, such as `[U+202E]`. */
export const withVisibleCodes = (name: string): string =>
  name
    .toWellFormed()
    .replace(misleading, (sign) => `[U+${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}]`);

/** How many code points a text has. */
function charactersIn(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Whether a text has fewer than `limit` characters. */
export const isShorter = (text: string, limit: number): boolean =>
  text.length < 2 * limit && charactersIn(text) < limit;

/** Whether a text has more than `limit` characters. Counts code points only when `length` does not decide. */
export const isLonger = (text: string, limit: number): boolean =>
  text.length > limit && (text.length > 2 * limit || charactersIn(text) > limit);
