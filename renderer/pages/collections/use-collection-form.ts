import { useState } from "react";
import { collectionSlug } from "../../../shared/collections/collection.schema.ts";
import { type Collection, changeCollection, createCollection } from "../../api-client/collections.ts";
import { ApiFailure, wordsOf } from "../../api-client/request.ts";
import { useChange } from "../../components/use-change.ts";

const fields = ["slug", "title", "query", "text", "group"] as const;
type Field = (typeof fields)[number];

/** An address from the words of a title: letters without accents, digits, hyphens. */
const asSlug = (title: string): string =>
  title
    .replace(/ß/g, "ss")
    .replace(/æ/gi, "ae")
    .replace(/ø/gi, "o")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+/, "")
    .slice(0, 80)
    .replace(/-+$/, "");

interface FormOptions {
  /** Undefined: a new one. */
  collection: Collection | undefined;
  /** Administrators choose the group. */
  mayChooseGroup: boolean;
  onClose: () => void;
}

/** What is typed into the form of a collection, and its saving. */
export function useCollectionForm({ collection, mayChooseGroup, onClose }: FormOptions) {
  const [typed, setTyped] = useState<Partial<Record<Field, string>>>({});
  const { title = "", text = "", query = "" } = { ...collection, ...typed };
  const slug = collection?.slug ?? typed.slug ?? asSlug(title);
  const group = typed.group ?? collection?.group ?? null;
  const save = useChange(
    () => {
      const change = { title, text, query, ...(mayChooseGroup && group !== null ? { group } : {}) };
      if (collection) return changeCollection(collection, change);
      return createCollection({ ...change, slug, group: group ?? "" });
    },
    { showsErrorHere: true, onDone: onClose },
  );
  const failure = save.error instanceof ApiFailure ? save.error : undefined;
  const problemOf = (field: Field) => wordsOf(failure?.problems.find((one) => one.field === field));
  const isSlug = collectionSlug.safeParse(slug).success;
  const isFilled = title.trim() !== "" && query.trim() !== "" && (collection !== undefined || group !== null);
  return {
    values: { slug, title, text, query, group },
    set: (field: Field) => (value: string) => {
      setTyped((before) => ({ ...before, [field]: value }));
      save.reset();
    },
    isSlug,
    isComplete: isFilled && isSlug,
    /** Whether closing would lose something. */
    isChanged: fields.some((field) => typed[field] !== undefined && typed[field] !== (collection?.[field] ?? "")),
    problemOf,
    /** A failure that no field shows. */
    failure: fields.some(problemOf) ? undefined : failure,
    save,
  };
}

export type CollectionForm = ReturnType<typeof useCollectionForm>;
