import { useQueries } from "@tanstack/react-query";
import { readPath } from "../../../shared/documents/path-text.ts";
import type { Conflict } from "../../api-client/sync-types.ts";
import { vocabularyEntryQuery } from "../../api-client/vocabularies.ts";
import { htmlWords } from "../../format/html-words.ts";
import { titleText } from "../../format/names.ts";
import { wordsOf } from "../compare/compare-records.ts";

type Vocabulary = Parameters<typeof vocabularyEntryQuery>[0];

// By the last part of the path; of a role or type, by the list as well.
const vocabularies: Record<string, Vocabulary> = {
  resource_type: "resourcetypes",
  relation_type: "relationtypes",
  lang: "languages",
  "creators role": "creatorsroles",
  "contributors role": "contributorsroles",
  "additional_titles type": "titletypes",
  "additional_descriptions type": "descriptiontypes",
  "dates type": "datetypes",
};

function vocabularyOf(path: string): Vocabulary | undefined {
  const parts = readPath(path);
  const last = parts.at(-1) ?? "";
  return vocabularies[last] ?? vocabularies[`${parts[1]} ${last}`];
}

/** The id of an entry that a document names without its title. */
const bareId = (value: unknown): string | undefined => {
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : undefined;
  return typeof id === "string" ? id : undefined;
};

/** A value as text; "–" if empty. */
export const wordsOfValue = (value: unknown): string =>
  (typeof value === "string" ? htmlWords(value) : wordsOf(value)) || "–";

/** Both values of a conflict as text. A document names entries of vocabularies by id: their titles are read. */
export function useConflictWords({ path, mine, theirs }: Conflict): { mine: string; theirs: string } {
  const vocabulary = vocabularyOf(path);
  const ids = vocabulary ? [mine, theirs].map((value) => bareId(value) ?? "") : [];
  const found = useQueries({
    queries: ids.map((id) => ({ ...vocabularyEntryQuery(vocabulary ?? "resourcetypes", id), enabled: id !== "" })),
  });
  const words = (value: unknown, index: number) => titleText(found[index]?.data?.title, wordsOfValue(value));
  return { mine: words(mine, 0), theirs: words(theirs, 1) };
}
