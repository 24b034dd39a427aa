import { z } from "zod";
import { type VocabularyEntry, vocabularyTypes } from "../vocabularies/vocabulary.schema.ts";

/** An imported entry, identical to the server's. Times in microseconds UTC. */
const mirroredEntry = z.object({
  type: z.enum(vocabularyTypes),
  entry: z.custom<VocabularyEntry>((value) => typeof (value as VocabularyEntry | null)?.id === "string"),
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
