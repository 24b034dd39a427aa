import { z } from "zod";
import type { Problem } from "../kernel/failure.ts";
import { isObject } from "../kernel/json.ts";
import type { EntryLookups } from "../vocabularies/vocabulary.schema.ts";
import { type ItemIdentity, listOfPlace, objectPlace, type Place, textPlace, valuePlace } from "./place.schema.ts";

/** Collects problems while input is read (records 3.3). */
export interface Check extends EntryLookups {
  /** Removes everything that is not on the allow-list of records 8. */
  cleanHtml(html: string): string;
  problems: Problem[];
  /** Vocabulary ids that do not exist. A call with one is refused as a whole. */
  unknownEntries: Problem[];
}

/** How search treats a path of a record's answer (search 6.1). */
export interface SearchedPath {
  kind: "text" | "joined" | "original" | "keyword" | "days";
  /** The text has markup, which is not searched. */
  isHtml?: boolean;
  /**
   * Set when bare words search this path. Fields as old as the full-text table have their own weight and column; later
   * fields share one (`shared`).
   */
  bareWords?: { weight: number; column: number } | "shared";
}
/** By path, such as `metadata.title`. `….keyword`, `….original` and `…_range` derive from the path before them. */
export type SearchedPaths = Readonly<Record<string, SearchedPath>>;

/**
 * A kind of value, with everything that the program knows about it. `read` takes any input, reports problems and returns
 * the part worth storing (undefined: nothing); reading its result again returns the same. `expand` makes the output form
 * of a stored value.
 */
export interface Field<Value, Expanded = Value> {
  /** The input, for the API document. It is never used to validate. */
  readonly shape: z.ZodType;
  /** The output, for the API document and the renderer's types. In a draft, any part of an object may be absent. */
  readonly answer: z.ZodType<Expanded>;
  /** How a draft's document stores and merges the value. */
  readonly place: Place;
  /** Set if an invalid value still has a valid part, at least `{}`, which keeps its index in a list. */
  readonly isObject?: boolean;
  readonly isRequired?: boolean;
  /** How search treats the paths of a field of the table. */
  readonly searched?: SearchedPaths;
  read(input: unknown, path: string, check: Check): Value | undefined;
  expand(value: Value, lookups: EntryLookups): Expanded;
}

export type AnyField = Field<unknown, unknown>;
export type ValueOf<F> = F extends Field<infer Value, unknown> ? Value : never;
export type ExpandedOf<F> = F extends Field<infer _Value, infer Expanded> ? Expanded : never;

export const messages = {
  missing: "Missing data for required field.",
  unknown: "Unknown field.",
  isNull: "Field may not be null.",
  notString: "Not a valid string.",
  notList: "Not a valid list.",
  notBoolean: "Not a valid boolean.",
  notInteger: "Not a valid integer.",
  notNumber: "Not a valid number.",
  notDate: "Not a valid date.",
  notObject: "Invalid input type.",
} as const;

/** Adds a problem; several messages of one field are grouped. */
export function report(check: { problems: Problem[] }, field: string, message: string): void {
  const last = check.problems.at(-1);
  if (last?.field === field) last.messages.push(message);
  else check.problems.push({ field, messages: [message] });
}

/** Reads a present value; every field refuses null. */
export function readPresent<V>(field: Field<V, unknown>, input: unknown, path: string, check: Check): V | undefined {
  if (input === null) {
    report(check, path, messages.isNull);
    return undefined;
  }
  return field.read(input, path, check);
}

/** Makes a member required: if absent, `Missing data for required field.` */
export const required = <V, X>(field: Field<V, X>): Field<V, X> => ({ ...field, isRequired: true });

/** The same field with another output form. */
export const presented = <V, X>(
  field: Field<V, unknown>,
  answer: z.ZodType<X>,
  expand: (value: V, lookups: EntryLookups) => NoInfer<X>,
): Field<V, X> => ({ ...field, answer, expand });

/** Adds a description of the output to the API document. */
export const described = <V, X>(field: Field<V, X>, words: string): Field<V, X> => ({
  ...field,
  answer: field.answer.describe(words),
});

/** Declares how a field is searched. Any `….id`, `….scheme`, `….type` and `….title.<language>` is searched anyway. */
export const searched = <V, X>(field: Field<V, X>, paths: SearchedPaths): Field<V, X> => ({
  ...field,
  searched: paths,
});

/** A text that is merged by character, so that several users can write in it at once. */
export const byCharacter = <X>(field: Field<string, X>): Field<string, X> => ({ ...field, place: textPlace });

/** A value that is merged as a whole, since parts from two authors make no sense together: the later one wins. */
export const asWhole = <V, X>(field: Field<V, X>): Field<V, X> => ({ ...field, place: valuePlace });

export type Members = Record<string, AnyField>;
type ObjectOf<M extends Members> = { [K in keyof M]?: ValueOf<M[K]> };
type ExpandedObjectOf<M extends Members> = { [K in keyof M]?: ExpandedOf<M[K]> };

interface ObjectOptions<V> {
  /** Output-only keys: accepted and not stored, so that an answer can be sent back. */
  ignored?: readonly string[];
  /** Removes keys of the output that can be recognized only by comparing them with the vocabulary entry. */
  prepare?(input: Record<string, unknown>, check: Check): Record<string, unknown>;
  /** Always applied, even after problems, so that reading is idempotent. */
  normalise?(value: V): V;
  /** A rule over the whole object. Not called when a member is missing or was dropped. Does not change the object. */
  rule?(value: V, path: string, check: Check): void;
  /** Members that documents may have although no request has them. */
  alsoInDocuments?: Record<string, Place>;
  /** Members that come first in answers, when their order is not that of reading. */
  orderInAnswers?: readonly string[];
  /** Members that come first in documents, whose first state depends on the order. */
  orderInDocuments?: readonly string[];
}

function readMembers(members: Members, input: Record<string, unknown>, path: string, check: Check) {
  const value: Record<string, unknown> = {};
  let isWhole = true;
  for (const [key, member] of Object.entries(members)) {
    const memberPath = `${path}.${key}`;
    if (!Object.hasOwn(input, key) || input[key] === undefined) {
      if (!member.isRequired) continue;
      report(check, memberPath, messages.missing);
      isWhole = false;
      continue;
    }
    const read = readPresent(member, input[key], memberPath, check);
    if (read === undefined) isWhole = false;
    else value[key] = read;
  }
  return { value, isWhole };
}

/** Maps all members, those named in `first` before the others. */
function mapMembers<T>(
  members: Members,
  first: readonly string[] = [],
  of: (member: AnyField) => T,
): Record<string, T> {
  const mapped = Object.fromEntries(Object.entries(members).map(([key, member]) => [key, of(member)]));
  const leading = Object.fromEntries(first.map((key) => [key, mapped[key] as T]));
  return { ...leading, ...mapped };
}

/** An object of declared members. Other keys are reported as `Unknown field.` and not stored. */
export function object<M extends Members>(
  members: M,
  options: ObjectOptions<ObjectOf<M>> = {},
): Field<ObjectOf<M>, ExpandedObjectOf<M>> {
  const ignored = new Set(options.ignored ?? []);
  const shapes = Object.entries(members).map(([key, member]) => [
    key,
    member.isRequired ? member.shape : member.shape.optional(),
  ]);
  const answers = mapMembers(members, options.orderInAnswers, ({ answer }) => answer.optional());
  const places = mapMembers(members, options.orderInDocuments, ({ place }) => place);
  return {
    shape: z.object(Object.fromEntries(shapes)),
    // `mapMembers` loses which key has which type.
    answer: z.object(answers) as unknown as z.ZodType<ExpandedObjectOf<M>>,
    place: objectPlace({ ...places, ...options.alsoInDocuments }),
    isObject: true,
    read(input, path, check) {
      if (!isObject(input)) {
        report(check, path, messages.notObject);
        return undefined;
      }
      const prepared = options.prepare ? options.prepare(input, check) : input;
      const { value: read, isWhole } = readMembers(members, prepared, path, check);
      for (const key of Object.keys(prepared)) {
        if (!Object.hasOwn(members, key) && !ignored.has(key)) report(check, `${path}.${key}`, messages.unknown);
      }
      const value = options.normalise ? options.normalise(read as ObjectOf<M>) : (read as ObjectOf<M>);
      if (isWhole) options.rule?.(value, path, check);
      return value;
    },
    expand(value, lookups) {
      const entries = Object.entries(members)
        .filter(([key]) => value[key] !== undefined)
        .map(([key, member]) => [key, member.expand(value[key], lookups)]);
      return Object.fromEntries(entries);
    },
  };
}

export type ListRule<V> = (values: V[], path: string, check: Check) => void;

interface ListOptions<V> extends ItemIdentity {
  /** The message for an empty list, which counts as absent and is not stored. */
  emptyMessage?: string;
  /** A rule over the whole list. Does not change the list. */
  rule?: ListRule<V>;
}

/** A list. The valid part of an object keeps its index; a refused scalar is omitted (records 3.3). */
export function list<V, X>(item: Field<V, X>, options: ListOptions<V> = {}): Field<V[], X[]> {
  return {
    shape: options.emptyMessage ? z.array(item.shape).min(1) : z.array(item.shape),
    answer: z.array(item.answer),
    place: listOfPlace(item.place, options),
    read(input, path, check) {
      if (!Array.isArray(input)) {
        report(check, path, messages.notList);
        return undefined;
      }
      if (options.emptyMessage && input.length === 0) {
        report(check, path, options.emptyMessage);
        return undefined;
      }
      const values: V[] = [];
      for (const [index, element] of input.entries()) {
        const value = readPresent(item, element, `${path}.${index}`, check);
        if (value !== undefined) values.push(value);
        else if (item.isObject) values.push({} as V);
      }
      options.rule?.(values, path, check);
      return values;
    },
    expand: (values, lookups) => values.map((value) => item.expand(value, lookups)),
  };
}
