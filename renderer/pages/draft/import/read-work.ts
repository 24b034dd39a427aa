import { plainDoi } from "../../../../shared/identifiers/scheme.schema.ts";
import { fromBibtex } from "./from-bibtex.ts";
import { fromCff } from "./from-cff.ts";
import { fromCsl } from "./from-csl.ts";
import { fromRis } from "./from-ris.ts";
import { fromRoCrate } from "./from-ro-crate.ts";
import { fromZoteroRdf } from "./from-zotero-rdf.ts";
import { doiPattern, type ReadWork } from "./work.ts";

/** Parses BibTeX, RIS, CSL-JSON, Zotero RDF, CITATION.cff, ro-crate-metadata.json or bare DOIs; empty for anything else. */
export function readWorks(text: string): ReadWork[] {
  for (const read of [fromCsl, fromRoCrate, fromZoteroRdf, fromCff, fromBibtex, fromRis]) {
    const works = read(text);
    if (works.length > 0) return works;
  }
  const words = text.trim().split(/\s*\n\s*/);
  const works = words.map(fromDoi);
  return works.every((work) => work !== undefined) ? works : [];
}

/** A DOI alone, as text or address. */
function fromDoi(text: string): ReadWork | undefined {
  const alone = plainDoi(text.trim());
  return doiPattern.exec(alone)?.[0] === alone && alone
    ? { metadata: {}, custom_fields: {}, unplaced: [], doi: alone }
    : undefined;
}
