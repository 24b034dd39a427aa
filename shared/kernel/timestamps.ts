const microsPerMilli = 1000;

/** Microseconds UTC as `YYYY-MM-DDThh:mm:ss.ffffff`. */
function digits(micros: number): string {
  const millis = Math.floor(micros / microsPerMilli);
  const rest = String(micros - millis * microsPerMilli).padStart(3, "0");
  return `${new Date(millis).toISOString().slice(0, 23)}${rest}`;
}

/** Times between two instants, in microseconds UTC. */
export interface Span {
  after: number;
  before: number;
}

/**
 * The times that count at an instant: of a span before it, and as much after it, for a clock that was set back a little.
 * What lies further ahead comes from a clock that was wrong.
 */
export const around = (now: number, spanMicros: number): Span => ({
  after: now - spanMicros,
  before: now + spanMicros,
});

/** How long after the first press of a button a second one may come that was meant as one. */
export const pressMicros = 60 * 1_000_000;

const hourMicros = 3_600 * 1_000_000;

/**
 * When something may end, at an instant, that ends a fixed time after it was opened. One that ends later was opened by a
 * clock that was ahead, and would live for longer than it may: it has ended. A clock that was set back an hour ends nothing.
 */
export const endsWithin = (now: number, lifeMicros: number): Span => ({
  after: now,
  before: now + lifeMicros + Math.min(lifeMicros, hourMicros),
});

export const isWithin = (time: number, { after, before }: Span): boolean => time > after && time < before;

/** `YYYY-MM-DD hh:mm:ss.ffffff`: records, drafts, files, requests, comments (records 1.6). */
export const spacedTime = (micros: number): string => digits(micros).replace("T", " ");

/** `YYYY-MM-DDThh:mm:ss.ffffff+00:00`: users, groups, tokens, links, everything under /api/sync. */
export const isoTime = (micros: number): string => `${digits(micros)}+00:00`;

/** The UTC day `YYYY-MM-DD` of an instant. */
export const dayOf = (micros: number): string => digits(micros).slice(0, 10);

/** Microseconds UTC of a text in ISO 8601 or in the spaced form (read as UTC); undefined for any other text. */
export function parseTime(text: string): number | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.(\d{1,9}))?)?\s*(Z|[+-]\d{2}:?\d{2})?$/.exec(
    text.trim(),
  );
  if (!match) return undefined;
  const [, day, time = "00:00:00", fraction = "", zone = "Z"] = match;
  const clock = time.length === 5 ? `${time}:00` : time;
  const offset = zone === "Z" || zone.includes(":") ? zone : `${zone.slice(0, 3)}:${zone.slice(3)}`;
  const millis = Date.parse(`${day}T${clock}${offset}`);
  if (Number.isNaN(millis) || (zone === "Z" && new Date(millis).toISOString().slice(0, 10) !== day)) return undefined;
  return millis * microsPerMilli + Number(fraction.padEnd(6, "0").slice(0, 6));
}
