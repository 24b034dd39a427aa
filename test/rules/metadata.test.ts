import { describe, expect, test } from "vitest";
import { collectVocabularyIds, expandMetadata, validateMetadata } from "../../shared/metadata/metadata.schema.ts";
import { cleanHtml } from "../../shared/records/html-cleaner.ts";
import type { VocabularyEntry, VocabularyType } from "../../shared/vocabularies/vocabulary.schema.ts";

const entries: Partial<Record<VocabularyType, VocabularyEntry[]>> = {
  resourcetypes: [{ id: "image-photo", title: { en: "Photo" } }],
  creatorsroles: [{ id: "editor", title: { en: "Editor" } }],
  contributorsroles: [{ id: "editor", title: { en: "Editor" } }],
  titletypes: [{ id: "subtitle", title: { en: "Subtitle" } }],
  descriptiontypes: [{ id: "abstract", title: { en: "Abstract" } }],
  datetypes: [{ id: "created", title: { en: "Created" } }],
  relationtypes: [{ id: "cites", title: { en: "Cites" } }],
  languages: [{ id: "eng", title: { en: "English" } }],
  licenses: [{ id: "mit", title: { en: "MIT License" }, props: { url: "https://opensource.org/license/mit/" } }],
  subjects: [{ id: "s1", subject: "Physics", scheme: "S" }],
  affiliations: [{ id: "01ggx4157", name: "European Organization for Nuclear Research" }],
  funders: [{ id: "00k4n6c32", name: "European Commission" }],
  awards: [{ id: "00k4n6c32::1", number: "1", title: { en: "One" } }],
};
const findEntry = (type: VocabularyType, id: string) => entries[type]?.find((entry) => entry.id === id);
const validate = (input: unknown) => validateMetadata(input, { findEntry, cleanHtml });

const required = {
  resource_type: { id: "image-photo" },
  title: "A picture",
  publication_date: "2020-06-01",
  creators: [{ person_or_org: { type: "personal", family_name: "Brown", given_name: "Troy" } }],
};
const withPerson = (person: unknown) => ({ ...required, creators: [{ person_or_org: person }] });
/** What is reported, as `field: messages`. */
const reported = (input: unknown) =>
  validate(input).problems.map(({ field, messages }) => `${field.replace("metadata.", "")}: ${messages.join(" | ")}`);
const storedWith = (extra: object) => validate({ ...required, ...extra }).value;

describe("saving never fails on metadata (records 3.3)", () => {
  test("everything valid: no errors", () => {
    expect(validate(required)).toEqual({ value: required, problems: [], unknownEntries: [] });
  });

  test("required metadata absent", () => {
    expect(reported({})).toEqual(
      ["resource_type", "title", "publication_date", "creators"].map(
        (field) => `${field}: Missing data for required field.`,
      ),
    );
  });

  test("scalar field invalid: dropped", () => {
    const { value, problems } = validate({ ...required, title: "" });
    expect(value).not.toHaveProperty("title");
    expect(problems).toEqual([{ field: "metadata.title", messages: ["Shorter than minimum length 3."] }]);
  });

  test("unknown key at any depth", () => {
    expect(reported({ ...required, colour: 1, sizes: [], rights: [{ id: "mit", colour: 1 }] })).toEqual([
      "rights.0.colour: Unknown field.",
      "colour: Unknown field.",
    ]);
    expect(storedWith({ rights: [{ id: "mit", colour: 1 }] })).toMatchObject({ rights: [{ id: "mit" }] });
    expect(reported(JSON.parse(`{"__proto__": {"title": "x"}}`))).toContain("__proto__: Unknown field.");
  });

  test("rule over a whole object: the object stays as sent", () => {
    const input = withPerson({ type: "organizational" });
    expect(reported(input)).toEqual(["creators.0.person_or_org.name: Name cannot be blank."]);
    expect(validate(input).value).toEqual(input);
  });

  test("item of a list invalid: its valid part is kept at its index", () => {
    const { value } = validate({
      ...required,
      creators: [{ person_or_org: 5, role: { id: "editor" } }, null, required.creators[0]],
    });
    expect(value.creators).toEqual([{ role: { id: "editor" } }, {}, required.creators[0]]);
  });

  test("vocabulary id that does not exist", () => {
    expect(validate({ ...required, resource_type: { id: "nope" } }).unknownEntries).toEqual([
      { field: "metadata.resource_type.id", messages: ["Invalid value nope."] },
    ]);
  });

  test.each([
    ["title", 5, "Not a valid string."],
    ["title", null, "Field may not be null."],
    ["creators", {}, "Not a valid list."],
    ["creators", [], "Missing data for required field."],
    ["resource_type", "image-photo", "Invalid input type."],
    ["description", "<".repeat(2_000_001), "Longer than maximum length 2000000."],
    ["description", "<".repeat(1_000_000), "Longer than maximum length 2000000."],
    ["version", "v".repeat(192), "Longer than maximum length 191."],
    ["version", "🧭".repeat(192), "Longer than maximum length 191."],
    ["title", "🧭🧭", "Shorter than minimum length 3."],
    ["description", "<p", "Shorter than minimum length 3."],
    ["publication_date", "", "Please provide a valid date or interval."],
  ])("wrong type or length: %s %j", (field, value, message) => {
    expect(reported({ ...required, [field]: value })).toEqual([`${field}: ${message}`]);
  });
});

test("lengths count characters, also those stored in two units (records 8)", () => {
  expect(reported({ ...required, version: "🧭".repeat(191), title: "🧭🧭🧭" })).toEqual([]);
});

describe("fields (records 8)", () => {
  test.each([
    [{ sizes: [" "] }, "sizes.0: Size cannot be a blank string."],
    [{ formats: [""] }, "formats.0: Format cannot be a blank string."],
    [{ rights: [{}] }, "rights.0: An existing id or a free text title must be present"],
    [{ rights: [{ title: { en: "Own" }, link: "nowhere" }] }, "rights.0.link: Not a valid URL."],
    [{ contributors: [{ ...required.creators[0] }] }, "contributors.0.role: Missing data for required field."],
    [{ additional_titles: [{ title: "Xyz" }] }, "additional_titles.0.type: Missing data for required field."],
    [{ funding: [{}] }, "funding.0.funder: Missing data for required field."],
    [{ references: [{}] }, "references.0.reference: Missing data for required field."],
    [{ identifiers: [{ identifier: "10.1/x", scheme: "foo" }] }, "identifiers.0.scheme: Invalid scheme."],
    [
      { identifiers: [{ identifier: "nothing known" }] },
      "identifiers.0.scheme: No valid scheme recognized for identifier.",
    ],
    [
      { identifiers: [{ identifier: "10.1/x", scheme: "doi" }, { identifier: "doi:10.1/x" }] },
      "identifiers: Duplicated identifier entry is not allowed.",
    ],
    [
      { creators: [{ ...required.creators[0], affiliations: [{ name: "A" }, { name: "A" }] }] },
      "creators.0.affiliations: Duplicated affiliations: A",
    ],
    [
      { locations: { features: [{ geometry: { type: "Point", coordinates: [1, "2"] } }] } },
      "locations.features.0.geometry.coordinates: Invalid coordinates of a Point.",
    ],
    [
      { locations: { features: [{}] } },
      "locations.features.0: At least one of ['geometry', 'place', 'identifiers', 'description'] should be present.",
    ],
  ])("%j", (extra, message) => {
    expect(reported({ ...required, ...extra })).toEqual([message]);
  });

  test("both id and title of a right → error, but the output of an id may be sent back", () => {
    const own = { rights: [{ id: "mit", title: { en: "Own" } }] };
    expect(reported({ ...required, ...own })).toHaveLength(1);
    const { value } = validate({ ...required, rights: [{ id: "mit" }] });
    const expanded = expandMetadata(value, { findEntry });
    expect(expanded.rights).toEqual(entries.licenses);
    expect(validate(expanded)).toEqual({ value, problems: [], unknownEntries: [] });
  });

  test("text: trimmed, control and zero-width characters removed; HTML: by the allow-list", () => {
    expect(storedWith({ title: " A\u0000 pic\u200bture\ufeff " }).title).toBe("A picture");
    const description = `<p onclick="x()">Hi <a href="javascript:x()" title="t">a</a><script>alert(1)</script><img src=x></p>`;
    expect(storedWith({ description }).description).toBe(`<p>Hi <a title="t">a</a></p>`);
  });
});

describe("person_or_org (records 8.2)", () => {
  test.each([
    [{ name: "X" }, "type: Invalid value. Choose one of ['organizational', 'personal']."],
    [{ type: "robot", name: "X" }, "type: Invalid value. Choose one of ['organizational', 'personal']."],
    [{ type: "personal", given_name: "T" }, "family_name: Family name cannot be blank."],
    [{ type: "personal", family_name: " " }, "family_name: Family name cannot be blank."],
    [
      { type: "personal", family_name: "B", identifiers: [{ identifier: "0000-0002-1825-0098", scheme: "ORCID" }] },
      "identifiers.0.identifier: Invalid ORCID identifier.",
    ],
    [
      {
        type: "personal",
        family_name: "B",
        identifiers: [
          { identifier: "0000-0002-1825-0097", scheme: "orcid" },
          { identifier: "https://orcid.org/0000-0001-5109-3700" },
        ],
      },
      "identifiers: Only one identifier per scheme is allowed.",
    ],
  ])("%j", (person, message) => {
    expect(reported(withPerson(person))).toEqual([`creators.0.person_or_org.${message}`]);
  });

  test("name = family, given; a sent name is overwritten; an organisation has no parts", () => {
    const person = { type: "personal", name: "Nobody", family_name: "Brown", given_name: "Troy" };
    const organisation = { type: "organizational", name: "CERN", family_name: "x", given_name: "y" };
    const { value } = validate({ ...required, creators: [{ person_or_org: person }, { person_or_org: organisation }] });
    expect(expandMetadata(value, { findEntry }).creators).toEqual([
      { person_or_org: { ...person, name: "Brown, Troy" } },
      { person_or_org: { type: "organizational", name: "CERN" } },
    ]);
  });
});

test("the vocabulary's own affiliation name replaces the sent one (interface.md)", () => {
  const { value } = validate({
    ...required,
    creators: [{ ...required.creators[0], affiliations: [{ id: "01ggx4157", name: "CERN" }, { name: "Home" }] }],
  });
  expect(value.creators?.[0]?.affiliations).toEqual([{ id: "01ggx4157" }, { name: "Home" }]);
  expect(expandMetadata(value, { findEntry }).creators?.[0]?.affiliations).toEqual([
    { id: "01ggx4157", name: "European Organization for Nuclear Research" },
    { name: "Home" },
  ]);
});

test("the entries that metadata names are known before it is read", () => {
  expect(
    collectVocabularyIds({ ...required, subjects: [{ id: "s9" }], languages: [{ id: "eng" }, { id: "eng" }] }),
  ).toEqual([
    { type: "resourcetypes", id: "image-photo" },
    { type: "languages", id: "eng" },
    { type: "subjects", id: "s9" },
  ]);
});
