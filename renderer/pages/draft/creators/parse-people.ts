import type { Creator } from "../../../api-client/record-types.ts";
import { normaliseOrcid } from "./orcid.ts";

const orcidPattern = /(?:https?:\/\/orcid\.org\/)?\b\d{4}-\d{4}-\d{4}-\d{3}[\dX]\b/i;

function namesOf(text: string): { family_name: string; given_name?: string } {
  const comma = text.indexOf(",");
  const [family, given] =
    comma >= 0
      ? [text.slice(0, comma), text.slice(comma + 1)]
      : [text.slice(text.lastIndexOf(" ") + 1), text.slice(0, Math.max(0, text.lastIndexOf(" ")))];
  const given_name = given?.trim();
  return { family_name: family?.trim() ?? "", ...(given_name ? { given_name } : {}) };
}

/** Parses one person: "Family, Given (Affiliation; Affiliation) 0000-0000-0000-0000", also "Given Family". */
function parsePerson(line: string): Creator | undefined {
  const found = orcidPattern.exec(line)?.[0];
  const orcid = found ? normaliseOrcid(found) : undefined;
  const affiliations = [...line.matchAll(/\(([^)]*)\)/g)]
    .flatMap(([, inside = ""]) => inside.split(";"))
    .map((name) => ({ name: name.trim() }))
    .filter(({ name }) => name && !orcidPattern.test(name));
  const name = line
    .replace(orcidPattern, "")
    .replace(/\([^)]*\)|<[^>]*>|\[[^\]]*\]/g, "")
    .replace(/^[\s,;]+|[\s,;]+$/g, "")
    .replace(/\s+/g, " ")
    .trim();
  if (!name) return undefined;
  return {
    person_or_org: {
      type: "personal",
      ...namesOf(name),
      ...(orcid ? { identifiers: [{ scheme: "orcid", identifier: orcid }] } : {}),
    },
    ...(affiliations.length ? { affiliations } : {}),
  };
}

/** Splits pasted text into people: one per line; in a single line also by semicolon or " and " (BibTeX). */
export function parsePeople(text: string): Creator[] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim());
  const parts = lines.length > 1 ? lines : (lines[0]?.split(/;(?![^(]*\))|\s+and\s+|\s+&\s+/) ?? []);
  return parts.flatMap((line) => parsePerson(line.replace(/^[\s\-*•\d.]+(?=\p{L})/u, "")) ?? []);
}
