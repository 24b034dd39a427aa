import { z } from "zod";
import { list, object, presented, report, searched } from "../field.schema.ts";
import { linePlace, namedBy } from "../place.schema.ts";
import { text } from "../text.schema.ts";
import { entryId } from "../vocabulary-value.schema.ts";

const subjectObject = object(
  { id: entryId("subjects"), subject: text() },
  {
    ignored: ["scheme", "title", "props"],
    alsoInDocuments: { scheme: linePlace },
    normalise: (value) => (value.id === undefined ? value : { id: value.id }),
    rule: ({ id, subject }, path, check) => {
      if (!id && !subject) report(check, path, "An existing id or a free text subject must be present.");
    },
  },
);

const subjectAnswer = z.object({ id: z.string(), subject: z.string(), scheme: z.string() }).partial();

const subject = presented(subjectObject, subjectAnswer, (value, lookups) => {
  const entry = value.id === undefined ? undefined : lookups.findEntry("subjects", value.id);
  if (!entry) return { ...value };
  const { subject: name, scheme } = entry;
  return { ...value, ...(name ? { subject: name } : {}), ...(scheme ? { scheme } : {}) };
});

/** `metadata.subjects[]`: an entry of the vocabulary, or free text. */
export const subjects = searched(list(subject, { namesOf: namedBy("id", "subject"), renames: false }), {
  "metadata.subjects.subject": { kind: "text", bareWords: { weight: 3, column: 15 } },
  "metadata.subjects.subject.keyword": { kind: "keyword" },
});
