import type { PresentedRecord } from "../../shared/representations/presented-record.ts";
import { representationOf } from "../../shared/representations/representations.ts";
import { element, parent } from "../../shared/representations/xml.ts";

/** A metadata format of OAI-PMH. */
export interface OaiFormat {
  prefix: string;
  schema: string;
  namespace: string;
  /** The export that it is made of. */
  mediaType: string;
  /** Wraps the export in an envelope of the format. */
  wrap?(metadata: string): string;
}

const context = { locale: "en", style: "apa" } as const;
const dataciteType = "application/vnd.datacite.datacite+xml";
const datacite = {
  schema: "https://schema.datacite.org/meta/kernel-4.5/metadata.xsd",
  namespace: "http://datacite.org/schema/kernel-4",
  mediaType: dataciteType,
};

const oaiDatacite = "http://schema.datacite.org/oai/oai-1.1/";

/** @param symbol the repository's account at DataCite, or its name. */
const inOaiDatacite =
  (symbol: string) =>
  (metadata: string): string => {
    const children = [
      element("schemaVersion", "4.5"),
      element("datacentreSymbol", symbol),
      parent("payload", [{ xml: metadata }]),
    ];
    const attributes = {
      xmlns: oaiDatacite,
      "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
      "xsi:schemaLocation": `${oaiDatacite} ${oaiDatacite}oai.xsd`,
    };
    return parent("oai_datacite", children, attributes)?.xml ?? "";
  };

/** All formats, in the order of `ListMetadataFormats`. @param symbol as in `inOaiDatacite`. */
export const oaiFormats = (symbol: string): readonly OaiFormat[] => [
  {
    prefix: "oai_dc",
    schema: "http://www.openarchives.org/OAI/2.0/oai_dc.xsd",
    namespace: "http://www.openarchives.org/OAI/2.0/oai_dc/",
    mediaType: "application/x-dc+xml",
  },
  { prefix: "datacite", ...datacite },
  { prefix: "datacite4", ...datacite },
  {
    prefix: "oai_datacite",
    schema: `${oaiDatacite}oai.xsd`,
    namespace: oaiDatacite,
    mediaType: dataciteType,
    wrap: inOaiDatacite(symbol),
  },
  {
    prefix: "marcxml",
    schema: "https://www.loc.gov/standards/marcxml/schema/MARC21slim.xsd",
    namespace: "http://www.loc.gov/MARC21/slim",
    mediaType: "application/marcxml+xml",
  },
  {
    prefix: "dcat",
    schema: "https://www.w3.org/TR/vocab-dcat-3/",
    namespace: "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    mediaType: "application/dcat+xml",
  },
];

/** The metadata of a record: the export of the same name, without its XML declaration. */
export function metadataIn({ mediaType, wrap }: OaiFormat, record: PresentedRecord): string {
  const file = representationOf(mediaType).render(record, context);
  const metadata = file.replace(/^<\?xml[^>]*\?>\s*/, "").trimEnd();
  return wrap ? wrap(metadata) : metadata;
}
