// Control characters but tab, line feed and carriage return; zero-width characters; what XML cannot hold; and what
// reorders the text around it: embeddings, overrides and isolates. Direction marks (U+200E, U+200F) reorder nothing else.
const unwanted =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point (records 8, type S)
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b-\u200d\u202a-\u202e\u2060\u2066-\u2069\ufeff\ufffe\uffff]/g;

/** Text as it is stored: trimmed, without control and zero-width characters (records 8, type S). */
export const cleanText = (text: string): string => text.toWellFormed().replace(unwanted, "").trim();

/** What no name may have: control characters, line separators, and what makes a name read as another one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
const misleading = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Whether a name holds characters that hide or reorder what it says. */
export const isMisleading = (name: string): boolean => name.search(misleading) >= 0 || !name.isWellFormed();

/** A name from elsewhere, such as a member of an archive, with `_` for each such character. */
export const withoutMisleading = (name: string): string => name.toWellFormed().replace(misleading, "_");

/** How many characters a text has: code points, however many units each is stored in. */
function charactersIn(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Whether a text has fewer than so many characters. */
export const isShorter = (text: string, limit: number): boolean =>
  text.length < 2 * limit && charactersIn(text) < limit;

/** Whether a text has more than so many characters. Counts only where the units do not tell. */
export const isLonger = (text: string, limit: number): boolean =>
  text.length > limit && (text.length > 2 * limit || charactersIn(text) > limit);
