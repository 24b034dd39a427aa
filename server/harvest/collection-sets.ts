import { createHash } from "node:crypto";
import { listCollections } from "../../shared/collections/collection-list.ts";
import { catalogueOf, readQuery } from "../../shared/collections/collection-query.ts";
import type { Db } from "../../shared/database/open.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { analysed, scoreOf } from "../../shared/search/lists/memory-matcher.ts";
import { isFilePath } from "../../shared/search/record-fields.ts";
import { documentFields } from "../../shared/search/sqlite/document-fields.ts";
import { searchedDocuments } from "../../shared/search/sqlite/record-index.ts";
import type { Settings } from "../../shared/settings/settings.schema.ts";

const prefix = "collection:";

export const isCollectionSet = (spec: string): boolean => spec.startsWith(prefix);
export const collectionSpec = (slug: string): string => `${prefix}${slug}`;

/** Which records belong to the collections. */
export interface CollectionSets {
  /** Changes with the queries. */
  digest(db: Db): Promise<string>;
  /** The collections of each published version of a family, by id; undefined without any collection. */
  ofFamily(db: Db, parentId: string): Promise<Map<string, string[]> | undefined>;
}

/**
 * Judges records by the queries of the collections, as a stranger sees them. A collection of a group whose query cannot
 * be searched any more, such as one that names a field that the operator took away, has no records.
 * @throws Failure `unavailable` that names a collection of the settings whose query is wrong.
 */
export function collectionSets(settings: Settings, now: () => number): CollectionSets {
  const catalogue = catalogueOf(settings);
  for (const { slug, query } of settings.collections) {
    const found = readQuery(query, catalogue, now());
    if ("problem" in found)
      throw new Failure("unavailable", `The query of the collection '${slug}' is wrong: ${found.problem}`);
  }
  return {
    async digest(db) {
      const queries = (await listCollections(db, settings)).map(({ slug, query }) => [slug, query]);
      return createHash("sha256").update(JSON.stringify(queries)).digest("base64url").slice(0, 16);
    },
    async ofFamily(db, parentId) {
      const collections = await listCollections(db, settings);
      if (collections.length === 0) return undefined;
      const nodes = collections.flatMap(({ slug, query }) => {
        const found = readQuery(query, catalogue, now());
        return "node" in found ? [{ slug, node: found.node }] : [];
      });
      const documents = (await searchedDocuments(db, parentId)).filter(({ kind }) => kind === "record");
      const sets = new Map<string, string[]>();
      for (const { row, json, hasPublicFiles } of documents) {
        const fields = (await documentFields(json)).filter(({ path }) => hasPublicFiles || !isFilePath(path));
        const document = analysed(fields);
        const found = nodes.filter(({ node }) => scoreOf(node, document, catalogue) !== undefined);
        sets.set(
          row.id,
          found.map(({ slug }) => collectionSpec(slug)),
        );
      }
      return sets;
    },
  };
}
