import type { EntryLookups, EntryReference, VocabularyEntry } from "./vocabulary.schema.ts";

/** The affiliations of a person and the funder of an award that are entries themselves. */
export function referencesOf({ affiliations = [], funder }: VocabularyEntry): EntryReference[] {
  const ids = affiliations.flatMap(({ id }) => (id === undefined ? [] : [id]));
  return [
    ...ids.map((id): EntryReference => ({ type: "affiliations", id })),
    ...(funder === undefined ? [] : [{ type: "funders" as const, id: funder.id }]),
  ];
}

/** The entry with their names, which replace names of its own, as in a record (records 8). */
export function withReferredNames(entry: VocabularyEntry, { findEntry }: EntryLookups): VocabularyEntry {
  const named = <Reference extends { id?: string }>(type: EntryReference["type"], reference: Reference): Reference => {
    const name = reference.id === undefined ? undefined : findEntry(type, reference.id)?.name;
    return name === undefined ? reference : { ...reference, name };
  };
  const { affiliations, funder } = entry;
  return {
    ...entry,
    ...(affiliations ? { affiliations: affiliations.map((one) => named("affiliations", one)) } : {}),
    ...(funder ? { funder: named("funders", funder) } : {}),
  };
}
