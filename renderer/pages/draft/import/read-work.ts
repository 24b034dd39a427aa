import { plainDoi } from "../../../../shared/identifiers/scheme.schema.ts";
import { fromBibtex } from "./from-bibtex.ts";
import { fromCff } from "./from-cff.ts";
import { fromCsl } from "./from-csl.ts";
import { fromRis } from "./from-ris.ts";
import { fromRoCrate } from "./from-ro-crate.ts";
import { fromZoteroRdf } from "./from-zotero-rdf.ts";
import { doiPattern, type ReadWork } from "./work.ts";

/**
 * Parses CSL-JSON, Zotero RDF, CITATION.cff or ro-crate-metadata.json, or any mixture of BibTeX, RIS and lines with a bare
 * DOI; empty for anything else.
 */
export function readWorks(text: string): ReadWork[] {
  for (const read of [fromCsl, fromRoCrate, fromZoteroRdf, fromCff]) {
    const works = read(text);
    if (works.length > 0) return works;
  }
  const works = mixedWorks(text);
  const lines = text.split("\n").flatMap((line) => line.trim() || []);
  const dois = lines.flatMap((line) => fromDoi(line) ?? []);
  if (works.length === 0) return dois.length === lines.length ? dois : [];
  const known = new Set(works.map(({ doi }) => doi));
  return [...works, ...dois.filter(({ doi }) => !known.has(doi))];
}

/** The works of BibTeX and RIS, which people paste one after the other. */
function mixedWorks(text: string): ReadWork[] {
  const parts = text.split(/^(?=[ \t]*@[a-zA-Z]{1,50}[ \t]*[{(]|TY {2}- )/m);
  const isRis = (part: string) => part.startsWith("TY");
  const bibtex = parts.filter((part) => !isRis(part)).join("");
  return [...fromBibtex(bibtex), ...fromRis(parts.filter(isRis).join(""))];
}

/** A DOI alone, as text or address. */
function fromDoi(text: string): ReadWork | undefined {
  const alone = plainDoi(text);
  return doiPattern.exec(alone)?.[0] === alone && alone
    ? { metadata: {}, custom_fields: {}, unplaced: [], doi: alone }
    : undefined;
}
