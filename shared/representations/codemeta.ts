import { archiveOf, type PresentedRecord } from "./presented-record.ts";
import { schemaOrgOf } from "./schema-org.ts";

/** The members of schema.org that CodeMeta 3.0 has too. */
const shared = [
  "@id",
  "@type",
  "identifier",
  "url",
  "name",
  "description",
  "author",
  "contributor",
  "publisher",
  "dateCreated",
  "dateModified",
  "datePublished",
  "version",
  "keywords",
  "license",
  "funding",
  "isPartOf",
  "codeRepository",
  "programmingLanguage",
] as const;

/** A record in CodeMeta 3.0: what tools for research software read of schema.org, and terms of CodeMeta's own. */
export function codemetaOf(record: PresentedRecord): Record<string, unknown> {
  const found = schemaOrgOf(record);
  const known = shared.flatMap((name) => (found[name] === undefined ? [] : [[name, found[name]]]));
  const archive = archiveOf(record);
  return {
    "@context": "https://w3id.org/codemeta/3.0",
    ...Object.fromEntries(known),
    ...(archive === undefined ? {} : { downloadUrl: archive }),
    ...(found.creativeWorkStatus === undefined ? {} : { developmentStatus: found.creativeWorkStatus }),
  };
}
