/** How many characters a text has: code points, however many units each is stored in. */
function charactersIn(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Whether a text has fewer than so many characters. */
export const isShorter = (text: string, limit: number): boolean =>
  text.length < 2 * limit && charactersIn(text) < limit;

/** Whether a text has more than so many characters. Most texts are told by their units. */
export const isLonger = (text: string, limit: number): boolean => text.length > limit && charactersIn(text) > limit;
