import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readWorks } from "../../renderer/pages/draft/import/read-work.ts";
import { representationOf } from "../../shared/representations/representations.ts";
import { crateType } from "../../shared/representations/ro-crate.ts";
import { fullMetadata, presentedRecord } from "../support/presented-records.ts";

const readWork = (text: string) => readWorks(text)[0];

const record = presentedRecord({ ...fullMetadata, resource_type: { id: "software" }, title: 'Tool: a "set" of parts' });
const exported = (type: string) => representationOf(type).render(record, { locale: "en", style: "apa" });

describe("exports can be imported again (interoperability 24, issue 18)", () => {
  test.each([
    ["RO-Crate", crateType],
    ["CFF", "application/x-yaml"],
    ["RIS", "application/x-research-info-systems"],
  ])("%s", (_name, type) => {
    const work = readWork(exported(type));
    expect(work?.doi).toBe("10.5072/4d0ns-ntd89");
    expect(work?.metadata).toMatchObject({
      title: 'Tool: a "set" of parts',
      resource_type: { id: "software" },
      publication_date: "2020-06-01",
      version: "v1.2",
      subjects: [{ subject: "Physical sciences" }, { subject: "frames" }],
    });
    expect(work?.metadata.creators?.[0]?.person_or_org).toMatchObject({ family_name: "Brown", given_name: "Troy" });
    expect(work?.metadata.creators).toHaveLength(2);
    expect(work?.metadata.description).toContain("Taken &amp; developed.");
  });

  test("particles and suffixes of names stay, and a name alone is a person (ux 1, import)", () => {
    const author = [
      { family: "Beethoven", given: "Ludwig", "non-dropping-particle": "van" },
      { family: "Humboldt", given: "Alexander", "dropping-particle": "von" },
      { family: "King", given: "Martin Luther", suffix: "Jr." },
      { given: "Plato" },
    ];
    const named = (text: string) =>
      readWork(text)?.metadata.creators?.map(({ person_or_org: name }) => [name?.family_name, name?.given_name]);
    expect(named(JSON.stringify([{ type: "book", title: "Letters", author }]))).toEqual([
      ["van Beethoven", "Ludwig"],
      ["Humboldt", "Alexander von"],
      ["King Jr.", "Martin Luther"],
      ["Plato", undefined],
    ]);
    const cff = [
      "cff-version: 1.2.0",
      "title: Letters",
      "authors:",
      "  - family-names: Beethoven",
      "    given-names: Ludwig",
      "    name-particle: van",
      "    name-suffix: Jr.",
    ];
    expect(named(cff.join("\n"))).toEqual([["van Beethoven Jr.", "Ludwig"]]);
  });

  test("RO-Crate: ORCID, affiliation, organisations, publisher; what has no place is told", () => {
    const work = readWork(exported(crateType));
    expect(work?.metadata).toMatchObject({
      creators: [
        {
          person_or_org: { identifiers: [{ scheme: "orcid", identifier: "0000-0002-1825-0097" }] },
          affiliations: [{ name: "European Organization for Nuclear Research" }, { name: "Home" }],
        },
        { person_or_org: { type: "organizational", name: "Research & Sons" } },
      ],
      publisher: "Carrel Press",
    });
    expect(work?.unplaced.map(({ name }) => name)).toContain("license");
    expect(work?.unplaced.map(({ name }) => name)).not.toContain("hasPart");
  });

  test.each([
    [
      "CSL-JSON",
      JSON.stringify({
        title: "Kelp",
        author: [
          {
            family: "Okonkwo",
            given: "Ada",
            sequence: "first",
            affiliation: [{ name: "CNR" }],
            email: "ada@example.org",
          },
          { literal: "The Buoy Group", affiliation: ["CNR"] },
        ],
      }),
    ],
    [
      "CITATION.cff",
      `cff-version: 1.2.0
title: Kelp
authors:
  - family-names: Okonkwo
    given-names: Ada
    affiliation: CNR
    email: ada@example.org
  - name: The Buoy Group
`,
    ],
    [
      "RO-Crate",
      JSON.stringify({
        "@graph": [
          { "@id": "ro-crate-metadata.json", about: { "@id": "./" } },
          { "@id": "./", "@type": "Dataset", name: "Kelp", author: [{ "@id": "#ada" }, { "@id": "#buoys" }] },
          {
            ...{ "@id": "#ada", "@type": "Person", familyName: "Okonkwo", givenName: "Ada" },
            ...{ affiliation: { "@id": "#cnr" }, email: "ada@example.org" },
          },
          { "@id": "#buoys", "@type": "Organization", name: "The Buoy Group" },
          { "@id": "#cnr", "@type": "Organization", name: "CNR" },
        ],
      }),
    ],
  ])("%s: affiliations of authors are kept, their e-mail is named", (_format, text) => {
    const work = readWork(text);
    expect(work?.metadata.creators?.map(({ affiliations }) => affiliations)[0]).toEqual([{ name: "CNR" }]);
    expect(work?.metadata.creators?.map(({ person_or_org: one }) => one?.name ?? one?.family_name)).toEqual([
      "Okonkwo",
      "The Buoy Group",
    ]);
    expect(JSON.stringify(work?.metadata)).not.toContain("unplaced");
    expect(work?.unplaced).toEqual([{ name: "email", value: "Okonkwo: ada@example.org" }]);
  });

  test("CITATION.cff: authors with a given name or an alias alone are kept", () => {
    const text =
      "cff-version: 1.2.0\ntitle: Kelp\nauthors:\n  - given-names: Ada\n    website: https://example.org/ada\n  - alias: kelpie\n";
    expect(readWork(text)?.metadata.creators?.map((one) => one.person_or_org?.family_name)).toEqual(["Ada", "kelpie"]);
    expect(readWork(text)?.unplaced).toEqual([{ name: "website", value: "Ada: https://example.org/ada" }]);
  });

  test("RO-Crate: creators in place, several types, a root by its address; anything else is no crate", () => {
    const crate = (root: object, rootId = "./") =>
      JSON.stringify({
        "@graph": [
          { "@id": "ro-crate-metadata.json", about: { "@id": rootId } },
          { "@id": rootId, "@type": ["Dataset", "Thing"], name: "Kelp", ...root },
        ],
      });
    const author = { "@type": "Person", name: "Okonkwo, Adaeze" };
    const withId = (id: string) => readWork(crate({ author: { "@id": id, familyName: "Okonkwo" } }))?.wrongOrcids;
    expect(withId("#adaeze")).toBeUndefined();
    expect(withId("https://orcid.org/0000-0002-1825-0098")).toEqual(["Okonkwo: https://orcid.org/0000-0002-1825-0098"]);
    const orcid = "0000-0002-1825-0097";
    expect(readWork(crate({ author: { "@id": `https://orcid.org/${orcid}`, ...author } }))?.metadata.creators).toEqual([
      {
        person_or_org: {
          ...{ type: "personal", family_name: "Okonkwo", given_name: "Adaeze" },
          identifiers: [{ scheme: "orcid", identifier: orcid }],
        },
      },
    ]);
    expect(readWork(crate({ author, keywords: "sea, ice" }, "https://example.org/kelp/"))?.metadata).toMatchObject({
      title: "Kelp",
      resource_type: { id: "dataset" },
      creators: [{ person_or_org: { family_name: "Okonkwo" } }],
      subjects: [{ subject: "sea" }, { subject: "ice" }],
    });
    expect(readWork(JSON.stringify({ "@graph": [{ "@id": "./" }] }))).toBeUndefined();
    const same = Array.from({ length: 20_000 }, () => ({ "@id": "./" }));
    expect(readWork(crate({ author: same, license: same }))?.unplaced).toEqual([{ name: "license", value: "Kelp" }]);
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom("name", "author", "keywords", "identifier", "@type"), fc.jsonValue()),
        (root) => {
          readWork(crate(root));
        },
      ),
      { seed: 20261124, numRuns: 300 },
    );
  });
});
