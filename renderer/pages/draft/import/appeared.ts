/** Custom fields as a citation fills them. */
export type CitedFields = Record<string, Record<string, string> | string>;

/** Something that a citation says and a draft has no place for. */
export interface Unplaced {
  name: string;
  value: string;
}

/** Where the work appeared, in the words of a citation. */
export interface Appeared {
  journal?: string | undefined;
  book?: string | undefined;
  volume?: string | undefined;
  issue?: string | undefined;
  pages?: string | undefined;
  issn?: string | undefined;
  isbn?: string | undefined;
  place?: string | undefined;
  edition?: string | undefined;
  meeting?: string | undefined;
  meetingPlace?: string | undefined;
  meetingDates?: string | undefined;
  university?: string | undefined;
  thesisType?: string | undefined;
}

const filled = (values: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter((pair): pair is [string, string] => Boolean(pair[1]?.trim())));

/** The custom fields that a citation fills, and what has no place outside a journal. */
export function placesOf(appeared: Appeared): { custom_fields: CitedFields; unplaced: Unplaced[] } {
  const { volume, issue, issn, pages, isbn, place, edition } = appeared;
  const isInJournal = Boolean(appeared.journal || (!appeared.book && !isbn && (volume || issue || issn)));
  const numbers = filled({ volume, issue, issn });
  const fields: Record<string, Record<string, string>> = {
    "journal:journal": isInJournal ? filled({ title: appeared.journal, volume, issue, pages, issn }) : {},
    "imprint:imprint": filled({ title: appeared.book, isbn, pages: isInJournal ? undefined : pages, place, edition }),
    "meeting:meeting": filled({
      title: appeared.meeting,
      dates: appeared.meetingDates,
      place: appeared.meetingPlace,
    }),
    "thesis:thesis": filled({ university: appeared.university, type: appeared.thesisType }),
  };
  return {
    custom_fields: Object.fromEntries(Object.entries(fields).filter(([, members]) => Object.keys(members).length > 0)),
    unplaced: isInJournal ? [] : Object.entries(numbers).map(([name, value]) => ({ name, value })),
  };
}
