import { agentAnswer } from "../../metadata/fields/creators.schema.ts";
import { metadataField } from "../../metadata/metadata.schema.ts";
import { vocabularyAnswer } from "../../metadata/vocabulary-value.schema.ts";
import { named, namedShapes } from "./named.schema.ts";

namedShapes.add(vocabularyAnswer, { id: "VocabularyValue" });
namedShapes.add(agentAnswer, { id: "Contributor" });

/** What is stored of metadata, entries of vocabularies spelled out (records 8); of a draft any part may be absent. */
export const metadata = named(
  "Metadata",
  "Describes a record. In a draft any part may be missing.",
  metadataField.answer,
);
