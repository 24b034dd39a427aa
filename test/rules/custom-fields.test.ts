import { expect, test } from "vitest";
import {
  collectCustomFieldVocabularyIds,
  customFieldDeclaration,
  expandCustomFields,
  validateCustomFields,
} from "../../shared/metadata/custom-fields.schema.ts";
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

test("a declaration has a namespace, and a vocabulary when it is one", () => {
  expect(customFieldDeclaration.safeParse({ name: "plain", type: "text" }).success).toBe(false);
  expect(customFieldDeclaration.safeParse({ name: "a:b", type: "vocabulary" }).success).toBe(false);
});
