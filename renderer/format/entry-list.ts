export type Move = { index: number; step: 1 | -1 };

/** The list with one entry moved; the same list if there is no room. */
export function movedEntry<Entry>(entries: Entry[], { index, step }: Move): Entry[] {
  const [one, other] = [entries[index], entries[index + step]];
  if (one === undefined || other === undefined) return entries;
  return entries.with(index, other).with(index + step, one);
}

/** The list with an edited entry in its place; at the end if somebody removed the entry meanwhile. */
export const editedEntry = <Entry>(entries: Entry[], edited: Entry, next: Entry): Entry[] =>
  entries.includes(edited) ? entries.map((entry) => (entry === edited ? next : entry)) : [...entries, next];
