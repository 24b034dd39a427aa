import { fromBibtex } from "./from-bibtex.ts";
import { fromCff } from "./from-cff.ts";
import { fromCsl } from "./from-csl.ts";
import { fromRis } from "./from-ris.ts";
import { fromRoCrate } from "./from-ro-crate.ts";
import { doiPattern, type ReadWork } from "./work.ts";

/** Parses BibTeX, RIS, CSL-JSON, CITATION.cff, ro-crate-metadata.json or a bare DOI; undefined for anything else. */
export function readWork(text: string): ReadWork | undefined {
  for (const read of [fromCsl, fromRoCrate, fromCff, fromBibtex, fromRis]) {
    const work = read(text);
    if (work) return work;
  }
  const alone = text.trim().replace(/^(https?:\/\/(dx\.)?doi\.org\/|doi:\s*)/i, "");
  return doiPattern.exec(alone)?.[0] === alone && alone
    ? { metadata: {}, custom_fields: {}, unplaced: [], doi: alone }
    : undefined;
}
