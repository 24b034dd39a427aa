import { expect, test } from "vitest";
import { declaredCustomFields } from "../../shared/metadata/custom-field-sets.schema.ts";
import {
  collectCustomFieldVocabularyIds,
  customFieldDeclaration,
  expandCustomFields,
  validateCustomFields,
} from "../../shared/metadata/custom-fields.schema.ts";
import { settingsSchema } from "../../shared/settings/settings.schema.ts";
import { findShippedEntry } from "../../shared/vocabularies/shipped-entries.ts";

const types = ["text", "keyword", "integer", "double", "boolean", "date", "edtf"] as const;
const declarations = [
  ...types.map((type) => customFieldDeclaration.parse({ name: `lab:${type}`, type })),
  customFieldDeclaration.parse({ name: "lab:words", type: "vocabulary", vocabulary: "resourcetypes", is_list: true }),
];
const lookups = { findEntry: findShippedEntry, cleanHtml: (html: string) => html };
const validate = (input: unknown) => validateCustomFields(input, declarations, lookups);

const good = {
  "lab:text": "x",
  "lab:keyword": "k",
  "lab:integer": 3,
  "lab:double": 1.5,
  "lab:boolean": false,
  "lab:date": "2020-02-29",
  "lab:edtf": "2020/2021",
  "lab:words": [{ id: "dataset" }],
};

test("declared types are stored (records 8.4)", () => {
  expect(validate(good)).toEqual({ value: good, problems: [], unknownEntries: [] });
  const expanded = expandCustomFields(good, declarations, lookups);
  expect(expanded["lab:words"]).toMatchObject([{ id: "dataset", title: { en: "Dataset" } }]);
  expect(validate(expanded)).toEqual({ value: good, problems: [], unknownEntries: [] });
  expect(collectCustomFieldVocabularyIds(good, declarations)).toEqual([{ type: "resourcetypes", id: "dataset" }]);
});

test("an undeclared name is `Unknown field.` and not stored; none are declared by default (records 8.4)", () => {
  const problems = [{ field: "custom_fields.lab:text", messages: ["Unknown field."] }];
  expect(validateCustomFields({ "lab:text": "x" }, [], lookups)).toEqual({ value: {}, problems, unknownEntries: [] });
  expect(validate(undefined)).toEqual({ value: {}, problems: [], unknownEntries: [] });
});

test.each([
  ["text", 5, "Not a valid string."],
  ["integer", 1.5, "Not a valid integer."],
  ["double", "1", "Not a valid number."],
  ["boolean", "true", "Not a valid boolean."],
  ["date", "2019-02-29", "Not a valid date."],
  ["edtf", "soon", "Please provide a valid date or interval."],
  ["words", { id: "dataset" }, "Not a valid list."],
])("lab:%s refuses %j", (name, value, message) => {
  const problems = [{ field: `custom_fields.lab:${name}`, messages: [message] }];
  expect(validate({ [`lab:${name}`]: value })).toEqual({ value: {}, problems, unknownEntries: [] });
});

const wellKnown = declaredCustomFields(settingsSchema.parse({}));
const validateWellKnown = (input: unknown) => validateCustomFields(input, wellKnown, lookups);

test("journal, imprint, meeting, thesis and code are declared by default (app H8)", () => {
  const sent = {
    "journal:journal": { title: "Deep-Sea Research", volume: "12", issue: "3", pages: "1–20", issn: "0967-0637" },
    "imprint:imprint": { title: "A book", isbn: "978-3-16-148410-0", pages: "20", place: "Kiel", edition: "2nd" },
    "meeting:meeting": {
      title: "Ocean Days",
      acronym: "OD",
      dates: "3–5 May",
      place: "Brest",
      url: "https://ocean.example",
      session: "II",
      session_part: "1",
      identifiers: [{ identifier: "10.1234/od", scheme: "doi" }],
    },
    "thesis:thesis": {
      university: "Kiel",
      department: "Sea",
      type: "PhD",
      date_submitted: "2025",
      date_defended: "2026-01",
    },
    "thesis:university": "Kiel",
    "code:codeRepository": "https://git.example/tool",
    "code:programmingLanguage": [{ id: "python" }, { id: "cpp" }],
    "code:developmentStatus": { id: "active" },
  };
  expect(validateWellKnown(sent)).toEqual({ value: sent, problems: [], unknownEntries: [] });
  expect(expandCustomFields(sent, wellKnown, lookups)["code:programmingLanguage"]).toEqual([
    { id: "python", title: { en: "Python" } },
    { id: "cpp", title: { en: "C++" } },
  ]);
});

test.each([
  [{ issn: "0967-0638" }, "issn", "Invalid ISSN identifier.", { issn: "0967-0638" }],
  [{ volume: 12 }, "volume", "Not a valid string.", {}],
  [{ colour: "red" }, "colour", "Unknown field.", {}],
])("a problem in %j names its member, and the rest is kept (app H8)", (journal, member, message, kept) => {
  expect(validateWellKnown({ "journal:journal": { title: "Sea", ...journal } })).toEqual({
    value: { "journal:journal": { title: "Sea", ...kept } },
    problems: [{ field: `custom_fields.journal:journal.${member}`, messages: [message] }],
    unknownEntries: [],
  });
});

test("an operator chooses the sets, and replaces a field by one of its name (app H8)", () => {
  const own = { name: "thesis:university", type: "keyword", label: "Alma mater" };
  const settings = settingsSchema.parse({ custom_field_sets: ["thesis"], custom_fields: [own] });
  expect(declaredCustomFields(settings).map(({ name, label }) => [name, label])).toEqual([
    ["thesis:thesis", undefined],
    ["thesis:university", "Alma mater"],
  ]);
});

test("a declaration of members names each once, and none `id`", () => {
  const declare = (...names: string[]) =>
    customFieldDeclaration.safeParse({
      name: "a:b",
      type: "object",
      fields: names.map((name) => ({ name, type: "text" })),
    });
  expect(declare("x", "y").success).toBe(true);
  expect(declare("x", "x").success).toBe(false);
  expect(declare("id").success).toBe(false);
  expect(declare().success).toBe(false);
});

test("a declaration has a namespace, and a vocabulary when it is one", () => {
  expect(customFieldDeclaration.safeParse({ name: "plain", type: "text" }).success).toBe(false);
  expect(customFieldDeclaration.safeParse({ name: "a:b", type: "vocabulary" }).success).toBe(false);
});
