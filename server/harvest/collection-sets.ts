import { createHash } from "node:crypto";
import type { Db } from "../../shared/database/open.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { declaredCustomFields } from "../../shared/metadata/custom-field-sets.schema.ts";
import { customKinds } from "../../shared/search/custom-kinds.ts";
import { bindQuery } from "../../shared/search/language/query-binding.ts";
import { parseQuery } from "../../shared/search/language/query-parser.ts";
import { analysed, scoreOf } from "../../shared/search/lists/memory-matcher.ts";
import { isFilePath, recordCatalogue, recordFields } from "../../shared/search/record-fields.ts";
import { searchedDocuments } from "../../shared/search/sqlite/record-index.ts";
import type { Settings } from "../../shared/settings/settings.schema.ts";

const prefix = "collection:";

export const isCollectionSet = (spec: string): boolean => spec.startsWith(prefix);
export const collectionSpec = (slug: string): string => `${prefix}${slug}`;

/** Which records belong to the operator's collections. */
export interface CollectionSets {
  /** Changes with the queries. */
  readonly digest: string;
  /** The collections of each published version of a family, by id; undefined without any collection. */
  ofFamily(db: Db, parentId: string): Promise<Map<string, string[]> | undefined>;
}

/**
 * Judges records by the queries of the collections, as a stranger sees them.
 * @throws Failure `unavailable` that names a collection whose query is wrong.
 */
export function collectionSets(settings: Settings, now: () => number): CollectionSets {
  const { collections } = settings;
  const catalogue = recordCatalogue(customKinds(declaredCustomFields(settings)));
  const bound = () => collections.map(({ slug, query }) => ({ slug, node: bindOne(slug, query) }));
  function bindOne(slug: string, query: string) {
    try {
      return bindQuery(parseQuery(query), catalogue, query, now());
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      throw new Failure("unavailable", `The query of the collection '${slug}' is wrong: ${error.message}`);
    }
  }
  bound();
  const text = JSON.stringify(collections.map(({ slug, query }) => [slug, query]));
  return {
    digest: createHash("sha256").update(text).digest("base64url").slice(0, 16),
    async ofFamily(db, parentId) {
      if (collections.length === 0) return undefined;
      // Bound anew, because a query may name times relative to now.
      const nodes = bound();
      const documents = (await searchedDocuments(db, parentId)).filter(({ kind }) => kind === "record");
      return new Map(
        documents.map(({ row, json, hasPublicFiles }) => {
          const fields = recordFields(json).filter(({ path }) => hasPublicFiles || !isFilePath(path));
          const document = analysed(fields);
          const found = nodes.filter(({ node }) => scoreOf(node, document, catalogue) !== undefined);
          return [row.id, found.map(({ slug }) => collectionSpec(slug))];
        }),
      );
    },
  };
}
