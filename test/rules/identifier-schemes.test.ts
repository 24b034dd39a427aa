import { describe, expect, test } from "vitest";
import {
  agentSchemes,
  detectScheme,
  isValidIdentifier,
  normaliseIdentifier,
  placeSchemes,
  type SchemeName,
  workSchemes,
} from "../../shared/identifiers/scheme.schema.ts";

const valid: [SchemeName, string][] = [
  ["ark", "ark:/13030/tqb3kh97gh8w"],
  ["ark", "https://n2t.net/ark:13030/tqb3kh97gh8w"],
  ["arxiv", "arXiv:1310.2590"],
  ["arxiv", "hep-th/9901001v2"],
  ["ads", "2005IAUS..216..170P"],
  ["cstr", "CSTR:31253.11.sciencedb.j00001.00123"],
  ["doi", "10.1234/foo.bar"],
  ["doi", "https://doi.org/10.1234/foo.bar"],
  ["doi", "doi:10.1234/foo.bar"],
  ["ean13", "4006381333931"],
  ["eissn", "2049-3630"],
  ["handle", "hdl:2117/1234"],
  ["handle", "11245/1.3167"],
  ["isbn", "978-3-16-148410-0"],
  ["isbn", "0-306-40615-2"],
  ["isni", "0000 0001 2146 438X"],
  ["issn", "0378-5955"],
  ["istc", "0A9-2002-12B4A105-7"],
  ["lissn", "0378-5955"],
  ["lsid", "urn:lsid:ipni.org:names:77145066-1"],
  ["pmid", "pmid:12082125"],
  ["purl", "http://purl.org/dc/terms/title"],
  ["rrid", "RRID:AB_90755"],
  ["url", "https://example.org/a?b=c"],
  ["urn", "urn:nbn:de:101:1-201102033592"],
  ["wikidata", "Q42"],
  ["orcid", "https://orcid.org/0000-0002-1825-0097"],
  ["orcid", "0000-0001-5109-3700"],
  ["ror", "https://ror.org/01ggx4157"],
  ["gnd", "118540238"],
  ["crossreffunderid", "anything"],
  ["grid", "grid.9132.9"],
  ["igsn", "AU1101"],
  ["upc", "x"],
  ["w3id", "https://w3id.org/x"],
  ["geonames", "2660646"],
  ["other", "whatever"],
];

describe("identifier schemes (records 8.3)", () => {
  test.each(valid)("%s takes %s", (scheme, value) => {
    expect(isValidIdentifier(scheme, value)).toBe(true);
    const normalised = normaliseIdentifier(scheme, value);
    expect(isValidIdentifier(scheme, normalised)).toBe(true);
    expect(normaliseIdentifier(scheme, normalised)).toBe(normalised);
  });

  test.each<[SchemeName, string]>([
    ["orcid", "0000-0002-1825-0098"],
    ["orcid", "0000-0002-1825"],
    ["isni", "0000 0001 2146 4381"],
    ["isbn", "978-3-16-148410-1"],
    ["issn", "0378-5956"],
    ["eissn", "20493631"],
    ["ean13", "4006381333932"],
    ["istc", "0A9-2002-12B4A105-6"],
    ["ror", "01ggx4158"],
    ["ror", "11ggx4157"],
    ["doi", "11.1234/foo"],
    ["doi", "10.1234"],
    ["doi", "10.1234/a b"],
    ["arxiv", "1310.25"],
    ["ads", "2005IAUS"],
    ["ark", "ark:/abc"],
    ["url", "example.org"],
    ["url", "javascript:alert(1)"],
    ["urn", "urn:x"],
    ["wikidata", "P42"],
    ["pmid", "abc"],
    ["gnd", "abc"],
    ["lsid", "urn:lsid:x"],
    ["cstr", "31253"],
    ["rrid", "AB"],
    ["handle", "nothing"],
    ["other", ""],
  ])("%s refuses %j", (scheme, value) => {
    expect(isValidIdentifier(scheme, value)).toBe(false);
  });

  test("values normalised: ORCID, ROR, DOI; others as sent", () => {
    expect(normaliseIdentifier("orcid", "https://orcid.org/0000-0002-1825-0097")).toBe("0000-0002-1825-0097");
    expect(normaliseIdentifier("orcid", "0000000218250097")).toBe("0000-0002-1825-0097");
    expect(normaliseIdentifier("ror", "https://ror.org/01ggx4157")).toBe("01ggx4157");
    expect(normaliseIdentifier("doi", "https://doi.org/10.1234/Foo")).toBe("10.1234/Foo");
    expect(normaliseIdentifier("isbn", "978-3-16-148410-0")).toBe("978-3-16-148410-0");
  });

  test.each([
    ["https://doi.org/10.5281%2Fzenodo.123", "10.5281/zenodo.123"],
    ["10.5281%2fzenodo.123", "10.5281/zenodo.123"],
    ["10.1002%2F(SICI)1097%3C1%3E", "10.1002/(SICI)1097<1>"],
    ["10.1234%2Fa%zz", "10.1234/a%zz"],
    ["10.1234%2Fa%00", "10.1234/a%00"],
    ["10.1234/a%2Fb", "10.1234/a%2Fb"],
  ])("a DOI with an encoded slash, %s, is stored as %s (issue 17.4)", (sent, stored) => {
    expect(isValidIdentifier("doi", sent)).toBe(true);
    expect(detectScheme(sent, workSchemes)).toBe("doi");
    expect(normaliseIdentifier("doi", sent)).toBe(stored);
  });

  test.each<[string, readonly SchemeName[], SchemeName | undefined]>([
    ["10.1234/foo.bar", workSchemes, "doi"],
    ["https://doi.org/10.1234/foo.bar", workSchemes, "doi"],
    ["arXiv:1310.2590", workSchemes, "arxiv"],
    ["978-3-16-148410-0", workSchemes, "isbn"],
    ["0378-5955", workSchemes, "issn"],
    ["https://example.org/x", workSchemes, "url"],
    ["urn:nbn:de:101:1-201102033592", workSchemes, "urn"],
    ["Q42", workSchemes, "wikidata"],
    ["0000-0002-1825-0097", agentSchemes, "orcid"],
    ["0000 0001 2146 438X", agentSchemes, "isni"],
    ["https://ror.org/01ggx4157", agentSchemes, "ror"],
    ["Q42", placeSchemes, "wikidata"],
    ["free text", workSchemes, undefined],
    ["free text", placeSchemes, undefined],
  ])("absent scheme: %s is detected (%#)", (value, allowed, scheme) => {
    expect(detectScheme(value, allowed)).toBe(scheme);
  });
});
