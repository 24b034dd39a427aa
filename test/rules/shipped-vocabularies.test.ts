import { afterAll, describe, expect, test } from "vitest";
import { openDatabase } from "../../shared/database/open.ts";
import { isValidIdentifier } from "../../shared/identifiers/scheme.schema.ts";
import { boundRequest } from "../../shared/search/language/bound-request.ts";
import { scoreOf } from "../../shared/search/lists/memory-matcher.ts";
import { readSearch } from "../../shared/search/search-parameters.ts";
import { suggestedWords } from "../../shared/vocabularies/candidate-words.ts";
import { documentOfEntry, entryCatalogue } from "../../shared/vocabularies/entry-words.ts";
import { findShippedEntry, listShippedEntries } from "../../shared/vocabularies/shipped-entries.ts";
import { listShippedCandidates } from "../../shared/vocabularies/shipped-index.ts";
import { type VocabularyType, vocabularyTypes } from "../../shared/vocabularies/vocabulary.schema.ts";
import { vocabularySearchRules, vocabularyService } from "../../shared/vocabularies/vocabulary.service.ts";

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

describe("looking up shipped entries (search 9)", () => {
  const { db, close } = openDatabase(":memory:");
  afterAll(close);
  const now = Date.now() * 1000;
  const vocabularies = vocabularyService({ now: () => now });

  test.each([
    { q: "english" },
    { q: "old english" },
    { q: "+old -english" },
    { q: '"old english"' },
    { q: "fr*" },
    { q: "f?e*" },
    { q: "/eng.*/" },
    { q: "id:eng" },
    { q: "title.en:[a TO b]" },
    { q: "NOT a" },
    { q: "..." },
    { q: "eng OR ..." },
    { suggest: "engl" },
    { suggest: "old engl" },
    { suggest: "..." },
    {},
  ])("%j finds what looking at every entry finds", async (query) => {
    const request = readSearch({ ...query, size: "1000" }, vocabularySearchRules("licenses"));
    const node = boundRequest(request, entryCatalogue, now);
    const found = listShippedEntries("languages").filter(
      (entry) => scoreOf(node, documentOfEntry(entry), entryCatalogue) !== undefined,
    );
    const { hits, total } = await vocabularies.search(db, "languages", request);
    expect(total).toBe(found.length);
    const ids = new Set(found.map(({ id }) => id));
    expect(hits.every(({ entry }) => ids.has(entry.id))).toBe(true);
  });

  test("a word is looked for in the entries that have it alone", async () => {
    const all = listShippedEntries("languages").length;
    const words = suggestedWords("english");
    expect((await listShippedCandidates("languages", words)).length).toBeLessThan(all / 100);
    expect(await listShippedCandidates("languages", undefined)).toHaveLength(all);
  });
});
