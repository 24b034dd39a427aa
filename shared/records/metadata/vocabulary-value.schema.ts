import { z } from "zod";
import type { LocalisedText, VocabularyType } from "../../vocabularies/vocabulary.schema.ts";
import { type Check, type Field, isPlainObject, messages, report } from "./field.schema.ts";
import { cleanText } from "./text.schema.ts";

export interface VocabularyValue {
  id: string;
}
export interface ExpandedVocabularyValue extends VocabularyValue {
  title?: LocalisedText;
}

/** Notes an id that its vocabulary does not have: such a call is refused as a whole (records 3.3). */
function requireEntry(type: VocabularyType, id: string, path: string, check: Check): void {
  if (check.findEntry(type, id)) return;
  check.unknownEntries.push({ field: path, messages: [`Invalid value ${id}.`] });
}

/** The `id` of an entry, as a member of an object that may also hold free text. */
export const entryId = (type: VocabularyType): Field<string> => ({
  shape: z.string(),
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

/** `V(type)` of records 8: `{id}` is stored, output adds `title`, an input `title` is ignored. */
export function vocabularyValue(type: VocabularyType): Field<VocabularyValue, ExpandedVocabularyValue> {
  const member = entryId(type);
  return {
    shape: z.object({ id: z.string() }).describe(`An entry of the vocabulary ${type}`),
    read(input, path, check) {
      if (!isPlainObject(input)) {
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
