import { workSchemes } from "../../identifiers/scheme.schema.ts";
import { list, required, searched } from "../field.schema.ts";
import { identified, identifierNames, identifiersOf, noDuplicates } from "../identifiers.schema.ts";
import { namedBy, part, word } from "../place.schema.ts";
import { text } from "../text.schema.ts";
import { vocabularyValue } from "../vocabulary-value.schema.ts";

/** `metadata.identifiers[]`. */
export const identifiers = searched(identifiersOf(workSchemes, noDuplicates), {
  "metadata.identifiers.identifier": { kind: "text", bareWords: { weight: 3, column: 18 } },
});

/** `metadata.related_identifiers[]`. */
export const relatedIdentifiers = searched(
  list(
    identified(
      workSchemes,
      { relation_type: required(vocabularyValue("relationtypes")), resource_type: vocabularyValue("resourcetypes") },
      { isFirstInDocuments: true },
    ),
    {
      // The same work may be related in two ways.
      namesOf: (item) =>
        identifierNames(item).map((name) => `${word(part(part(item, "relation_type"), "id"))}:${name}`),
    },
  ),
  { "metadata.related_identifiers.identifier": { kind: "keyword" } },
);

/** `metadata.references[]`. */
export const references = searched(
  list(
    identified(
      workSchemes,
      { reference: required(text({ blankMessage: "Reference cannot be a blank string." })) },
      { isOptional: true },
    ),
    { namesOf: namedBy("reference") },
  ),
  {
    "metadata.references.reference": { kind: "text", bareWords: { weight: 1, column: 17 } },
    "metadata.references.identifier": { kind: "keyword" },
  },
);
