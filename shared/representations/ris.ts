import { customDetailsOf, pagesOf } from "./custom-details.ts";
import {
  type Agent,
  addressOf,
  contributorsOf,
  creatorsOf,
  datePartsOf,
  doiOf,
  languageCodeOf,
  type PresentedRecord,
  textOfHtml,
  yearOf,
} from "./presented-record.ts";

/** RIS types of resource types; the longest beginning of the id counts. */
const types: Record<string, string> = {
  publication: "GEN",
  "publication-annotationcollection": "SER",
  "publication-article": "JOUR",
  "publication-book": "BOOK",
  "publication-conferencepaper": "CPAPER",
  "publication-conferenceproceeding": "CONF",
  "publication-datapaper": "JOUR",
  "publication-deliverable": "RPRT",
  "publication-dissertation": "THES",
  "publication-journal": "JFULL",
  "publication-milestone": "RPRT",
  "publication-patent": "PAT",
  "publication-preprint": "UNPB",
  "publication-report": "RPRT",
  "publication-section": "CHAP",
  "publication-standard": "STAND",
  "publication-technicalnote": "RPRT",
  "publication-thesis": "THES",
  "publication-workingpaper": "UNPB",
  presentation: "SLIDE",
  dataset: "DATA",
  image: "FIGURE",
  video: "VIDEO",
  audio: "SOUND",
  software: "COMP",
};

const typeOf = (id = ""): string => types[id] ?? types[id.split("-")[0] ?? ""] ?? "GEN";

const nameOf = ({ isPerson, family, given, name }: Agent): string =>
  isPerson && family ? [family, given].filter(Boolean).join(", ") : name;

/** `2020/06/01/`: unknown parts stay empty. */
function dateOf(record: PresentedRecord): string | undefined {
  const [year, month, day] = datePartsOf(record) ?? [];
  if (year === undefined || !Number.isInteger(year)) return undefined;
  const two = (part: number | undefined) => (part === undefined ? "" : String(part).padStart(2, "0"));
  return `${String(year).padStart(4, "0")}/${two(month)}/${two(day)}/`;
}

function tagsOf(record: PresentedRecord): [tag: string, value: string | undefined][] {
  const { metadata } = record;
  const { journal, imprint, meeting, thesis } = customDetailsOf(record);
  const pages = pagesOf(journal.pages ?? imprint.pages);
  const editors = contributorsOf(record).filter(({ roleId }) => roleId === "editor");
  return [
    ["ID", record.id],
    ...creatorsOf(record).map((agent): [string, string] => ["AU", nameOf(agent)]),
    ...editors.map((agent): [string, string] => ["ED", nameOf(agent)]),
    ["TI", metadata.title],
    ["T2", journal.title ?? imprint.title ?? meeting.title],
    ["PY", yearOf(record)],
    ["DA", dateOf(record)],
    ["VL", journal.volume],
    ["IS", journal.issue],
    ["SP", pages.first],
    ["EP", pages.last],
    ["SN", journal.issn ?? imprint.isbn],
    ["PB", thesis.university ?? metadata.publisher],
    ["CY", imprint.place ?? meeting.place],
    ["M3", thesis.type],
    ["ET", imprint.edition ?? metadata.version],
    ["AB", metadata.description && textOfHtml(metadata.description)],
    ...(metadata.subjects ?? []).map(({ subject }): [string, string | undefined] => ["KW", subject]),
    ["LA", metadata.languages?.[0] && languageCodeOf(metadata.languages[0].id)],
    ["DO", doiOf(record)],
    ["UR", addressOf(record)],
  ];
}

/** A record as one RIS reference: a tag a line, a value in one line. */
export function risOf(record: PresentedRecord): string {
  const lines = tagsOf(record).flatMap(([tag, value]) => {
    const text = value?.replace(/\s+/g, " ").trim();
    return text ? [`${tag}  - ${text}`] : [];
  });
  return [`TY  - ${typeOf(record.metadata.resource_type?.id)}`, ...lines, "ER  - ", ""].join("\r\n");
}
