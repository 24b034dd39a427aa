import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { type Leaf, leafPath } from "../../../../shared/metadata/custom-field-groups.ts";
import type { VocabularyEntry } from "../../../api-client/record-types.ts";
import { vocabularyQuery } from "../../../api-client/vocabularies.ts";
import { useCustomLabels } from "../../../components/use-custom-labels.ts";
import { withLeaf } from "../../../format/custom-fields.ts";
import type { CitedFields } from "./appeared.ts";
import { readWorks } from "./read-work.ts";
import type { ReadWork } from "./work.ts";

/** The members of custom fields as a citation fills them. */
export const leavesIn = (fields: CitedFields): { leaf: Pick<Leaf, "name" | "member">; value: string }[] =>
  Object.entries(fields).flatMap(([name, value]) =>
    typeof value === "string"
      ? [{ leaf: { name }, value }]
      : Object.entries(value).map(([member, inner]) => ({ leaf: { name, member }, value: inner })),
  );

/** Without fields that this repository does not declare: what they would hold has no place. */
function placedHere(work: ReadWork, isDeclared: (path: string) => boolean): ReadWork {
  const leaves = leavesIn(work.custom_fields);
  const [placed, others] = [true, false].map((isWanted) =>
    leaves.filter(({ leaf }) => isDeclared(leafPath(leaf)) === isWanted),
  );
  return {
    ...work,
    custom_fields: (placed ?? []).reduce<Record<string, unknown>>(
      (fields, { leaf, value }) => withLeaf(fields, leaf, value),
      {},
    ) as CitedFields,
    unplaced: [
      ...work.unplaced,
      ...(others ?? []).map(({ leaf, value }) => ({ name: leaf.member ?? leaf.name, value })),
    ],
  };
}

/** Adds the title of the resource type, which a citation names by id. */
function withTitles(work: ReadWork, types: VocabularyEntry[]): ReadWork {
  const type = types.find(({ id }) => id === work.metadata.resource_type?.id);
  if (!type) return work;
  return { ...work, metadata: { ...work.metadata, resource_type: { id: type.id, title: type.title } } };
}

/** Prepares works that were read for drafts of this repository. */
export function usePlacedWorks(read: readonly ReadWork[]): ReadWork[] {
  const { data: types } = useQuery(vocabularyQuery("resourcetypes"));
  const { labelOfPath } = useCustomLabels();
  return read.map((work) => placedHere(withTitles(work, types ?? []), (path) => labelOfPath(path) !== undefined));
}

/** The works of a text, which is read once. */
export const useReadWorks = (text: string): ReadWork[] => usePlacedWorks(useMemo(() => readWorks(text), [text]));
