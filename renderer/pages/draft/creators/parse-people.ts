import type { Creator } from "../../../api-client/record-types.ts";
import { rowsOf } from "../../../components/pasted-cells.ts";
import { normaliseOrcid } from "./orcid.ts";

/** A person in a pasted list. */
export interface PastedPerson extends Creator {
  /** The text of an invalid ORCID, so that the user can correct it. */
  wrongOrcid?: string;
}

const orcidPattern = /(?:https?:\/\/orcid\.org\/)?\b\d{4}-\d{4}-\d{4}-\d{3}[\dX]\b/i;

/** Initials that end a name, as in "Noether E." and "Curie MS". */
const lastInitials = /^(\S*\p{Ll}.*?)\s((?:\p{Lu}\.[\s-]?)+|\p{Lu}{1,3})$/u;

/** A suffix of a family name. */
const suffix = /\s+(?:[JS]r\.?|I{2,3}|IV)$/;

const particles =
  /^(?:van|von|vom|der|den|ter|ten|zu|zum|zur|de|del|della|di|da|dal|do|dos|das|du|des|la|le|el|al|bin|ibn|af|av)$/i;

/** A middle name of many Vietnamese people, as in "Hung Van Nguyen". */
const vietnamese = /^(?:bui|dang|do|duong|ho|hoang|huynh|le|ly|ngo|nguyen|pham|phan|tran|vo|vu)$/i;
const plainLetters = (word: string): string => word.normalize("NFD").replace(/\p{M}/gu, "").replace(/đ/gi, "d");

/** Joins two family names, as in "Ramón y Cajal", "Gaudí i Cornet", "Costa e Silva". */
const conjunction = /^[yie]$/;

/** A Spanish patronymic: before "de" it is the first family name of two. */
const patronymic = /^\p{L}{3,}[eé]z$/u;

/** Usual second given names: before "de la" and "del" everything else is the first family name of two. */
const secondGiven =
  /^(?:alberto|ana|andres|angel|antoni[ao]|carlos|carmen|cristina|dolores|elena|fernand[ao]|francisco|guadalupe|ignacio|ine[sz]|isabel|javier|jesus|jose|juan|luisa?|luz|manuel|maria|mercedes|miguel|pablo|pedro|pilar|rosa|teresa)$/i;

/** Whether a word begins the family name: it is written small, or is a particle. The first and last word never do. */
function beginsFamily(word: string, at: number, words: readonly string[]): boolean {
  if (at === 0) return false;
  if (/^\p{Ll}/u.test(word)) return true;
  if (at === words.length - 1) return false;
  return particles.test(word) && !(word === "Van" && vietnamese.test(plainLetters(words[at + 1] ?? "")));
}

/** Whether the word before the particle at this place belongs to the family name too. Two words stand before it. */
function hasTwoFamilies(words: readonly string[], at: number): boolean {
  const [before = "", particle = "", next = ""] = words.slice(at - 1);
  if (conjunction.test(particle)) return true;
  if (/^del$/i.test(particle) || (/^de$/i.test(particle) && /^(?:la|las|los)$/i.test(next)))
    return !secondGiven.test(plainLetters(before));
  return /^de$/i.test(particle) && patronymic.test(before);
}

/** Family and given name, in any of these orders: "Family, Given", "Family G.", "Given Family" or "Given von Family". */
function splitName(text: string): [family: string, given: string] {
  const comma = text.indexOf(",");
  if (comma >= 0) return [text.slice(0, comma), text.slice(comma + 1)];
  const [, family, initials] = lastInitials.exec(text) ?? [];
  if (family && initials) return [family, initials];
  const [end = ""] = suffix.exec(text) ?? [];
  const words = text.slice(0, text.length - end.length).split(" ");
  const particle = words.findIndex(beginsFamily);
  const first = particle > 1 && hasTwoFamilies(words, particle) ? particle - 1 : particle;
  const at = particle > 0 ? first : words.length - 1;
  return [words.slice(at).join(" ") + end, words.slice(0, at).join(" ")];
}

/** Words in the names of organisations and groups. */
const groupWord =
  /(?:^|\s)(?:team|group|consortium|collaboration|network|university|institut|institute|society|agency|council|cent(?:er|re)|universität|forschungsgemeinschaft|gesellschaft)(?:\s|$)/i;

function namesOf(text: string): { family_name: string; given_name?: string } {
  const [family, given] = splitName(text);
  const given_name = given.trim();
  return { family_name: family.trim(), ...(given_name ? { given_name } : {}) };
}

/** Parses one person: "Family, Given (Affiliation; Affiliation) 0000-0000-0000-0000", also "Given Family". */
function parsePerson(line: string): PastedPerson | undefined {
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
      ...(groupWord.test(name) ? { type: "organizational", name } : { type: "personal", ...namesOf(name) }),
      ...(orcid ? { identifiers: [{ scheme: "orcid", identifier: orcid }] } : {}),
    },
    ...(affiliations.length ? { affiliations } : {}),
    ...(found && !orcid ? { wrongOrcid: found } : {}),
  };
}

/** Footnote marks after a name, as in the author line of a paper: "Hopper¹*", "Lindqvist1,2", "Marchetti^a,b". */
const marks =
  /\([^)]*\)|(?<=[\p{L}.’'])\s?(?:\^[a-z\d](?:,[a-z\d])*|[¹²³⁰⁴-⁹*†‡§¶#]+|\d{1,2}(?![\d-]))(?:\s?,?\s?(?:[¹²³⁰⁴-⁹*†‡§¶#]+|\d{1,2}(?![\d-])))*/gu;
const withoutMarks = (text: string): string => text.replace(marks, (found) => (found.startsWith("(") ? found : ""));

const onlyInitials = /^(?:\p{Lu}\.?[\s-]?){1,4}$/u;
const degree = /^(?:Ph\.?D|M\.?D|M\.?Sc|B\.?Sc|Dr|Prof)\.?$/i;

/**
 * The people of a line whose commas stand between people: "Grace Hopper, Karin Lindqvist and Yuki Nakamura", or
 * "Hopper, G., Lindqvist, K., & Nakamura, Y.". Undefined for "Family, Given" and for ambiguous lines.
 */
function authorLine(line: string): string[] | undefined {
  const plain = withoutMarks(line);
  const pieces = plain
    .split(/,(?![^(]*\))|(?<=\S)\s+(?:and|und|&)\s+(?![^(]*\))/)
    .map((piece) => piece.trim().replace(/^(?:and|und|&)\s+/, ""))
    .filter((piece) => piece && !degree.test(piece));
  if (pieces.length % 2 === 0 && pieces.every((piece, at) => at % 2 === 0 || onlyInitials.test(piece)))
    return pieces.length > 2
      ? pieces.flatMap((piece, at) => (at % 2 === 0 ? [`${piece}, ${pieces[at + 1]}`] : []))
      : undefined;
  const isMarked = plain !== line && pieces.length > 1;
  const areNames = pieces.every((piece) => piece.includes(" "));
  return areNames && (pieces.length > 2 || isMarked) ? pieces : undefined;
}

/** A word that joins two people only where both are written "Family, Given", or where the whole text is one line. */
const joint = /\s+(?:and|und|&)\s+/;

function splitLine(line: string, isAlone: boolean): string[] {
  return line.split(/;(?![^(]*\))/).flatMap((part) => {
    const authors = authorLine(part);
    if (authors) return authors;
    const parts = part.split(joint);
    return isAlone || parts.every((one) => one.includes(",")) ? parts : [part];
  });
}

type Column = "family" | "given" | "name" | "affiliation" | "orcid" | "other";

/** Headings of columns, in English and German. */
const headings: [RegExp, Column][] = [
  [/^orcid(?: ?id)?$/i, "orcid"],
  [/^(?:affiliation|institution|organi[sz]ation|einrichtung)(?:s|en)?$/i, "affiliation"],
  [/^(?:(?:family|last)[ _-]?name|surname|nachname|familienname)$/i, "family"],
  [/^(?:(?:given|first)[ _-]?names?|forename|vornamen?)$/i, "given"],
  [/^(?:full )?name$/i, "name"],
];
const headingOf = (cell: string): Column => headings.find(([words]) => words.test(cell))?.[1] ?? "other";

/** The columns that a first row of headings names; undefined if it is a person. */
function columnsIn(row: readonly string[]): Column[] | undefined {
  const columns = row.map(headingOf);
  return new Set(columns).size > 1 && columns.some((one) => one === "family" || one === "name") ? columns : undefined;
}

/** Without headings: family name, given name, affiliations. A name with a comma is whole, an ORCID may stand anywhere. */
const defaultColumns = (row: readonly string[]): Column[] => {
  const names: Column[] = row[0]?.includes(",") ? ["name"] : ["family", "given"];
  return row.map((cell, at) => {
    if (orcidPattern.test(cell)) return "orcid";
    return cell.includes("@") ? "other" : (names[at] ?? "affiliation");
  });
};

/** The people in rows of a spreadsheet. */
function peopleInRows([first = [], ...others]: string[][]): PastedPerson[] {
  const headed = columnsIn(first);
  const rows = headed ? others : [first, ...others];
  return rows.flatMap((row) => {
    const columns = headed ?? defaultColumns(row);
    const cells = (column: Column) => row.filter((cell, at) => cell !== "" && columns[at] === column);
    const [family = "", given = ""] = [cells("family").join(" "), cells("given").join(" ")];
    const name = cells("name").join(" ") || (given ? `${family}, ${given}` : family);
    const affiliations = cells("affiliation").map((one) => one.replace(/[()]/g, " ").trim());
    const person = parsePerson([name, ...affiliations.map((one) => `(${one})`), ...cells("orcid")].join(" "));
    if (person?.person_or_org?.type !== "personal" || family === "" || given !== "") return person ?? [];
    const { given_name: _, ...named } = person.person_or_org;
    return { ...person, person_or_org: { ...named, family_name: family } };
  });
}

/**
 * Splits pasted text into people: at line ends and semicolons, at " and " (BibTeX), and at the commas of the author line
 * of a paper. A line that ends with a comma continues in the next one. Rows of a spreadsheet have one person each.
 */
export function parsePeople(text: string): PastedPerson[] {
  return text.includes("\t") ? peopleInRows(rowsOf(text)) : peopleInLines(text);
}

function peopleInLines(text: string): PastedPerson[] {
  const lines = text
    .replace(/,[ \t]*\r?\n/g, ", ")
    .split(/\r?\n/)
    .filter((line) => line.trim());
  const parts = lines.flatMap((line) => splitLine(line, lines.length === 1));
  return parts.flatMap((line) => parsePerson(line.replace(/^[\s\-*•\d.]+(?=\p{L})/u, "")) ?? []);
}

/** The line that `parsePeople` reads as this person. */
function lineOf({ person_or_org = {}, affiliations = [], wrongOrcid }: PastedPerson): string {
  const { name, family_name, given_name, identifiers } = person_or_org;
  const inside = affiliations.map(({ name }) => name).join("; ");
  const parts = [
    name ?? `${family_name}, ${given_name ?? ""}`.trim(),
    inside && `(${inside})`,
    identifiers?.[0]?.identifier ?? wrongOrcid,
  ];
  return parts.filter(Boolean).join(" ");
}

/** The people as text, with family and given name of one of them exchanged. */
export const withNamesSwapped = (people: readonly PastedPerson[], index: number): string =>
  people
    .map((person, at) => {
      const { family_name, given_name } = person.person_or_org ?? {};
      if (at !== index || !given_name || !family_name) return lineOf(person);
      const swapped = { ...person.person_or_org, family_name: given_name, given_name: family_name };
      return lineOf({ ...person, person_or_org: swapped });
    })
    .join("\n");
