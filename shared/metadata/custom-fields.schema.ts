import { z } from "zod";
import type { EntryLookups, EntryReference } from "../vocabularies/vocabulary.schema.ts";
import { genericVocabularyTypes } from "../vocabularies/vocabulary.schema.ts";
import { edtf, isDay } from "./edtf.schema.ts";
import { type AnyField, type Check, type Field, list, messages, object, readPresent, report } from "./field.schema.ts";
import { type Checked, type MetadataLookups, referencesIn } from "./metadata.schema.ts";
import { valuePlace } from "./place.schema.ts";
import { text } from "./text.schema.ts";
import { vocabularyValue } from "./vocabulary-value.schema.ts";

/** A field of `custom_fields`, declared by the operator in the configuration file (records 8.4). */
export const customFieldDeclaration = z
  .strictObject({
    name: z.string().regex(/^[a-z][a-z0-9_-]*:[A-Za-z][A-Za-z0-9_-]*$/, "A name has a namespace: ns:name."),
    type: z.enum(["text", "keyword", "integer", "double", "boolean", "date", "edtf", "vocabulary"]),
    /** Several values instead of one. */
    is_list: z.boolean().default(false),
    /** The vocabulary of a field of type `vocabulary`. */
    vocabulary: z.enum(genericVocabularyTypes).optional(),
    /** The label above the field. */
    label: z.string().optional(),
    help: z.string().optional(),
  })
  .refine(({ type, vocabulary }) => (type === "vocabulary") === (vocabulary !== undefined), {
    message: "A field of type vocabulary names its vocabulary, and no other does.",
    path: ["vocabulary"],
  });
export type CustomFieldDeclaration = z.infer<typeof customFieldDeclaration>;

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

function fieldOf({ type, vocabulary }: CustomFieldDeclaration): AnyField {
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
    default:
      return text();
  }
}

/** The declared fields as one object. Other keys are reported as `Unknown field.` and not stored. */
const customFieldsField = (declarations: readonly CustomFieldDeclaration[]) =>
  object(
    Object.fromEntries(
      declarations.map((declaration) => {
        const field = fieldOf(declaration);
        return [declaration.name, declaration.is_list ? list(field) : field];
      }),
    ),
  );

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
