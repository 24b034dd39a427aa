import type { RecordBody } from "../../api-client/record-types.ts";
import { personName } from "../../format/names.ts";

/**
 * A citation for drafts, and for records until the API's citation is loaded: "Family, G., & Family, G. (2024). Title.
 * Publisher. https://doi.org/…".
 */
export function plainCitation({ metadata, pids }: RecordBody): string {
  const people = (metadata.creators ?? []).map(({ person_or_org: person = {} }) => {
    const initials = (person.given_name ?? "").split(/[\s.-]+/).filter(Boolean);
    return person.type === "personal" && initials.length
      ? `${person.family_name}, ${initials.map((name) => `${name[0]}.`).join(" ")}`
      : personName(person);
  });
  const authors = people.length > 1 ? `${people.slice(0, -1).join(", ")}, & ${people.at(-1)}` : (people[0] ?? "");
  const year = metadata.publication_date?.slice(0, 4) ?? "n.d.";
  const doi = pids.doi ? ` https://doi.org/${pids.doi.identifier}` : "";
  const publisher = metadata.publisher ? ` ${metadata.publisher}.` : "";
  const title = (metadata.title ?? "").replace(/\.$/, "");
  return `${authors} (${year}). ${title}.${publisher}${doi}`;
}
