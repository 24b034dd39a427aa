import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseBibtex, plainLatex } from "../../renderer/pages/draft/import/bibtex.ts";
import { readWorks } from "../../renderer/pages/draft/import/read-work.ts";
import { parseYaml } from "../../renderer/pages/draft/import/small-yaml.ts";

const readWork = (text: string) => readWorks(text)[0];

const names = (text: string) =>
  (readWork(text)?.metadata.creators ?? []).map(({ person_or_org: { family_name, given_name, name } = {} }) =>
    [family_name ?? name, given_name].filter(Boolean).join(", "),
  );

describe("citations are read into metadata (ux 1, import)", () => {
  test("BibTeX: type, names, accents, dates, keywords, DOI", () => {
    const text = `@comment{nothing} @string{cnr = "CNR"}
@Article{ok2020,
  author = {Ok{\\'o}nkwo, Adaeze and Lindqvist, Karin and {The Buoy Group} and others},
  title = "{Sea} surface temperature, 1998--2024 \\& after",
  year = 2020, month = may, day = {3},
  publisher = {Springer} # { Nature},
  keywords = {oceanography, remote sensing; buoys},
  abstract = {One < two.

Next.},
  doi = {https://doi.org/10.1234/abc.5},
}`;
    const work = readWork(text);
    expect(names(text)).toEqual(["Okónkwo, Adaeze", "Lindqvist, Karin", "The Buoy Group"]);
    expect(work?.doi).toBe("10.1234/abc.5");
    expect(work?.metadata).toMatchObject({
      title: "Sea surface temperature, 1998–2024 & after",
      resource_type: { id: "publication-article" },
      publication_date: "2020-05-03",
      publisher: "Springer Nature",
      subjects: [{ subject: "oceanography" }, { subject: "remote sensing" }, { subject: "buoys" }],
    });
    expect(work?.metadata.description).toContain("One &lt; two.");
  });

  test("RIS: type, people, title, date, keywords", () => {
    const text =
      "TY  - RPRT\r\nAU  - Marchetti, Paolo\r\nA1  - Nakamura, Yuki\r\nTI  - Moorings\r\nPY  - 2021/06//\r\nKW  - sea\r\nKW  - ice\r\nDO  - 10.1/x\r\nER  - \r\nTY  - JOUR\r\nTI  - Another\r\nER  - ";
    expect(names(text)).toEqual(["Marchetti, Paolo", "Nakamura, Yuki"]);
    expect(readWork(text)?.metadata).toMatchObject({
      title: "Moorings",
      resource_type: { id: "publication-report" },
      publication_date: "2021-06",
      subjects: [{ subject: "sea" }, { subject: "ice" }],
    });
  });

  test("CSL-JSON: persons with ORCID, organisations", () => {
    const item = {
      type: "article-journal",
      title: "Kelp",
      author: [
        { family: "Okonkwo", given: "Adaeze", ORCID: "https://orcid.org/0000-0002-1825-0097" },
        { literal: "CNR" },
      ],
      issued: { "date-parts": [[2019, 2]] },
      DOI: "10.5072/kelp",
    };
    const work = readWork(JSON.stringify([item]));
    expect(work?.metadata.creators?.[0]?.person_or_org?.identifiers).toEqual([
      { scheme: "orcid", identifier: "0000-0002-1825-0097" },
    ]);
    expect(work?.metadata.creators?.[1]?.person_or_org).toEqual({ type: "organizational", name: "CNR" });
    expect(work).toMatchObject({ doi: "10.5072/kelp", metadata: { publication_date: "2019-02" } });
  });

  test("CITATION.cff: folded texts, lists, what is nested deeper passed by", () => {
    const text = `cff-version: 1.2.0
message: "If you use it, cite it."
title: 'Buoy tools: a set'
type: software
version: 2.1.0
date-released: 2023-04-05
abstract: >-
  Reads and
  cleans.
keywords:
  - buoys
  - "sea ice"
authors:
  - family-names: Okonkwo
    given-names: Adaeze
    orcid: https://orcid.org/0000-0002-1825-0097
    affiliation: CNR
  - name: The Buoy Group
preferred-citation:
  authors:
    - family-names: Nobody
doi: 10.5072/zenodo.1 # the concept
`;
    expect(names(text)).toEqual(["Okonkwo, Adaeze", "The Buoy Group"]);
    expect(readWork(text)).toMatchObject({
      doi: "10.5072/zenodo.1",
      metadata: {
        title: "Buoy tools: a set",
        resource_type: { id: "software" },
        version: "2.1.0",
        publication_date: "2023-04-05",
        description: "<p>Reads and cleans.</p>",
        subjects: [{ subject: "buoys" }, { subject: "sea ice" }],
      },
    });
  });

  test.each([
    ["https://doi.org/10.1234/abc.5", "10.1234/abc.5"],
    ["doi: 10.1234/abc", "10.1234/abc"],
    ["https://doi.org/10.5281%2Fzenodo.123", "10.5281/zenodo.123"],
    ["@misc{k, title={Kelp}, doi={https://doi.org/10.5281%2fzenodo.123}}", "10.5281/zenodo.123"],
    ["see 10.1234/abc there", undefined],
    ["hello", undefined],
    ["{}", undefined],
    ["null", undefined],
    ["@article{", undefined],
    ["", undefined],
  ])("%j alone brings %j", (text, doi) => {
    expect(readWork(text)?.doi).toBe(doi);
  });

  test.each([
    ['\\"{u}ber', "über"],
    ["\\'e \\`{a} \\^o \\~n \\c{c} \\v{s} \\'{\\i}", "é à ô ñ ç š í"],
    ["\\ss\\o{} \\AA", "ßø Å"],
    ["100\\% of {The} \\emph{sea}", "100% of The sea"],
    ["a~b -- c", "a b – c"],
    ["\\textbraceleft{}{a}\\textbraceright{} and \\{b\\}", "{a} and {b}"],
  ])("LaTeX %j reads %j", (latex, plain) => {
    expect(plainLatex(latex)).toBe(plain);
  });

  const bibtex = (title: string, more = "") => `@article{k, title = {${title}}, ${more} year = 2020}`;
  test.each([
    ["no key", "@article{, title={Sea}, year={2020}}", "Sea"],
    ["a key with a space", "@article{my key, title={Sea}, year={2020}}", "Sea"],
    ["a missing comma", "@article{k,\n title = {Sea}\n year = 2020\n}", "Sea"],
    ["a lone dollar", bibtex("Costs $5 to use"), "Costs $5 to use"],
    ["an @ in the words before", `write to me @ work: ${bibtex("Sea")}`, "Sea"],
    ["a second entry that is cut off", `${bibtex("Sea")}\n@article{b, title={Ic`, "Sea"],
    ["no closing brace", "@article{k, year={2020}, title={Sea}", "Sea"],
    ["parentheses", "@article(k, title={Sea}, year=2020)", "Sea"],
    ["comments", "@article{k, % a note, with = sign\n title={Sea}, % more\n year=2020}", "Sea"],
    ["a colon in a CFF text", "cff-version: 1.2.0\ntitle: Tool: a set\ndate-released: 2020-01-02", "Tool: a set"],
  ])("a citation with %s is read (ux 1, import)", (_name, text, title) => {
    expect(readWork(text)?.metadata).toMatchObject({
      title,
      publication_date: expect.stringMatching(/^2020(-01-02)?$/),
    });
  });

  test("names: particles, suffixes, organisations with an “and”", () => {
    const author =
      "Ludwig van Beethoven and van der Berg, Jan and King, Jr., Martin Luther and {Barnes and Noble} and Jane Doe";
    expect(names(bibtex("Sea", `author = {${author}},`))).toEqual([
      "van Beethoven, Ludwig",
      "van der Berg, Jan",
      "King Jr., Martin Luther",
      "Barnes and Noble",
      "Doe, Jane",
    ]);
  });

  // With the square of the length, each of these would take many minutes.
  const spaces = " ".repeat(1_000_000);
  test.each([
    ["an entry without an end", `@a{${spaces}`],
    ["entries without an end", "@a(".repeat(300_000)],
    ["spaces between names", `@a{k, author={x${spaces}y}}`],
    ["spaces in a CFF text", `cff-version: 1\ntitle: a${spaces}b`],
    ["lines of a CFF text", `cff-version: 1\nabstract: |\n${"  a\n".repeat(250_000)}`],
    ["items of a CFF list", `cff-version: 1\nkeywords:\n${"  - a\n".repeat(150_000)}`],
    ["nested lists of CFF", `cff-version: 1\na:\n${"- ".repeat(500_000)}`],
    ["open braces", `@a{k, title=${"{".repeat(1_000_000)}`],
    ["names", `@a{k, author={${"a and ".repeat(160_000)}}}`],
    ["comments", `@a{k, ${"% % %\n".repeat(150_000)}`],
  ])("1 MB of %s is read in linear time", (_name, text) => {
    expect(() => readWork(text)).not.toThrow();
  });

  test("any text is read without failing", () => {
    const unit = fc.constantFrom(
      "@",
      "a",
      "{",
      "}",
      '"',
      ",",
      "=",
      "\\",
      "\n",
      "- ",
      ": ",
      "TY  - ",
      "cff-version:",
      "#",
      " ",
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 120 }), (text) => {
        readWork(text);
        parseBibtex(text);
        parseYaml(text);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("a citation fills the custom fields, and nothing is dropped in silence (app H8)", () => {
  const journal = { title: "Deep-Sea Letters", volume: "12", issue: "3", pages: "101–120", issn: "0967-0637" };

  test.each([
    [
      "BibTeX",
      "@article{a, title={T}, journal={Deep-Sea Letters}, volume=12, number={3}, pages={101--120}, issn={0967-0637}, note={In print}}",
      [{ name: "note", value: "In print" }],
    ],
    [
      "RIS",
      "TY  - JOUR\nTI  - T\nJO  - Deep-Sea Letters\nVL  - 12\nIS  - 3\nSP  - 101\nEP  - 120\nSN  - 0967-0637\nN1  - In print\nER  - ",
      [{ name: "N1", value: "In print" }],
    ],
    [
      "CSL-JSON",
      JSON.stringify({
        ...{
          id: "a",
          type: "article-journal",
          title: "T",
          "container-title": "Deep-Sea Letters",
          volume: 12,
          issue: "3",
        },
        ...{ page: "101–120", ISSN: ["0967-0637"], note: "In print", accessed: { "date-parts": [[2026]] } },
      }),
      [
        { name: "note", value: "In print" },
        { name: "accessed", value: '{"date-parts":[[2026]]}' },
      ],
    ],
  ])("%s: journal, volume, issue, pages, ISSN; the rest is named", (_format, text, unplaced) => {
    expect(readWork(text)).toMatchObject({ custom_fields: { "journal:journal": journal }, unplaced });
  });

  test("BibTeX: a chapter, a thesis, a paper at a conference", () => {
    expect(
      readWork("@incollection{a, title={T}, booktitle={B}, isbn={9783161484100}, pages=7, address={Kiel}, volume=2}"),
    ).toMatchObject({
      custom_fields: { "imprint:imprint": { title: "B", isbn: "9783161484100", pages: "7", place: "Kiel" } },
      unplaced: [{ name: "volume", value: "2" }],
    });
    expect(readWork("@mastersthesis{a, title={T}, school={University of Kiel}}")?.custom_fields).toEqual({
      "thesis:thesis": { university: "University of Kiel", type: "Master’s thesis" },
    });
    expect(
      readWork("@inproceedings{a, title={T}, booktitle={Proc.}, eventtitle={Ocean Days}, venue={Brest}}")
        ?.custom_fields,
    ).toEqual({
      "imprint:imprint": { title: "Proc." },
      "meeting:meeting": { title: "Ocean Days", place: "Brest" },
    });
  });

  test("CITATION.cff: the code repository", () => {
    const text = "cff-version: 1.2.0\ntitle: T\nrepository-code: https://git.example/tool\nlicense: MIT\n";
    expect(readWork(text)).toMatchObject({
      custom_fields: { "code:codeRepository": "https://git.example/tool" },
      unplaced: [{ name: "license", value: "MIT" }],
    });
  });
});

describe("several works at once (app M1)", () => {
  const titles = (text: string) => readWorks(text).map(({ metadata }) => metadata.title);

  test("BibTeX: every entry, among comments, abbreviations and a broken one", () => {
    const text = `@string{jgr = "J. Geophys. Res."}
@comment{@article{not, title={Not one}}}
@article{a, title={First}, journal=jgr, year=2020}
@article{b, title={Broken {never closed}, year=2021
@article{c, title="Third", note={A note}} @book{d, title={Fourth}}`;
    const works = readWorks(text);
    expect(works.map(({ metadata }) => metadata.title).filter((title) => title !== "Not one")).toEqual([
      "First",
      expect.stringMatching(/^Broken never closed/),
      "Third",
      "Fourth",
    ]);
    expect(works.find(({ metadata }) => metadata.title === "First")?.custom_fields).toEqual({
      "journal:journal": { title: "J. Geophys. Res." },
    });
    expect(works.find(({ metadata }) => metadata.title === "Third")?.unplaced).toEqual([
      { name: "note", value: "A note" },
    ]);
  });

  test("RIS: every entry, long values over several lines, a last one without end", () => {
    const text = "TY  - RPRT\r\nTI  - One\r\nAB  - begins\r\nand goes on\r\nER  - \r\n\r\nTY  - JOUR\nTI  - Two";
    expect(titles(text)).toEqual(["One", "Two"]);
    expect(readWorks(text)[0]?.metadata.description).toBe("<p>begins and goes on</p>");
  });

  test("CSL-JSON as Zotero exports it: every item, one without a title too", () => {
    const items = [
      { type: "book", title: "One" },
      { type: "article-journal", DOI: "10.5072/two" },
    ];
    expect(titles(JSON.stringify(items))).toEqual(["One", undefined]);
    expect(titles(JSON.stringify({ items }))).toEqual(["One", undefined]);
    expect(titles(JSON.stringify({ type: "FeatureCollection", features: [] }))).toEqual([]);
  });

  test("DOIs, one per line; a line that is none makes the text unknown", () => {
    expect(readWorks("10.5072/ab\nhttps://doi.org/10.5072/cd\n").map(({ doi }) => doi)).toEqual([
      "10.5072/ab",
      "10.5072/cd",
    ]);
    expect(readWorks("10.5072/ab\nhello")).toEqual([]);
  });

  test("1,000 entries are read, and 1 MB of broken ones in linear time", () => {
    const entries = Array.from({ length: 1000 }, (_, n) => `@article{k${n}, title={Work ${n}}, year=2020}`).join("\n");
    expect(readWorks(entries)).toHaveLength(1000);
    expect(readWorks("@a{b, title={\n".repeat(70_000)).length).toBeGreaterThan(0);
  });
});
