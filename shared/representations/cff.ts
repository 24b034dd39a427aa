import { spdxIdOf } from "../vocabularies/entries/licenses.ts";
import licences from "./cff-licences.json" with { type: "json" };
import { customDetailsOf } from "./custom-details.ts";
import { identifierAddress } from "./identifier-address.ts";
import { type Agent, creatorsOf, doiOf, type PresentedRecord, textOfHtml, yearOf } from "./presented-record.ts";
import { type YamlValue, yamlOf } from "./yaml.ts";

const orcidOf = ({ identifiers }: Agent): string | undefined => {
  const orcid = identifiers.find(({ scheme }) => scheme === "orcid")?.identifier;
  return orcid && identifierAddress("orcid", orcid);
};

const authorOf = (agent: Agent): YamlValue =>
  agent.isPerson && agent.family
    ? {
        "family-names": agent.family,
        "given-names": agent.given,
        affiliation: agent.affiliations[0]?.name,
        orcid: orcidOf(agent),
      }
    : { name: agent.name };

const emptyAsAbsent = <T>(items: T[]): T[] | undefined => (items.length === 0 ? undefined : items);

/** The licences that CFF 1.2.0 knows: those of SPDX in 2021. */
const knownLicences: ReadonlySet<string> = new Set(licences);

/** Licences that CFF knows by their id; of others the first address. */
function licenceOf({ metadata }: PresentedRecord): Record<string, YamlValue | undefined> {
  const ids = (metadata.rights ?? []).flatMap(({ id }) => (id === undefined ? [] : (spdxIdOf(id) ?? [])));
  const known = ids.filter((id) => knownLicences.has(id));
  if (known.length > 0) return { license: known.length === 1 ? known[0] : known };
  const address = metadata.rights?.map(({ props, link }) => props?.url ?? link).find(Boolean);
  return { "license-url": address };
}

const typesOfWork: Record<string, string> = {
  "publication-article": "article",
  "publication-book": "book",
  "publication-conferencepaper": "conference-paper",
  "publication-dissertation": "thesis",
  "publication-report": "report",
  "publication-thesis": "thesis",
};

/** How to cite a work that is neither software nor data: a citation file as a whole knows these two only. */
function workOf(record: PresentedRecord, authors: YamlValue[]): YamlValue | undefined {
  const { metadata } = record;
  const id = metadata.resource_type?.id ?? "";
  if (!id.startsWith("publication")) return undefined;
  const { journal } = customDetailsOf(record);
  return {
    type: typesOfWork[id] ?? "generic",
    title: metadata.title || ":unav",
    authors,
    doi: doiOf(record),
    year: yearOf(record)?.replace(/^0+(?=\d)/, ""),
    journal: journal.title,
    volume: journal.volume,
    issue: journal.issue,
    publisher: metadata.publisher ? { name: metadata.publisher } : undefined,
  };
}

/** A record as a Citation File Format 1.2.0 document; required parts that a draft lacks are `:unav`. */
export function cffOf(record: PresentedRecord): string {
  const { metadata, links } = record;
  const authors = creatorsOf(record).map(authorOf);
  const named = authors.length > 0 ? authors : [{ name: ":unav" }];
  const date = metadata.publication_date;
  const keywords = (metadata.subjects ?? []).flatMap(({ subject }) => subject || []);
  return yamlOf({
    "cff-version": "1.2.0",
    message: "If you use this work, please cite it with the metadata of this file.",
    type: metadata.resource_type?.id?.startsWith("software") ? "software" : "dataset",
    title: metadata.title || ":unav",
    authors: named,
    abstract: (metadata.description && textOfHtml(metadata.description)) || undefined,
    version: metadata.version || undefined,
    "date-released": date !== undefined && /^\d{4}-\d\d-\d\d$/.test(date) ? date : undefined,
    doi: doiOf(record),
    url: links?.self_html,
    "repository-code": customDetailsOf(record).repository,
    ...licenceOf(record),
    keywords: emptyAsAbsent([...new Set(keywords)]),
    "preferred-citation": workOf(record, named),
  });
}
