const pad = (part: string): string => part.padStart(2, "0");

/**
 * A date as the API writes it (`2026-11-23`), from the ways in which many people type it: `23.11.2026`, `11.2026`,
 * `2026/11/23`. Other text, and what cannot be a date, stays as it is.
 */
export function isoDate(text: string): string {
  const dotted = /^\s*(?:(\d{1,2})\.\s?)?(\d{1,2})\.\s?(\d{4})\s*$/.exec(text);
  const slashed = /^\s*(\d{4})[/.](\d{1,2})[/.](\d{1,2})\s*$/.exec(text);
  const [year = "", month = "", day] = dotted ? [dotted[3], dotted[2], dotted[1]] : (slashed?.slice(1) ?? []);
  const date = [year, pad(month), ...(day === undefined ? [] : [pad(day)])].join("-");
  const milliseconds = Date.parse(day === undefined ? `${date}-01` : date);
  // 31 February is read as a day in March.
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString().startsWith(date) ? date : text;
}
