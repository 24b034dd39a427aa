import type { Db } from "../../../../shared/database/open.ts";
import type { LoadEntries } from "../../../../shared/drafts/draft-content.service.ts";
import { isObject } from "../../../../shared/kernel/json.ts";
import { collectVocabularyIds } from "../../../../shared/metadata/metadata.schema.ts";
import type { MirroredEntry } from "../../../../shared/sync-protocol/vocabularies.schema.ts";
import type { EntryReference, VocabularyEntry } from "../../../../shared/vocabularies/vocabulary.schema.ts";
import { keepVocabularyPage } from "../../../../shared/vocabularies/vocabulary-mirror.service.ts";
import { inputForm } from "./input-form.ts";
import type { TheirRecord } from "./their-record.ts";

/** The members of an entry that a body shows. */
const shown = ["title", "name", "subject", "scheme", "acronym", "number", "identifiers", "icon", "props", "funder"];

/** All objects with an id in a body, by id. */
function objectsIn(value: unknown, found = new Map<string, Record<string, unknown>>()) {
  if (Array.isArray(value)) for (const item of value) objectsIn(item, found);
  if (!isObject(value)) return found;
  if (typeof value.id === "string") found.set(value.id, { ...found.get(value.id), ...value });
  for (const member of Object.values(value)) objectsIn(member, found);
  return found;
}

function entryFrom({ type, id }: EntryReference, body: Record<string, unknown>): VocabularyEntry {
  const members = shown.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]);
  const entry: VocabularyEntry = { ...Object.fromEntries(members), id };
  if (entry.title || entry.name || entry.subject || entry.number) return entry;
  return type === "affiliations" || type === "funders" ? { ...entry, name: id } : { ...entry, title: { en: id } };
}

/** Stores the entries that a draft or record names and that are unknown here: our own validation refuses unknown ids. */
export async function learnWords(db: Db, loadEntries: LoadEntries, theirs: TheirRecord, now: number): Promise<void> {
  const references = collectVocabularyIds(inputForm(theirs).metadata, () => {});
  const lookups = await loadEntries(db, references);
  const unknown = references.filter(({ type, id }) => lookups.findEntry(type, id) === undefined);
  if (unknown.length === 0) return;
  const bodies = objectsIn(theirs.metadata);
  const version = { created: now, updated: now, revision_id: 1 };
  const entries = unknown.map(
    (one): MirroredEntry => ({
      type: one.type,
      entry: entryFrom(one, bodies.get(one.id) ?? {}),
      ...version,
    }),
  );
  await keepVocabularyPage(db, entries);
}
