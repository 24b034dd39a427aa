import { z } from "zod";
import { cleanText } from "../kernel/characters.ts";
import { isObject } from "../kernel/json.ts";
import type { VocabularyType } from "../vocabularies/vocabulary.schema.ts";
import { type Check, type Field, messages, report } from "./field.schema.ts";
import { linePlace, refPlace } from "./place.schema.ts";

interface VocabularyValue {
  id: string;
}

/** A vocabulary entry in answers. */
export const vocabularyAnswer = z
  .object({ id: z.string(), title: z.record(z.string(), z.string()).optional() })
  .describe("An entry of a vocabulary, with its title.");
type ExpandedVocabularyValue = z.infer<typeof vocabularyAnswer>;

/** Reports an id that is not in its vocabulary. Such a call is refused as a whole (records 3.3). */
function requireEntry(type: VocabularyType, id: string, path: string, check: Check): void {
  if (check.findEntry(type, id)) return;
  check.unknownEntries.push({ field: path, messages: [`Invalid value ${id}.`] });
}

/** The `id` of an entry, as a member of an object that may have free text instead. */
export const entryId = (type: VocabularyType): Field<string> => ({
  shape: z.string(),
  answer: z.string(),
  place: linePlace,
  read(input, path, check) {
    if (typeof input !== "string") {
      report(check, path, messages.notString);
      return undefined;
    }
    const id = cleanText(input);
    requireEntry(type, id, path, check);
    return id;
  },
  expand: (id) => id,
});

/** `V(type)` of records 8: stores `{id}`, adds `title` to the output and ignores a `title` in the input. */
export function vocabularyValue(type: VocabularyType): Field<VocabularyValue, ExpandedVocabularyValue> {
  const member = entryId(type);
  return {
    shape: z.object({ id: z.string() }).describe(`An entry of the vocabulary ${type}`),
    answer: vocabularyAnswer,
    place: refPlace,
    read(input, path, check) {
      if (!isObject(input)) {
        report(check, path, messages.notObject);
        return undefined;
      }
      for (const key of Object.keys(input)) {
        if (key !== "id" && key !== "title") report(check, `${path}.${key}`, messages.unknown);
      }
      if (!Object.hasOwn(input, "id")) {
        report(check, `${path}.id`, messages.missing);
        return undefined;
      }
      if (input.id === null) {
        report(check, `${path}.id`, messages.isNull);
        return undefined;
      }
      const id = member.read(input.id, `${path}.id`, check);
      return id === undefined ? undefined : { id };
    },
    expand({ id }, lookups) {
      const title = lookups.findEntry(type, id)?.title;
      return title ? { id, title } : { id };
    },
  };
}
