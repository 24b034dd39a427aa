import { expect, test } from "vitest";
import { readWorks } from "../../renderer/pages/draft/import/read-work.ts";

test("BibTeX: an entry that is cut off or says nothing is marked, and left-out authors are told (app day: import)", () => {
  const works = readWorks(
    "@article{a, title={Whole}, author={Nansen, F. and others}}\n@article{b, title={No end, year=2020}\n@article{c\n title = {No comma}\n}\n@misc{d, doi={10.1234/x.1}}",
  );
  expect(works.map(({ metadata, isDamaged }) => [metadata.title, isDamaged === true])).toEqual([
    ["Whole", false],
    ["No end, year=2020", true],
    ["No comma", false],
    [undefined, false],
  ]);
  expect(works[0]?.unplaced).toEqual([{ name: "author", value: "and others" }]);
  expect(readWorks("@article{nothing,\n year = 2020}")[0]?.isDamaged).toBe(true);
});

test("RIS: an entry without its end is marked, in the middle and at the end (app day: import)", () => {
  const works = readWorks("TY  - JOUR\nTI  - Cut\nTY  - JOUR\nTI  - Whole\nER  - \n\nTY  - JOUR\nTI  - Last");
  expect(works.map(({ metadata, isDamaged }) => [metadata.title, isDamaged === true])).toEqual([
    ["Cut", true],
    ["Whole", false],
    ["Last", true],
  ]);
});

test("BibTeX, RIS and DOIs in one text are all read, each by itself", () => {
  const bibtex = (title: string) =>
    `@string{polar = "Polar Research"}\n@article{a, title={${title}}, journal = polar}\n`;
  const ris = "TY  - JOUR\nTI  - Sea ice\nAB  - Made at the Media@Lab (Paris,\nFrance)\nER  - \n";
  const titles = (text: string) => readWorks(text).map(({ metadata, doi }) => metadata.title ?? doi);
  const doi = "10.5281/zenodo.7";
  expect(titles(bibtex("Drift") + ris)).toEqual(["Drift", "Sea ice"]);
  expect(titles(ris + bibtex("Drift"))).toEqual(["Drift", "Sea ice"]);
  expect(titles(`${bibtex("Drift")}\nhttps://doi.org/${doi}\n${ris}`)).toEqual(["Drift", "Sea ice", doi]);
  // A DOI that stands in a line of its own within its entry is no second work.
  expect(titles(`@misc{b, title={Drift}, doi={\n${doi}\n}}`)).toEqual(["Drift"]);
  const [first, second] = readWorks(`@misc{c, title={No end, year=2020}\n${ris}`);
  expect([first?.isDamaged, second?.metadata.title]).toEqual([true, "Sea ice"]);
  // An address in a text is no entry of BibTeX.
  expect(titles(ris)).toEqual(["Sea ice"]);
});

test("Zotero RDF: items with their journal, people, identifiers; attachments and notes are none (app day: import)", () => {
  const text = `<?xml version="1.0"?><rdf:RDF xmlns:rdf="r" xmlns:z="http://www.zotero.org/namespaces/export#">
<bib:Article rdf:about="http://example.org/ekman"><z:itemType>journalArticle</z:itemType>
 <dcterms:isPartOf rdf:resource="urn:issn:0036-8075"/>
 <bib:authors><rdf:Seq><rdf:li><foaf:Person><foaf:surname>Ekman</foaf:surname><foaf:givenName>Vagn Walfrid</foaf:givenName></foaf:Person></rdf:li>
 <rdf:li><foaf:Person><foaf:surname>Fram Team</foaf:surname></foaf:Person></rdf:li></rdf:Seq></bib:authors>
 <dc:title>Earth&#8217;s rotation &amp; currents</dc:title><dc:date>1905-05</dc:date><bib:pages>1-52</bib:pages>
 <dc:subject><z:AutomaticTag><rdf:value>spiral</rdf:value></z:AutomaticTag></dc:subject><dc:subject>ocean</dc:subject>
 <dc:identifier><dcterms:URI><rdf:value>https://example.org/ekman</rdf:value></dcterms:URI></dc:identifier>
 <link:link rdf:resource="#item_2"/></bib:Article>
<bib:Journal rdf:about="urn:issn:0036-8075"><prism:volume>2</prism:volume><prism:number>11</prism:number>
 <dc:title>Arkiv</dc:title><dc:identifier>DOI 10.1234/ekman.1905</dc:identifier><dc:identifier>ISSN 0036-8075</dc:identifier></bib:Journal>
<z:Attachment rdf:about="#item_2"><z:itemType>attachment</z:itemType><dc:title>PDF</dc:title></z:Attachment></rdf:RDF>`;
  const works = readWorks(text);
  expect(works).toHaveLength(1);
  expect(works[0]?.metadata.creators?.map(({ person_or_org: one }) => [one?.family_name, one?.name])).toEqual([
    ["Ekman", undefined],
    [undefined, "Fram Team"],
  ]);
  expect(works[0]).toMatchObject({
    doi: "10.1234/ekman.1905",
    metadata: {
      title: "Earth’s rotation & currents",
      publication_date: "1905-05",
      resource_type: { id: "publication-article" },
      subjects: [{ subject: "spiral" }, { subject: "ocean" }],
    },
    custom_fields: {
      "journal:journal": { title: "Arkiv", volume: "2", issue: "11", pages: "1-52", issn: "0036-8075" },
    },
    unplaced: [{ name: "url", value: "https://example.org/ekman" }],
  });
});

test.each(["<a>", "<a ", "</a", "<rdf:RDF>"])(
  "hostile RDF is read in linear time: %s (app day: import)",
  (part) => {
    const start = '<rdf:RDF xmlns:z="http://www.zotero.org/namespaces/export#">';
    expect(readWorks(start + part.repeat(200_000))).toEqual([]);
  },
  5000,
);

test.each([
  ["CSL-JSON", JSON.stringify({ title: "Kelp", author: [{ family: "Okonkwo", ORCID: "0000-0002-1825-0098" }] })],
  [
    "CITATION.cff",
    "cff-version: 1.2.0\ntitle: Kelp\nauthors:\n  - family-names: Okonkwo\n    orcid: 0000-0002-1825-0098\n",
  ],
])("%s: an ORCID with a wrong digit is named", (_format, text) => {
  const work = readWorks(text)[0];
  expect(work?.wrongOrcids).toEqual(["Okonkwo: 0000-0002-1825-0098"]);
  expect(work?.metadata.creators).toEqual([{ person_or_org: { type: "personal", family_name: "Okonkwo" } }]);
});

test("CSL-JSON: an author that is no name is left out, and the others are read", () => {
  const work = readWorks(JSON.stringify({ title: "Kelp", author: [null, { family: "Okonkwo" }] }))[0];
  expect(work?.metadata.creators).toEqual([{ person_or_org: { type: "personal", family_name: "Okonkwo" } }]);
});

test("CSL-JSON: an ORCID that is a number is named", () => {
  const item = { title: "Kelp", author: [{ family: "Okonkwo", ORCID: 5 }] };
  expect(readWorks(JSON.stringify(item))[0]?.wrongOrcids).toEqual(["Okonkwo: 5"]);
});

test("CSL-JSON: the ORCID of a name that is one text is told", () => {
  const item = { title: "Kelp", author: [{ literal: "Kelp Watch", ORCID: "0000-0002-1825-0097" }] };
  expect(readWorks(JSON.stringify(item))[0]?.unplaced).toEqual([
    { name: "ORCID", value: "Kelp Watch: 0000-0002-1825-0097" },
  ]);
});
