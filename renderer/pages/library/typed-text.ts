/** The text of a search box, which goes to the address when the user stops typing. */
export interface TypedText {
  /** The text in the box. */
  text: string;
  /** The text last seen in the address. */
  value: string;
  /** Texts committed to the address that it does not show yet, oldest first. */
  pending: readonly string[];
}

export const typedTextOf = (value: string): TypedText => ({ text: value, value, pending: [] });

/** Whether the text of the box was not committed to the address yet. */
export const isUncommitted = ({ text, value, pending }: TypedText): boolean => text !== (pending.at(-1) ?? value);

/** The state after the text was committed to the address. */
export const committed = (now: TypedText): TypedText =>
  isUncommitted(now) ? { ...now, pending: [...now.pending, now.text] } : now;

/** The state after the address changed. A text from this box keeps the box; any other (a link, history) replaces it. */
export function withAddress(now: TypedText, value: string): TypedText {
  const place = now.pending.lastIndexOf(value);
  return place < 0 ? typedTextOf(value) : { ...now, value, pending: now.pending.slice(place + 1) };
}
