import type { VocabularyEntry } from "../vocabulary.schema.ts";

/** `[ROR id, name, acronym, country]`; the whole of ROR comes by import. */
const rows = [
  ["01ggx4157", "European Organization for Nuclear Research", "CERN", "CH"],
  ["00k4n6c32", "European Commission", "EC", "BE"],
  ["0472cxd90", "European Research Council", "ERC", "BE"],
  ["018mejw64", "Deutsche Forschungsgemeinschaft", "DFG", "DE"],
  ["00rbzpz17", "Agence Nationale de la Recherche", "ANR", "FR"],
  ["00yjd3n13", "Swiss National Science Foundation", "SNSF", "CH"],
  ["021nxhr62", "National Science Foundation", "NSF", "US"],
  ["01cwqze88", "National Institutes of Health", "NIH", "US"],
  ["029chgv08", "Wellcome Trust", "", "GB"],
] as const;

const organisations = (): VocabularyEntry[] =>
  rows.map(([id, name, acronym, country]) => ({
    id,
    name,
    ...(acronym === "" ? {} : { acronym }),
    country,
    title: { en: name },
    identifiers: [{ scheme: "ror", identifier: id }],
  }));

/** Affiliations known without an import (records 8.5). */
export const affiliations = (): VocabularyEntry[] => organisations().filter(({ id }) => id === "01ggx4157");

/** Funders known without an import. */
export const funders = (): VocabularyEntry[] => organisations().filter(({ id }) => id !== "01ggx4157");
