import { normaliseOrcid } from "../creators/orcid.ts";
import {
  affiliated,
  doiIn,
  listed,
  named,
  organisation,
  person,
  type ReadCreator,
  type ReadWork,
  withRest,
  workOf,
} from "./work.ts";

type Entity = Record<string, unknown>;

const isEntity = (value: unknown): value is Entity => typeof value === "object" && value !== null;
const wordOf = (value: unknown): string | undefined => {
  const [first] = [value].flat();
  return typeof first === "string" && first.trim() !== "" ? first : undefined;
};

/** An id that is meant as an ORCID; other ids only tell the entities apart. */
const orcidOf = (id: unknown): string | undefined => {
  const word = wordOf(id) ?? "";
  return /\borcid\.org\//i.test(word) || normaliseOrcid(word) ? word : undefined;
};

/** Types of schema.org, in the words of citations. */
const types: Record<string, string> = {
  Dataset: "dataset",
  SoftwareSourceCode: "software",
  SoftwareApplication: "software",
  ScholarlyArticle: "article-journal",
  Book: "book",
  Chapter: "chapter",
  Thesis: "thesis",
  Report: "report",
};

/** Keys of the root entity that `fromRoCrate` reads, and those that only say what the crate is. */
const read = new Set(
  `@id @type @reverse additionalType conformsTo name description author creator datePublished dateCreated dateModified
  publisher version keywords identifier cite-as url hasPart isAccessibleForFree`.split(/\s+/),
);

/** Keys of an author that `fromRoCrate` reads. */
const authorRead = new Set(["@id", "@type", "name", "familyName", "givenName", "affiliation"]);

/** The entities of a crate by their id. */
function entitiesOf(text: string): Map<string, Entity> | undefined {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    return undefined;
  }
  const graph = isEntity(file) ? file["@graph"] : undefined;
  if (!Array.isArray(graph)) return undefined;
  return new Map(graph.filter(isEntity).map((entity) => [String(entity["@id"]), entity]));
}

/** The entity that the crate is about; its descriptor names it. */
function rootOf(entities: Map<string, Entity>): Entity | undefined {
  for (const [id, { about }] of entities) {
    const [subject] = [about].flat();
    if (/(^|\/)ro-crate-metadata\.json(ld)?$/.test(id) && isEntity(subject))
      return entities.get(String(subject["@id"]));
  }
  return undefined;
}

/** An RO-Crate's metadata (`ro-crate-metadata.json`) as a work. */
export function fromRoCrate(text: string): ReadWork[] {
  const entities = entitiesOf(text);
  const root = entities && rootOf(entities);
  if (!root) return [];
  // Each entity once: a crate may name a long one thousands of times.
  const known = (value: unknown): (Entity | string)[] => {
    const found = [value].flat().flatMap((one): (Entity | string)[] => {
      if (typeof one === "string") return [one];
      return isEntity(one) ? [entities.get(String(one["@id"])) ?? one] : [];
    });
    return [...new Set(found)];
  };
  const namesOf = (value: unknown): string[] =>
    known(value).flatMap((one) => (typeof one === "string" ? wordOf(one) : wordOf(one.name)) ?? []);
  const wordsOf = (value: unknown): string => known(value).map(labelOf).filter(Boolean).join(", ");
  const creatorOf = (one: Entity | string): ReadCreator[] => {
    if (typeof one === "string") return [named(one)];
    const [name, family, type] = [wordOf(one.name), wordOf(one.familyName), wordOf(one["@type"])];
    const said = type === "Person" || type === "Organization" ? one : {};
    const rest = (creator: ReadCreator) => [withRest(creator, said, authorRead, wordsOf)];
    const affiliations = affiliated(namesOf(one.affiliation));
    if (type === "Organization") return name ? rest({ ...organisation(name), ...affiliations }) : [];
    const inName = family ? undefined : named(name ?? "").person_or_org;
    const [surname, given] = inName ? [inName.family_name, inName.given_name] : [family, wordOf(one.givenName)];
    return surname ? rest({ ...person(surname, given, orcidOf(one["@id"])), ...affiliations }) : [];
  };
  const kinds = [root.additionalType, root["@type"]].flat().map((kind) => String(kind).replace(/^.*[/#]/, ""));
  const work = workOf({
    type: kinds.map((kind) => types[kind]).find(Boolean),
    title: wordOf(root.name),
    date: wordOf(root.datePublished)?.slice(0, 10),
    creators: known(root.author ?? root.creator).flatMap(creatorOf),
    abstract: wordOf(root.description),
    publisher: namesOf(root.publisher)[0],
    version: wordOf(root.version),
    subjects: [root.keywords].flat().flatMap((words) => (typeof words === "string" ? listed(words) : [])),
    doi: [root.identifier, root["cite-as"], root.url, root["@id"]].flatMap(known).map(addressOf).find(doiIn),
    unplaced: Object.entries(root).flatMap(([name, value]) => {
      const shown = read.has(name) ? "" : wordsOf(value);
      return shown ? [{ name, value: shown }] : [];
    }),
  });
  return [work];
}

const maxLabel = 500;
const labelOf = (one: Entity | string): string =>
  (typeof one === "string" ? one : (wordOf(one.name) ?? wordOf(one["@id"]) ?? "")).slice(0, maxLabel);
const addressOf = (one: Entity | string): string =>
  typeof one === "string" ? one : (wordOf(one.value) ?? wordOf(one["@id"]) ?? "");
