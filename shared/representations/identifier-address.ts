import { doiAddress } from "../identifiers/scheme.schema.ts";

/** Resolvers by scheme but DOIs, with what an identifier may have before its value. */
const resolvers: Record<string, { start: string; prefix: RegExp }> = {
  arxiv: { start: "https://arxiv.org/abs/", prefix: /^arxiv:\s*/i },
  handle: { start: "https://hdl.handle.net/", prefix: /^hdl:\s*/i },
  pmid: { start: "https://pubmed.ncbi.nlm.nih.gov/", prefix: /^pmid:\s*/i },
  ads: { start: "https://ui.adsabs.harvard.edu/abs/", prefix: /^ads:\s*/i },
  ark: { start: "https://n2t.net/", prefix: /^(?=ark:)/i },
  issn: { start: "https://portal.issn.org/resource/ISSN/", prefix: /^issn:?\s*/i },
  orcid: { start: "https://orcid.org/", prefix: /^orcid:\s*/i },
  ror: { start: "https://ror.org/", prefix: /^ror:\s*/i },
  rrid: { start: "https://scicrunch.org/resolver/", prefix: /^(?=rrid:)/i },
  wikidata: { start: "https://www.wikidata.org/entity/", prefix: /^wikidata:/i },
};

/** Whether a text is a web address. */
const isWebAddress = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text);

/** The web address of an identifier; undefined for schemes without a resolver. */
export function identifierAddress(scheme: string | undefined, identifier: string): string | undefined {
  if (isWebAddress(identifier)) return identifier;
  if (scheme === "doi") return doiAddress(identifier.replace(/^doi:\s*/i, ""));
  const resolver = resolvers[scheme ?? ""];
  return resolver && `${resolver.start}${identifier.replace(resolver.prefix, "")}`;
}
