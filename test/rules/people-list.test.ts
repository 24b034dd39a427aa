import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parsePeople, withNamesSwapped } from "../../renderer/pages/draft/creators/parse-people.ts";

describe("a pasted list of people", () => {
  const names = (text: string) =>
    parsePeople(text).map(({ person_or_org: { family_name, given_name } = {} }) => [family_name, given_name]);

  test("one a line, either order of names, with affiliation and ORCID", () => {
    const [first, second] = parsePeople("Okonkwo, Adaeze (CNR; CERN) 0000-0002-1825-0097\n2. Karin Lindqvist");
    expect(first).toEqual({
      person_or_org: {
        type: "personal",
        family_name: "Okonkwo",
        given_name: "Adaeze",
        identifiers: [{ scheme: "orcid", identifier: "0000-0002-1825-0097" }],
      },
      affiliations: [{ name: "CNR" }, { name: "CERN" }],
    });
    expect(second?.person_or_org).toMatchObject({ family_name: "Lindqvist", given_name: "Karin" });
  });
  test("rows of a spreadsheet: family name, given name, affiliation, ORCID; also with headings (issue 17)", () => {
    const grace = {
      person_or_org: {
        type: "personal",
        family_name: "Hopper",
        given_name: "Grace",
        identifiers: [{ scheme: "orcid", identifier: "0000-0002-1825-0097" }],
      },
      affiliations: [{ name: "US Navy" }, { name: "Yale" }],
    };
    const row = "Hopper\tGrace\tUS Navy; Yale\thttps://orcid.org/0000-0002-1825-0097";
    expect(parsePeople(row)).toEqual([grace]);
    const headed =
      'ORCID\tFirst name\tLast name\tAffiliation\r\n0000-0002-1825-0097\tGrace\tHopper\t"US Navy; Yale"\r\n';
    expect(parsePeople(headed)).toEqual([grace]);
    expect(
      names(
        `${row}\r\nvan der Berg\tJan\r\nBerg\t\tCERN\r\nLovelace, Ada\tLondon\r\nLastra\tEva\tInstitute of Physics`,
      ),
    ).toEqual([
      ["Hopper", "Grace"],
      ["van der Berg", "Jan"],
      ["Berg", undefined],
      ["Lovelace", "Ada"],
      ["Lastra", "Eva"],
    ]);
  });
  test("a row without a given name has its family name alone, however many words", () => {
    expect(names("Family name\tGiven name\nMüller Lüdenscheidt\t\nBerg\tJan")).toEqual([
      ["Müller Lüdenscheidt", undefined],
      ["Berg", "Jan"],
    ]);
  });
  test("an ORCID with a wrong digit is named, also after the names were swapped", () => {
    const people = parsePeople("Hopper, Grace 0000-0002-1825-0098\nOkonkwo, Adaeze 0000-0002-1825-0097");
    const wrong = ["0000-0002-1825-0098", undefined];
    expect(people.map(({ wrongOrcid }) => wrongOrcid)).toEqual(wrong);
    expect(people[0]?.person_or_org).not.toHaveProperty("identifiers");
    expect(parsePeople(withNamesSwapped(people, 0)).map(({ wrongOrcid }) => wrongOrcid)).toEqual(wrong);
  });
  test("a single line is split at semicolons and at BibTeX's and", () => {
    expect(names("Nakamura, Yuki; Fernández-Ruiz, Ignacio")).toEqual([
      ["Nakamura", "Yuki"],
      ["Fernández-Ruiz", "Ignacio"],
    ]);
    expect(names("Hopper, Grace and Lovelace, Ada")).toEqual([
      ["Hopper", "Grace"],
      ["Lovelace", "Ada"],
    ]);
  });
  test("lines and semicolons may mix; a line's own and stays unless both parts are names (app M13)", () => {
    expect(names("Noether, Emmy; Hilbert, David\nKlein, Felix")).toEqual([
      ["Noether", "Emmy"],
      ["Hilbert", "David"],
      ["Klein", "Felix"],
    ]);
    expect(names("Hopper, Grace and Lovelace, Ada\nCurie, Marie")).toHaveLength(3);
    expect(names("Curie, Marie\nInstitute of Physics and Astronomy")).toHaveLength(2);
  });
  test("the author line of a paper: commas between people, footnote marks, and, et al. in several styles (app day: people)", () => {
    const three = [
      ["Hopper", "Grace"],
      ["van der Berg", "Anne"],
      ["O’Neill Jr.", "Jean-Pierre"],
    ];
    for (const line of [
      "Grace Hopper, Anne van der Berg and Jean-Pierre O’Neill Jr.",
      "Grace Hopper¹*, Anne van der Berg¹,², and Jean-Pierre O’Neill Jr.³",
      "Grace Hopper1,2*, Anne van der Berg 2, Jean-Pierre O’Neill Jr.",
      "Grace Hopper^a,b, PhD, Anne van der Berg†,\nJean-Pierre O’Neill Jr.",
      "Grace Hopper (GEOMAR, Kiel), Anne van der Berg (NIOZ) und Jean-Pierre O’Neill Jr.",
    ])
      expect(names(line), line).toEqual(three);
    const initials = [
      ["Hopper", "G."],
      ["Lindqvist", "K. M."],
      ["Curie", "M."],
    ];
    for (const line of ["Hopper, G., Lindqvist, K. M., & Curie, M.", "Hopper G., Lindqvist K. M., Curie M."])
      expect(names(line), line).toEqual(initials);
    // Both may be meant: it stays one person.
    expect(names("García López, José María")).toEqual([["García López", "José María"]]);
    expect(names("Hopper, Grace")).toEqual([["Hopper", "Grace"]]);
    const [, team] = parsePeople("Grace Hopper¹, The Argo Team²");
    expect(team?.person_or_org).toEqual({ type: "organizational", name: "The Argo Team" });
    expect(parsePeople("Grace Hopper (GEOMAR, Kiel), Anne Berg, Li Wei")[0]?.affiliations).toEqual([
      { name: "GEOMAR, Kiel" },
    ]);
  });
  test("initials at the end are the given name (app M13)", () => {
    expect(names("Noether E.\nCurie M.-S.\nvan der Berg JA\nE. Noether\nEmmy Noether")).toEqual([
      ["Noether", "E."],
      ["Curie", "M.-S."],
      ["van der Berg", "JA"],
      ["Noether", "E."],
      ["Noether", "Emmy"],
    ]);
  });
  test.each([
    ["José-María", "Pérez de la Cruz"],
    ["Ana", "García del Río"],
    ["Ana", "Moreno de la Torre"],
    ["Luis", "Álvarez de los Ríos"],
    ["Marta Inez", "de la Cruz"],
    ["Juan Pablo", "de la Cruz"],
    ["María José", "del Río"],
    ["Ana", "de la Torre Moreno"],
    ["Diego", "Fernández de Córdoba"],
    ["Pedro Henrique", "de Oliveira"],
    ["Jan Willem", "de Boer"],
    ["Santiago", "Ramón y Cajal"],
    ["Antoni", "Gaudí i Cornet"],
    ["Maria João", "Costa e Silva"],
    ["Pérez", "de la Cruz"],
    ["Johannes Diderik", "van der Waals"],
    ["Carlos", "dos Santos"],
    ["Vincent", "Van Gogh"],
    ["Jan", "Van den Berg"],
    ["Daphne", "Du Maurier"],
    ["Robert", "De Niro Jr."],
    ["Leonardo", "Da Vinci"],
    ["Hung Van", "Nguyễn"],
    ["Van", "Morrison"],
    ["Anh", "Le"],
    ["Emmy", "Noether"],
  ])("particles and both family names belong to the family name: %s | %s (app day: people)", (given, family) => {
    expect(names(`${given} ${family}`)).toEqual([[family, given]]);
  });

  test("the names of one person are swapped, everything else stays (app M13)", () => {
    const people = parsePeople("Okonkwo, Adaeze (CNR; CERN) 0000-0002-1825-0097\nEmmy, Noether (Göttingen)");
    const mended = parsePeople(withNamesSwapped(people, 1));
    expect(mended[0]).toEqual(people[0]);
    expect(mended[1]).toMatchObject({
      person_or_org: { family_name: "Noether", given_name: "Emmy" },
      affiliations: [{ name: "Göttingen" }],
    });
  });
  test("any text at all gives people with a family name, or nobody", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        for (const { person_or_org } of parsePeople(text)) expect(person_or_org?.family_name).not.toBe("");
      }),
      { numRuns: 500 },
    );
  });
});
