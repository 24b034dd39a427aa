/** A text that is written to the address when typing pauses. */
export interface TypedText {
  /** The text in the box. */
  text: string;
  /** The text last seen in the address. */
  value: string;
  /** Texts written to the address that have not arrived yet, oldest first. */
  onItsWay: readonly string[];
}

export const typedTextOf = (value: string): TypedText => ({ text: value, value, onItsWay: [] });

/** Whether the box has text that must still be written. */
export const isOwed = ({ text, value, onItsWay }: TypedText): boolean => text !== (onItsWay.at(-1) ?? value);

/** Records that the text was written to the address. */
export const sent = (now: TypedText): TypedText =>
  isOwed(now) ? { ...now, onItsWay: [...now.onItsWay, now.text] } : now;

/** The address changed. A text that was typed here leaves the box alone; any other (a link, history) replaces it. */
export function arrived(now: TypedText, value: string): TypedText {
  const place = now.onItsWay.lastIndexOf(value);
  return place < 0 ? typedTextOf(value) : { ...now, value, onItsWay: now.onItsWay.slice(place + 1) };
}
