import { Failure } from "../kernel/failure.ts";
import { crateType, crateZipType } from "./ro-crate.ts";

interface ExportFormat {
  mediaType: string;
  /** A proper name, the same in each language. Absent: the words of the pages have it. */
  label?: string;
  extension: string;
}

/** Names of exports in addresses, as in InvenioRDM, and what they are on the page. */
export const exportFormats: Readonly<Record<string, ExportFormat>> = {
  json: { mediaType: "application/json", label: "JSON", extension: "json" },
  "json-ld": { mediaType: "application/ld+json", label: "JSON-LD", extension: "jsonld" },
  csl: { mediaType: "application/vnd.citationstyles.csl+json", label: "CSL", extension: "json" },
  bibtex: { mediaType: "application/x-bibtex", label: "BibTeX", extension: "bib" },
  "datacite-json": { mediaType: "application/vnd.datacite.datacite+json", label: "DataCite JSON", extension: "json" },
  "datacite-xml": { mediaType: "application/vnd.datacite.datacite+xml", label: "DataCite XML", extension: "xml" },
  dublincore: { mediaType: "application/x-dc+xml", label: "Dublin Core", extension: "xml" },
  marcxml: { mediaType: "application/marcxml+xml", label: "MARCXML", extension: "xml" },
  "dcat-ap": { mediaType: "application/dcat+xml", label: "DCAT", extension: "rdf" },
  geojson: { mediaType: "application/vnd.geo+json", label: "GeoJSON", extension: "geojson" },
  ris: { mediaType: "application/x-research-info-systems", label: "RIS", extension: "ris" },
  cff: { mediaType: "application/x-yaml", label: "CFF", extension: "cff" },
  codemeta: { mediaType: "application/vnd.codemeta.ld+json", label: "CodeMeta", extension: "json" },
  "data-package": { mediaType: "application/vnd.datapackage+json", label: "Data Package", extension: "json" },
  "ro-crate": { mediaType: crateType, label: "RO-Crate", extension: "json" },
  "ro-crate-zip": { mediaType: crateZipType, extension: "zip" },
  linkset: { mediaType: "application/linkset+json", extension: "json" },
  citation: { mediaType: "text/x-bibliography", extension: "txt" },
};

/** Names in InvenioRDM that differ, for its clients. */
const namesElsewhere: ReadonlyMap<string, string> = new Map([["datapackage", "data-package"]]);

/** @throws Failure 404 for an unknown name. */
export function exportFormatNamed(asked: string): ExportFormat {
  const name = namesElsewhere.get(asked) ?? asked;
  const format = Object.hasOwn(exportFormats, name) ? exportFormats[name] : undefined;
  if (!format) throw new Failure("not_found", "Unknown export format.");
  return format;
}
