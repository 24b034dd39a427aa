import { z } from "zod";
import { type VocabularyEntry, vocabularyTypes } from "../vocabularies/vocabulary.schema.ts";

const texts = z.record(z.string(), z.string());
const text = z.string();

/** An entry may have more values than this version knows. Values of another form would break the lists that show them. */
const entryForm = z.looseObject({
  id: text.min(1),
  title: texts.optional(),
  description: texts.optional(),
  icon: text.optional(),
  props: texts.optional(),
  tags: z.array(text).optional(),
  name: text.optional(),
  acronym: text.optional(),
  given_name: text.optional(),
  family_name: text.optional(),
  country: text.optional(),
  identifiers: z.array(z.looseObject({ scheme: text, identifier: text })).optional(),
  affiliations: z.array(z.looseObject({ id: text.optional(), name: text.optional() })).optional(),
  subject: text.optional(),
  scheme: text.optional(),
  number: text.optional(),
  funder: z.looseObject({ id: text, name: text.optional() }).optional(),
});

/** An imported entry, identical to the server's. Times in microseconds UTC. */
const mirroredEntry = z.object({
  type: z.enum(vocabularyTypes),
  entry: z.custom<VocabularyEntry>((value) => entryForm.safeParse(value).success),
  created: z.int(),
  updated: z.int(),
  revision_id: z.int(),
});
export type MirroredEntry = z.infer<typeof mirroredEntry>;

/** `GET /api/sync/vocabularies?cursor=…&limit=…`: the imported entries that changed after the cursor. */
export const vocabularyPage = z.object({
  entries: z.array(mirroredEntry).max(1000),
  cursor: z.string().max(1000),
  more: z.boolean(),
});
export type VocabularyPage = z.infer<typeof vocabularyPage>;
