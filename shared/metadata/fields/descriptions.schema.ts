import { byCharacter, described, list, object, required, searched } from "../field.schema.ts";
import { html } from "../text.schema.ts";
import { vocabularyValue } from "../vocabulary-value.schema.ts";

/** `metadata.description`. */
export const description = searched(described(byCharacter(html({ min: 3 })), "HTML"), {
  "metadata.description": { kind: "joined", isHtml: true, bareWords: { weight: 1, column: 4 } },
});

/** `metadata.additional_descriptions[]`. */
export const additionalDescriptions = searched(
  list(
    object({
      description: required(byCharacter(html({ min: 3 }))),
      type: required(vocabularyValue("descriptiontypes")),
      lang: vocabularyValue("languages"),
    }),
  ),
  {
    "metadata.additional_descriptions.description": {
      kind: "text",
      isHtml: true,
      bareWords: { weight: 1, column: 5 },
    },
  },
);
