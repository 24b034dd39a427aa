import type { Span } from "./date-values.ts";

/**
 * How a field is indexed and queried (search 4): text, text with joined forms, text with accents kept, keyword,
 * address (a keyword that its folded beginnings match), number, boolean, timestamp (microseconds), days (spans).
 */
export type FieldKind = "text" | "joined" | "original" | "keyword" | "address" | "number" | "boolean" | "time" | "days";

interface TextValue {
  path: string;
  kind: "text" | "joined" | "original" | "keyword" | "address";
  value: string;
}
interface NumberValue {
  path: string;
  kind: "number" | "time";
  value: number;
}
interface BooleanValue {
  path: string;
  kind: "boolean";
  value: boolean;
}
interface DaysValue {
  path: string;
  kind: "days";
  /** Days since 1970-01-01; open ends are infinite. */
  value: Span;
}

/** One value of one field of a document, lists flattened. A document is the list of these. */
export type FieldValue = TextValue | NumberValue | BooleanValue | DaysValue;

/** The fields that a query of a resource may use. */
export interface Catalogue {
  /** Undefined: no such field. Sub-fields such as `metadata.title.keyword` are fields of their own. */
  kindOf(path: string): FieldKind | undefined;
  /** Bare words look in these; the weight multiplies their score. Undefined: not in this one. */
  defaultWeight(path: string): number | undefined;
  /** The field is hidden from everybody: a query that names it is handled as plain text (search 5.5). */
  isHidden(path: string): boolean;
  /** The path that a name in a query stands for; absent: itself. */
  resolve?(name: string): string;
  /** Words of at least two characters match the beginnings of tokens. */
  hasPrefixWords?: boolean;
  /** A field that does not exist makes the whole query plain text, instead of matching nothing. */
  isClosed?: boolean;
}

/** A catalogue of fixed fields: kinds by path, weights of those that bare words look in. */
export function fixedCatalogue(fields: {
  kinds: Readonly<Record<string, FieldKind>>;
  defaults: Readonly<Record<string, number>>;
  hidden?: readonly string[];
  options?: Pick<Catalogue, "resolve" | "hasPrefixWords" | "isClosed">;
}): Catalogue {
  const kinds = new Map(Object.entries(fields.kinds));
  const weights = new Map(Object.entries(fields.defaults));
  return {
    ...fields.options,
    kindOf: (path) => kinds.get(path),
    defaultWeight: (path) => weights.get(path),
    isHidden: (path) => fields.hidden?.includes(path) ?? false,
  };
}

export const isTextKind = (kind: FieldKind): kind is "text" | "joined" | "original" =>
  kind === "text" || kind === "joined" || kind === "original";

/** Orders strings by code point, as SQLite does. */
export function compareCodePoints(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at += 1) {
    const a = left.charCodeAt(at);
    const b = right.charCodeAt(at);
    if (a !== b) return orderOf(a) - orderOf(b);
  }
  return left.length - right.length;
}

/** Surrogates stand for code points above all others. */
const orderOf = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);
