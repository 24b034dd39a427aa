import { describe, expect, test } from "vitest";
import { isValidIdentifier } from "../../shared/identifiers/scheme.schema.ts";
import { findShippedEntry, listShippedEntries } from "../../shared/vocabularies/shipped-entries.ts";
import { type VocabularyType, vocabularyTypes } from "../../shared/vocabularies/vocabulary.schema.ts";

const roles =
  "contactperson datacollector datacurator datamanager distributor editor hostinginstitution producer projectleader projectmanager projectmember researcher rightsholder sponsor supervisor other";
const named: Partial<Record<VocabularyType, string>> = {
  resourcetypes:
    "publication publication-article publication-book publication-preprint publication-report publication-dissertation publication-other poster presentation event dataset image image-figure image-plot image-drawing image-diagram image-photo image-other model video audio software software-computationalnotebook lesson other physicalobject workflow",
  languages: "eng dan deu fra spa ita",
  licenses: "cc-by-4.0 cc0-1.0 mit apache-2.0",
  creatorsroles: roles,
  contributorsroles: roles,
  relationtypes:
    "cites iscitedby references isreferencedby issupplementto issupplementedby isversionof hasversion ispartof haspart isderivedfrom issourceof requires isrequiredby describes isdescribedby documents isdocumentedby other",
  titletypes: "alternative-title subtitle translated-title other",
  descriptiontypes: "abstract methods series-information table-of-contents technical-info other",
  datetypes: "accepted available collected copyrighted created issued other submitted updated valid withdrawn coverage",
  removalreasons:
    "duplicate retracted replaced spam test-record copyright personal-data take-down-request disputed-authorship misconduct fraud out-of-scope",
};

describe("shipped entries (records 8.5)", () => {
  test.each(Object.entries(named))("%s", (type, ids) => {
    for (const id of ids.split(" ")) {
      expect(findShippedEntry(type as VocabularyType, id)?.title?.en, id).toMatch(/\S/);
    }
  });

  test("image-photo has title {en: Photo}; affiliation 01ggx4157 is CERN", () => {
    expect(findShippedEntry("resourcetypes", "image-photo")?.title).toEqual({ en: "Photo" });
    expect(findShippedEntry("affiliations", "01ggx4157")?.name).toBe("European Organization for Nuclear Research");
  });

  test.each(vocabularyTypes)("%s: every id once, every text filled, ROR ids well formed", (type) => {
    const entries = listShippedEntries(type);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
    for (const { id, title = { en: "-" }, identifiers = [] } of entries) {
      expect(id).toMatch(/^\S+$/);
      expect(Object.values(title).every((text) => text.trim() !== "")).toBe(true);
      expect(identifiers.every((one) => one.scheme === "ror" && isValidIdentifier("ror", one.identifier))).toBe(true);
    }
  });

  test("titles in six languages where we wrote them", () => {
    const entry = findShippedEntry("contributorsroles", "editor");
    expect(Object.keys(entry?.title ?? {})).toEqual(["en", "de", "fr", "es", "it", "da"]);
    expect(findShippedEntry("languages", "deu")?.title).toMatchObject({ en: "German", de: "Deutsch" });
  });
});
