import { parseYaml } from "./small-yaml.ts";
import { joined, organisation, person, type ReadCreator, type ReadWork, withRest, workOf } from "./work.ts";

/** A person has names or, known by it alone, an alias; anything else with a name is an organisation. */
function authorOf(one: Record<string, string>): ReadCreator[] {
  const { "given-names": given, orcid, affiliation, alias } = one;
  const family = one["family-names"] && joined(one["name-particle"], one["family-names"], one["name-suffix"]);
  const rest = (creator: ReadCreator, ...read: string[]) => [withRest(creator, one, new Set(read), String)];
  const inPerson = ["name-particle", "family-names", "name-suffix", "given-names", "orcid", "affiliation"];
  const affiliations = affiliation ? [affiliation] : [];
  if (family || given)
    return rest(person(family || (given ?? ""), family ? given : "", orcid, affiliations), ...inPerson);
  if (one.name) return rest(organisation(one.name), "name");
  return alias ? rest(person(alias, "", orcid, affiliations), "alias", "orcid", "affiliation") : [];
}

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
    creators: authors.flatMap(authorOf),
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
