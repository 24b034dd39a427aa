import type { PresentedRecord } from "./presented-record.ts";

/** The text members of a custom field; none if the field has another shape. */
function textsOf(record: PresentedRecord, name: string): Record<string, string | undefined> {
  const value = record.custom_fields?.[name];
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(Object.entries(value).filter(([, text]) => typeof text === "string" && text !== ""));
}

const textOf = (record: PresentedRecord, name: string): string | undefined => {
  const value = record.custom_fields?.[name];
  return typeof value === "string" && value !== "" ? value : undefined;
};

function titlesOf(record: PresentedRecord, name: string): string[] {
  const value = record.custom_fields?.[name];
  return (Array.isArray(value) ? value : [value]).flatMap(
    (entry: { id?: string; title?: { en?: string } } | null | undefined) => entry?.title?.en ?? entry?.id ?? [],
  );
}

/** The values of well-known custom fields (`custom-field-sets.schema.ts`) that other formats have fields for. */
export function customDetailsOf(record: PresentedRecord) {
  const thesis = textsOf(record, "thesis:thesis");
  return {
    journal: textsOf(record, "journal:journal"),
    imprint: textsOf(record, "imprint:imprint"),
    meeting: textsOf(record, "meeting:meeting"),
    thesis: { type: thesis.type, university: thesis.university ?? textOf(record, "thesis:university") },
    repository: textOf(record, "code:codeRepository"),
    programmingLanguages: titlesOf(record, "code:programmingLanguage"),
    developmentStatus: titlesOf(record, "code:developmentStatus")[0],
  };
}

export type CustomDetails = ReturnType<typeof customDetailsOf>;

/** First and last page of a text such as `12–34`. */
export function pagesOf(pages: string | undefined): { first?: string; last?: string } {
  const [first, last] = (pages ?? "").split(/\s*[-‐‑‒–—]+\s*/);
  return { ...(first ? { first } : {}), ...(last ? { last } : {}) };
}
