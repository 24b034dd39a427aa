import type { Creator } from "../../../api-client/record-types.ts";
import { normaliseOrcid } from "./orcid.ts";

const orcidPattern = /(?:https?:\/\/orcid\.org\/)?\b\d{4}-\d{4}-\d{4}-\d{3}[\dX]\b/i;

/** Initials that end a name, as in "Noether E." and "Curie MS". */
const lastInitials = /^(\S*\p{Ll}.*?)\s((?:\p{Lu}\.[\s-]?)+|\p{Lu}{1,3})$/u;

/** Family and given name, however they stand: "Family, Given", "Family G." or "Given Family". */
function splitName(text: string): [family: string, given: string] {
  const comma = text.indexOf(",");
  if (comma >= 0) return [text.slice(0, comma), text.slice(comma + 1)];
  const [, family, initials] = lastInitials.exec(text) ?? [];
  if (family && initials) return [family, initials];
  const space = text.lastIndexOf(" ");
  return [text.slice(space + 1), text.slice(0, Math.max(0, space))];
}

function namesOf(text: string): { family_name: string; given_name?: string } {
  const [family, given] = splitName(text);
  const given_name = given.trim();
  return { family_name: family.trim(), ...(given_name ? { given_name } : {}) };
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

/** A word that joins two people only where both are written "Family, Given", or where the whole text is one line. */
const joint = /\s+(?:and|&)\s+/;

function splitLine(line: string, isAlone: boolean): string[] {
  return line.split(/;(?![^(]*\))/).flatMap((part) => {
    const parts = part.split(joint);
    return isAlone || parts.every((one) => one.includes(",")) ? parts : [part];
  });
}

/** Splits pasted text into people: at line ends and semicolons, and at " and " (BibTeX). */
export function parsePeople(text: string): Creator[] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim());
  const parts = lines.flatMap((line) => splitLine(line, lines.length === 1));
  return parts.flatMap((line) => parsePerson(line.replace(/^[\s\-*•\d.]+(?=\p{L})/u, "")) ?? []);
}

/** The line that `parsePeople` reads as this person. */
function lineOf({ person_or_org: { family_name, given_name, identifiers } = {}, affiliations = [] }: Creator): string {
  const inside = affiliations.map(({ name }) => name).join("; ");
  const parts = [`${family_name}, ${given_name ?? ""}`.trim(), inside && `(${inside})`, identifiers?.[0]?.identifier];
  return parts.filter(Boolean).join(" ");
}

/** The people as text, with family and given name of one of them exchanged. */
export const withNamesSwapped = (people: readonly Creator[], index: number): string =>
  people
    .map((person, at) => {
      const { family_name, given_name } = person.person_or_org ?? {};
      if (at !== index || !given_name || !family_name) return lineOf(person);
      const swapped = { ...person.person_or_org, family_name: given_name, given_name: family_name };
      return lineOf({ ...person, person_or_org: swapped });
    })
    .join("\n");
