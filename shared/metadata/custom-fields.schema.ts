import { z } from "zod";
import { isValidIdentifier, type SchemeName, schemeLabel, workSchemes } from "../identifiers/scheme.schema.ts";
import type { EntryLookups, EntryReference } from "../vocabularies/vocabulary.schema.ts";
import { genericVocabularyTypes } from "../vocabularies/vocabulary.schema.ts";
import { edtf, isDay } from "./edtf.schema.ts";
import { type AnyField, type Check, type Field, list, messages, object, readPresent, report } from "./field.schema.ts";
import { identified } from "./identifiers.schema.ts";
import { type Checked, type MetadataLookups, referencesIn } from "./metadata.schema.ts";
import { valuePlace } from "./place.schema.ts";
import { text, url } from "./text.schema.ts";
import { vocabularyValue } from "./vocabulary-value.schema.ts";

/** Types of one value. `object` has members of these types. */
const valueTypes = [
  "text",
  "keyword",
  "integer",
  "double",
  "boolean",
  "date",
  "edtf",
  "vocabulary",
  "url",
  "issn",
  "isbn",
  "identifier",
] as const;

const value = {
  /** Several values instead of one. */
  is_list: z.boolean().default(false),
  /** The vocabulary of a field of type `vocabulary`. */
  vocabulary: z.enum(genericVocabularyTypes).optional(),
  /** The label above the field. */
  label: z.string().optional(),
  help: z.string().optional(),
};

const namesItsVocabulary = ({ type, vocabulary }: { type: string; vocabulary?: string | undefined }) =>
  (type === "vocabulary") === (vocabulary !== undefined);
const vocabularyRule = {
  message: "A field of type vocabulary names its vocabulary, and no other does.",
  path: ["vocabulary"],
};

/** One member of a field of type `object`. An object with the one key `id` is a vocabulary value, hence never `id`. */
const memberDeclaration = z
  .strictObject({
    name: z
      .string()
      .regex(/^(?!id$)[a-z][a-z0-9_]*$/, "A member's name has small letters, digits and _, and is not id."),
    type: z.enum(valueTypes),
    ...value,
  })
  .refine(namesItsVocabulary, vocabularyRule);

/** A field of `custom_fields`, declared by the operator in the configuration file (records 8.4). */
export const customFieldDeclaration = z
  .strictObject({
    name: z.string().regex(/^[a-z][a-z0-9_-]*:[A-Za-z][A-Za-z0-9_-]*$/, "A name has a namespace: ns:name."),
    type: z.enum([...valueTypes, "object"]),
    ...value,
    /** The heading of the section that has the field; by default the fields of one namespace stand together. */
    section: z.string().min(1).optional(),
    /** The field that replaces this one: forms show this one only where it has a value. */
    superseded_by: z.string().optional(),
    /** The members of a field of type `object`. */
    fields: z.array(memberDeclaration).min(1).optional(),
  })
  .refine(namesItsVocabulary, vocabularyRule)
  .refine(({ type, fields }) => (type === "object") === (fields !== undefined), {
    message: "A field of type object names its members, and no other does.",
    path: ["fields"],
  })
  .refine(({ fields = [] }) => new Set(fields.map(({ name }) => name)).size === fields.length, {
    message: "Two members have the same name.",
    path: ["fields"],
  });
export type CustomFieldDeclaration = z.infer<typeof customFieldDeclaration>;
export type CustomFieldMember = z.infer<typeof memberDeclaration>;

export type CustomFields = Record<string, unknown>;

const accepted = <V>(shape: z.ZodType<V>, isValid: (input: unknown) => input is V, message: string): Field<V> => ({
  shape,
  answer: shape,
  place: valuePlace,
  read(input, path, check) {
    if (isValid(input)) return input;
    report(check, path, message);
    return undefined;
  },
  expand: (value) => value,
});

const isInteger = (input: unknown): input is number => Number.isSafeInteger(input);
const isNumber = (input: unknown): input is number => typeof input === "number" && Number.isFinite(input);
const isBoolean = (input: unknown): input is boolean => typeof input === "boolean";
const isDate = (input: unknown): input is string => typeof input === "string" && isDay(input);

/** An identifier of one scheme as text. An invalid one is kept, so that its author can correct it. */
const identifierText = (scheme: SchemeName): Field<string> => {
  const plain = text();
  return {
    ...plain,
    read(input, path, check) {
      const read = plain.read(input, path, check);
      const isWrong = read !== undefined && read !== "" && !isValidIdentifier(scheme, read);
      if (isWrong) report(check, path, `Invalid ${schemeLabel(scheme)} identifier.`);
      return read;
    },
  };
};

function fieldOf({ type, vocabulary, fields = [] }: Pick<CustomFieldDeclaration, "type" | "vocabulary" | "fields">) {
  switch (type) {
    case "integer":
      return accepted(z.int(), isInteger, messages.notInteger);
    case "double":
      return accepted(z.number(), isNumber, messages.notNumber);
    case "boolean":
      return accepted(z.boolean(), isBoolean, messages.notBoolean);
    case "date":
      return accepted(z.iso.date(), isDate, messages.notDate);
    case "edtf":
      return edtf({ mayHaveTime: true });
    case "vocabulary":
      return vocabularyValue(vocabulary ?? "resourcetypes");
    case "url":
      return url();
    case "issn":
    case "isbn":
      return identifierText(type);
    case "identifier":
      return identified(workSchemes, {});
    case "object":
      return membersOf(fields);
    default:
      return text();
  }
}

const membersOf = (declarations: readonly (CustomFieldDeclaration | CustomFieldMember)[]): ObjectField =>
  object(
    Object.fromEntries(
      declarations.map((declaration) => {
        const field: AnyField = fieldOf(declaration);
        return [declaration.name, declaration.is_list ? list(field) : field];
      }),
    ),
  );
type ObjectField = Field<CustomFields, CustomFields>;

/** Building the fields takes longer than checking a draft with them, so each list of declarations builds them once. */
const built = new WeakMap<readonly CustomFieldDeclaration[], ObjectField>();

/** The declared fields as one object. Other keys are reported as `Unknown field.` and not stored. */
function customFieldsField(declarations: readonly CustomFieldDeclaration[]): ObjectField {
  const field = built.get(declarations) ?? membersOf(declarations);
  built.set(declarations, field);
  return field;
}

/** Validates `custom_fields` of a request (records 3.3, 8.4). An absent value is `{}` and no problem. */
export function validateCustomFields(
  input: unknown,
  declarations: readonly CustomFieldDeclaration[],
  lookups: MetadataLookups,
): Checked<CustomFields> {
  const check: Check = { ...lookups, problems: [], unknownEntries: [] };
  if (input === undefined) return { value: {}, problems: [], unknownEntries: [] };
  const value = readPresent(customFieldsField(declarations), input, "custom_fields", check) ?? {};
  return { value, problems: check.problems, unknownEntries: check.unknownEntries };
}

/** The output form: adds titles of vocabulary values, and omits values that no longer fit their declaration. */
export function expandCustomFields(
  stored: CustomFields,
  declarations: readonly CustomFieldDeclaration[],
  lookups: EntryLookups,
): CustomFields {
  const { value } = validateCustomFields(stored, declarations, { ...lookups, cleanHtml: (html) => html });
  return customFieldsField(declarations).expand(value, lookups);
}

/** All vocabulary entries that custom fields refer to. @param onMarkup gets each text that would be cleaned. */
export const collectCustomFieldVocabularyIds = (
  input: unknown,
  declarations: readonly CustomFieldDeclaration[],
  onMarkup?: (html: string) => void,
): EntryReference[] => referencesIn((lookups) => validateCustomFields(input, declarations, lookups), onMarkup);
