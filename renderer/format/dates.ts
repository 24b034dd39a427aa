const pad = (part: string): string => part.padStart(2, "0");

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const monthOf = (name: string): string => String(months.indexOf(name.slice(0, 3).toLowerCase()) + 1);

type Parts = [year: string | undefined, month: string | undefined, day?: string | undefined];

/** The year, month and day that a text may mean. */
function partsIn(text: string): Parts[] {
  const dotted = /^(?:(\d{1,2})\.\s?)?(\d{1,2})\.\s?(\d{4})$/.exec(text);
  if (dotted) return [[dotted[3], dotted[2], dotted[1]]];
  const yearFirst = /^(\d{4})[/.](\d{1,2})[/.](\d{1,2})$/.exec(text);
  if (yearFirst) return [[yearFirst[1], yearFirst[2], yearFirst[3]]];
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
export const datesIn = (text: string): string[] => partsIn(text.trim()).flatMap(dateOf);

/** The only date that a text can mean; other text stays as it is. */
export function isoDate(text: string): string {
  const [date, other] = datesIn(text);
  return date !== undefined && other === undefined ? date : text;
}
