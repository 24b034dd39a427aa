const pad = (part: string): string => part.padStart(2, "0");

/** The beginnings of the months' names in English and German. */
const months = "jan jän, feb, mar mär mrz, apr, may mai, jun, jul, aug, sep, oct okt, nov, dec dez"
  .split(", ")
  .map((names) => names.split(" "));
const monthOf = (name: string): string => {
  const start = name.slice(0, 3).toLowerCase();
  return String(months.findIndex((names) => names.includes(start)) + 1);
};

type Parts = [year: string | undefined, month: string | undefined, day?: string | undefined];

/** The year, month and day that a text may mean. */
function partsIn(text: string): Parts[] {
  const dotted = /^(?:(\d{1,2})\.\s?)?(\d{1,2})\.\s?(\d{4})$/.exec(text);
  if (dotted) return [[dotted[3], dotted[2], dotted[1]]];
  // With the time, as programs write it.
  const yearFirst = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:[T ]\d{2}:\d{2}\S*)?$/.exec(text);
  if (yearFirst) return [[yearFirst[1], yearFirst[3], yearFirst[4]]];
  const slashed = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text);
  if (slashed) {
    const [, first, second, year] = slashed;
    return first === second
      ? [[year, first, second]]
      : [
          [year, second, first],
          [year, first, second],
        ];
  }
  const dayFirst = /^(?:(\d{1,2})\.?\s+)?(\p{L}{3,9})\.?,?\s+(\d{4})$/u.exec(text);
  if (dayFirst) return [[dayFirst[3], monthOf(dayFirst[2] ?? ""), dayFirst[1]]];
  const monthFirst = /^(\p{L}{3,9})\.?\s+(\d{1,2}),?\s+(\d{4})$/u.exec(text);
  return monthFirst ? [[monthFirst[3], monthOf(monthFirst[1] ?? ""), monthFirst[2]]] : [];
}

function dateOf([year = "", month = "", day]: Parts): string[] {
  const date = [year, pad(month), ...(day === undefined ? [] : [pad(day)])].join("-");
  const milliseconds = Date.parse(day === undefined ? `${date}-01` : date);
  // 31 February is read as a day in March.
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString().startsWith(date) ? [date] : [];
}

/**
 * The dates, as the API writes them (`2026-11-23`), that a text may mean: `23.11.2026`, `11/23/2026`, `Nov 2026`. Two for
 * `3/4/2026`, which is in April or in March; none for other text.
 */
export const datesIn = (text: string): string[] => partsIn(text.normalize("NFC").trim()).flatMap(dateOf);

/** A date or an interval of the API, with the spaces, and the dash, that people put around and into it. */
const spaced = /^\s*(\d{4}(?:-\d{2}){0,2})(?:\s*[/–—]\s*(\d{4}(?:-\d{2}){0,2}))?\s*$/;

/** The only date that a text can mean; other text stays as it is. */
export function isoDate(text: string): string {
  const [date, other] = datesIn(text);
  if (date !== undefined) return other === undefined ? date : text;
  const [, from, to] = spaced.exec(text) ?? [];
  return from === undefined ? text : [from, ...(to === undefined ? [] : [to])].join("/");
}
