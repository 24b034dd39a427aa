import type { RecordBody } from "../../api-client/record-types.ts";
import { personName } from "../../format/names.ts";

/** "Family, G., Family, G. (2024). Title. Publisher. https://doi.org/…", made here when the API offers no such form. */
export function plainCitation({ metadata, pids }: RecordBody): string {
  const people = (metadata.creators ?? []).map(({ person_or_org }) => {
    const initials = (person_or_org.given_name ?? "").split(/[\s.-]+/).filter(Boolean);
    return person_or_org.type === "personal" && initials.length
      ? `${person_or_org.family_name}, ${initials.map((name) => `${name[0]}.`).join(" ")}`
      : personName(person_or_org);
  });
  const authors = people.length > 1 ? `${people.slice(0, -1).join(", ")}, & ${people.at(-1)}` : (people[0] ?? "");
  const year = metadata.publication_date?.slice(0, 4) ?? "n.d.";
  const doi = pids.doi ? ` https://doi.org/${pids.doi.identifier}` : "";
  const publisher = metadata.publisher ? ` ${metadata.publisher}.` : "";
  const title = (metadata.title ?? "").replace(/\.$/, "");
  return `${authors} (${year}). ${title}.${publisher}${doi}`;
}
