/** A text that is typed, and written to the address when the typing rests. */
export interface TypedText {
  /** As it is in the box. */
  text: string;
  /** As it was in the address when that was last looked at. */
  value: string;
  /** What was written to the address and has not arrived there, oldest first. */
  onItsWay: readonly string[];
}

export const typedTextOf = (value: string): TypedText => ({ text: value, value, onItsWay: [] });

/** Whether the box holds what the address neither has nor is about to have. */
export const isOwed = ({ text, value, onItsWay }: TypedText): boolean => text !== (onItsWay.at(-1) ?? value);

/** The text of the box is written to the address. */
export const sent = (now: TypedText): TypedText =>
  isOwed(now) ? { ...now, onItsWay: [...now.onItsWay, now.text] } : now;

/**
 * The address has another text. One that was typed here leaves the box alone, in which more may stand by now; one that
 * came otherwise (a link, another page of the history) takes the place of what is in the box.
 */
export function arrived(now: TypedText, value: string): TypedText {
  const place = now.onItsWay.lastIndexOf(value);
  return place < 0 ? typedTextOf(value) : { ...now, value, onItsWay: now.onItsWay.slice(place + 1) };
}
