import { edtf } from "../edtf.schema.ts";
import { described, list, object, required, searched } from "../field.schema.ts";
import { text } from "../text.schema.ts";
import { vocabularyValue } from "../vocabulary-value.schema.ts";

/** `metadata.publication_date`. */
export const publicationDate = searched(described(edtf({ mayHaveTime: false }), "EDTF date or interval"), {
  "metadata.publication_date": { kind: "keyword", bareWords: "shared" },
  "metadata.publication_date_range": { kind: "days" },
});

/** `metadata.dates[]`. */
export const dates = searched(
  list(
    object({
      date: required(edtf({ mayHaveTime: true })),
      type: required(vocabularyValue("datetypes")),
      description: text(),
    }),
  ),
  {
    "metadata.dates.date": { kind: "keyword" },
    "metadata.dates.date_range": { kind: "days" },
    "metadata.dates.description": { kind: "text", bareWords: { weight: 1, column: 16 } },
  },
);
