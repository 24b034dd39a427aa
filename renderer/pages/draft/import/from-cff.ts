import { parseYaml } from "./small-yaml.ts";
import { joined, organisation, person, type ReadWork, workOf } from "./work.ts";

/** A CITATION.cff as a work. */
export function fromCff(text: string): ReadWork[] {
  if (!/^cff-version:/m.test(text)) return [];
  const file = parseYaml(text);
  const word = (name: string) => (typeof file[name] === "string" ? file[name] : undefined);
  const authors = (Array.isArray(file.authors) ? file.authors : []).filter((one) => typeof one === "object");
  const keywords = Array.isArray(file.keywords) ? file.keywords.filter((one) => typeof one === "string") : [];
  const work = workOf({
    type: word("type") ?? "software",
    title: word("title"),
    date: word("date-released"),
    creators: authors.flatMap((one) => {
      const family = joined(one["name-particle"], one["family-names"], one["name-suffix"]);
      if (one["family-names"]) return [person(family, one["given-names"], one.orcid, one.affiliation)];
      return one.name ? [organisation(one.name)] : [];
    }),
    abstract: word("abstract"),
    version: word("version"),
    subjects: keywords,
    doi: word("doi"),
    unplaced: Object.entries(file).flatMap(([name, value]) =>
      cffRead.has(name) || name === "repository-code"
        ? []
        : [{ name, value: typeof value === "string" ? value : JSON.stringify(value) }],
    ),
  });
  const repository = word("repository-code");
  if (!repository) return [work];
  return [{ ...work, custom_fields: { ...work.custom_fields, "code:codeRepository": repository } }];
}

/** Keys of a CITATION.cff that `fromCff` reads, and those that only say what the file is. */
const cffRead = new Set(
  "cff-version message type title date-released authors keywords abstract version doi".split(" "),
);
