import { byCharacter, list, object, required, searched } from "../field.schema.ts";
import { text } from "../text.schema.ts";
import { vocabularyValue } from "../vocabulary-value.schema.ts";

/** `metadata.title`. */
export const title = searched(byCharacter(text({ min: 3 })), {
  "metadata.title": { kind: "joined", bareWords: { weight: 8, column: 0 } },
  "metadata.title.original": { kind: "original", bareWords: { weight: 4, column: 1 } },
  "metadata.title.keyword": { kind: "keyword" },
});

/** `metadata.additional_titles[]`. */
export const additionalTitles = searched(
  list(
    object({
      title: required(text({ min: 3 })),
      type: required(vocabularyValue("titletypes")),
      lang: vocabularyValue("languages"),
    }),
  ),
  {
    "metadata.additional_titles.title": { kind: "joined", bareWords: { weight: 5, column: 2 } },
    "metadata.additional_titles.title.original": { kind: "original", bareWords: { weight: 2, column: 3 } },
  },
);
