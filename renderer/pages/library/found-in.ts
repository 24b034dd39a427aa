import type { Creator, RecordBody } from "../../api-client/record-types.ts";
import { htmlWords } from "../../format/html-words.ts";
import type { MarkedPart, Marker } from "../../format/marks.ts";
import { personName } from "../../format/names.ts";

/** Searched fields besides title, creators and description: label key, path, texts. */
const places = [
  ["draft.subjects", "metadata.subjects.subject", ({ metadata }) => metadata.subjects?.map((one) => one.subject)],
  [
    "draft.field.additional_titles",
    "metadata.additional_titles.title",
    ({ metadata }) => metadata.additional_titles?.map(({ title }) => title),
  ],
  [
    "draft.field.additional_descriptions",
    "metadata.additional_descriptions.description",
    ({ metadata }) => metadata.additional_descriptions?.map(({ description = "" }) => htmlWords(description)),
  ],
  [
    "draft.contributors",
    "metadata.contributors.person_or_org.name",
    ({ metadata }) => metadata.contributors?.map(({ person_or_org }) => personName(person_or_org)),
  ],
  [
    "creators.affiliations",
    "metadata.creators.affiliations.name",
    ({ metadata }) => [...(metadata.creators ?? []), ...(metadata.contributors ?? [])].flatMap(affiliationsOf),
  ],
  ["draft.publisher", "metadata.publisher", ({ metadata }) => [metadata.publisher]],
  [
    "draft.funding",
    "metadata.funding.funder.name",
    ({ metadata }) => metadata.funding?.flatMap(({ funder, award }) => [funder?.name, award?.number]),
  ],
  [
    "record.references",
    "metadata.references.reference",
    ({ metadata }) => metadata.references?.map(({ reference }) => reference),
  ],
  [
    "draft.field.identifiers",
    "metadata.identifiers.identifier",
    ({ metadata }) => metadata.identifiers?.map(({ identifier }) => identifier),
  ],
  ["files.title", "files.entries.key", ({ files }) => Object.keys(files.entries ?? {})],
] as const satisfies [string, string, (record: RecordBody) => (string | undefined)[] | undefined][];

const affiliationsOf = ({ affiliations = [] }: Creator) => affiliations.map(({ name }) => name);

export interface FoundIn {
  /** Label key of the field. */
  label: (typeof places)[number][0];
  parts: MarkedPart[];
}

/** The first match in a field that the row does not show, with its surroundings. */
export function foundIn(record: RecordBody, marker: Marker): FoundIn | undefined {
  for (const [label, field, textsOf] of places) {
    for (const text of textsOf(record) ?? []) {
      const parts = text && marker.snippet(text, field);
      if (parts) return { label, parts };
    }
  }
  return undefined;
}

const shownNames = 3;

/** The first creators and those that match, with the number left out. */
export function creatorsLine({ metadata }: RecordBody, marker: Marker): string {
  const names = (metadata.creators ?? []).map(({ person_or_org }) => personName(person_or_org));
  const further = names
    .slice(shownNames)
    .filter((name) => marker.placesIn(name, "metadata.creators.person_or_org.name").length > 0)
    .slice(0, shownNames);
  const shown = [...names.slice(0, shownNames), ...further];
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join("; ")} +${more}` : shown.join("; ");
}
