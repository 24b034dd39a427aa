import { type FieldError, isObject, type Json } from "./call.ts";
import { cleanHtml, cleanText } from "./texts.ts";

/** Loads one value: what is stored, or undefined; what is wrong goes to `errors`. */
export type Field = (value: unknown, path: string, errors: FieldError[]) => unknown;

export const required = "Missing data for required field.";

interface Schema {
  fields: Record<string, Field>;
  required?: readonly string[] | Record<string, string>;
  /** Keys that are dropped silently, since the site derives them. */
  dumpOnly?: readonly string[];
  /** Unknown keys are dropped without an error. */
  lenient?: boolean;
  prepare?: (data: Json) => Json;
  /** A rule over the whole object. Its breach is an error, the object is stored all the same (F4). */
  rule?: (data: Json) => Record<string, string> | undefined;
  /** Runs only on objects without any error (F6). */
  finish?: (data: Json) => Json;
}

const wrong = (errors: FieldError[], field: string, message: string): undefined => {
  errors.push({ field, messages: [message] });
  return undefined;
};

/** A text; one that breaks its own rule is not stored (F4). */
export const text =
  (rule?: (text: string) => string | undefined, clean = cleanText): Field =>
  (value, path, errors) => {
    if (value === null) return wrong(errors, path, "Field may not be null.");
    if (typeof value !== "string") return wrong(errors, path, "Not a valid string.");
    const cleaned = clean(value);
    const message = rule?.(cleaned);
    return message === undefined ? cleaned : wrong(errors, path, message);
  };

export const html = (rule?: (text: string) => string | undefined): Field => text(rule, cleanHtml);

export const atLeast =
  (length: number, message = `Shorter than minimum length ${length}.`) =>
  (value: string): string | undefined =>
    value.length < length ? message : undefined;

export const oneOf =
  (values: readonly string[], message: string) =>
  (value: string): string | undefined =>
    values.includes(value) ? undefined : message;

export const bool: Field = (value, path, errors) => {
  if (typeof value === "boolean") return value;
  return wrong(errors, path, value === null ? "Field may not be null." : "Not a valid boolean.");
};

export const nullable =
  (field: Field): Field =>
  (value, path, errors) =>
    value === null ? null : field(value, path, errors);

/** Any JSON object. */
export const dict: Field = (value, path, errors) =>
  isObject(value) ? value : wrong(errors, path, "Not a valid mapping type.");

export const list =
  (item: Field, rule?: (items: unknown[]) => string | undefined): Field =>
  (value, path, errors) => {
    if (!Array.isArray(value)) return wrong(errors, path, "Not a valid list.");
    const before = errors.length;
    const items = value.map((entry, at) => item(entry, `${path}.${at}`, errors)).filter((entry) => entry !== undefined);
    const message = errors.length === before ? rule?.(items) : undefined;
    if (message !== undefined) return wrong(errors, path, message);
    return items;
  };

function checkRequired(schema: Schema, data: Json, at: string, errors: FieldError[]): void {
  const names = schema.required ?? [];
  const messages = Array.isArray(names)
    ? names.map((name): [string, string] => [name, required])
    : Object.entries(names as Record<string, string>);
  for (const [name, message] of messages) if (!(name in data)) wrong(errors, at + name, message);
}

/** An object by its schema, as marshmallow loads it. */
export function object(schema: Schema): Field {
  return (value, path, errors) => {
    if (!isObject(value)) return wrong(errors, path === "" ? "_schema" : `${path}._schema`, "Invalid input type.");
    const at = path === "" ? "" : `${path}.`;
    const own: FieldError[] = [];
    const kept = Object.fromEntries(Object.entries(value).filter(([key]) => !schema.dumpOnly?.includes(key)));
    const data = schema.prepare?.(kept) ?? kept;
    const loaded: Json = {};
    for (const [key, field] of Object.entries(schema.fields)) {
      if (!(key in data)) continue;
      const result = field(data[key], at + key, own);
      if (result !== undefined) loaded[key] = result;
    }
    checkRequired(schema, data, at, own);
    for (const key of Object.keys(data))
      if (!(key in schema.fields) && !schema.lenient) wrong(own, at + key, "Unknown field.");
    if (own.length === 0) {
      const broken = schema.rule?.(loaded) ?? {};
      for (const [key, message] of Object.entries(broken)) wrong(own, at + key, message);
    }
    errors.push(...own);
    return own.length === 0 ? (schema.finish?.(loaded) ?? loaded) : loaded;
  };
}
