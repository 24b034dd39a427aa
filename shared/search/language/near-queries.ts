import { withinDistance } from "./edit-distance.ts";
import { parseQuery } from "./query-parser.ts";
import { printQuery } from "./query-printer.ts";
import { fieldsOf, type QueryNode } from "./query-tree.ts";

/** Names that people give to fields, and the fields of the index. */
const names: Record<string, string> = {
  title: "metadata.title",
  creator: "metadata.creators.person_or_org.name",
  author: "metadata.creators.person_or_org.name",
  name: "metadata.creators.person_or_org.name",
  affiliation: "metadata.creators.affiliations.name",
  contributor: "metadata.contributors.person_or_org.name",
  description: "metadata.description",
  abstract: "metadata.description",
  subject: "metadata.subjects.subject",
  keyword: "metadata.subjects.subject",
  year: "metadata.publication_date_range",
  date: "metadata.publication_date_range",
  publication_date: "metadata.publication_date_range",
  publisher: "metadata.publisher",
  type: "metadata.resource_type.id",
  resource_type: "metadata.resource_type.id",
  language: "metadata.languages.id",
  license: "metadata.rights.id",
  licence: "metadata.rights.id",
  rights: "metadata.rights.id",
  funder: "metadata.funding.funder.name",
  version: "metadata.version",
  doi: "pids.doi.identifier",
  file: "files.entries.key",
  filename: "files.entries.key",
};
const targets = new Set(Object.values(names));
/** Fields of the index whose names have no dot. */
const undotted = new Set(["id", "created", "updated", "is_published", "has_draft", "deletion_status"]);

/** The field that a name means: by its everyday name, in the plural, or with up to two wrong letters. */
function meantBy(field: string): string | undefined {
  const own = field.toLowerCase();
  const exact = names[own] ?? names[own.replace(/s$/, "")];
  if (exact) return exact;
  const isNear = withinDistance(own, own.length > 4 ? 2 : 1);
  const near = Object.keys(names).find(isNear);
  return near ? names[near] : [...targets].find(isNear);
}

/** A field of a query that the index does not have, and the field that was probably meant. */
export function unknownField(q: string): { field: string; meant?: string } | undefined {
  for (const field of fieldsOf(parseQuery(q))) {
    if (undotted.has(field) || targets.has(field) || field.includes("*")) continue;
    const meant = meantBy(field);
    // Not all fields of the index are listed here, so one with a dot is only unknown when another is near.
    if (meant || !field.includes(".")) return meant ? { field, meant } : { field };
  }
  return undefined;
}

function mapLeaves(node: QueryNode, change: (leaf: QueryNode) => QueryNode): QueryNode {
  if (node.type !== "group") return change(node);
  return { ...node, clauses: node.clauses.map((clause) => ({ ...clause, node: mapLeaves(clause.node, change) })) };
}

/** The query with one field's name replaced by another. */
export const withField = (q: string, field: string, meant: string): string =>
  printQuery(
    mapLeaves(parseQuery(q), (leaf) => ("field" in leaf && leaf.field === field ? { ...leaf, field: meant } : leaf)),
  );

/** The query with words that may be misspelt: each may have one or two wrong letters. Undefined without such words. */
export function withSimilarWords(q: string): string | undefined {
  let changed = 0;
  const tree = mapLeaves(parseQuery(q), (leaf) => {
    if (leaf.type !== "word" || leaf.text.length < 3 || /\d/.test(leaf.text)) return leaf;
    changed += 1;
    return { ...leaf, type: "fuzzy" };
  });
  return changed > 0 ? printQuery(tree) : undefined;
}
