/** How many characters a text has: code points, however many units each is stored in. */
export function charactersIn(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Whether a text has more than so many characters. Most texts are told by their units. */
export const isLonger = (text: string, limit: number): boolean => text.length > limit && charactersIn(text) > limit;
