/** A JSON value. */
export type Json = string | number | boolean | null | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value));

/** Deepest nesting of a plain value; deeper input is not accepted as JSON. */
export const maxDepth = 32;

/**
 * `value` as normalized JSON: sorted keys, no `undefined` members, no lone surrogates, 0 for `-0`. Undefined for values
 * that are not JSON (functions, bytes, NaN, nesting beyond 32 levels).
 */
export function cleanJson(value: unknown, depth = 0): Json | undefined {
  if (depth > maxDepth) return undefined;
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value === "number") return Number.isFinite(value) ? value + 0 : undefined;
  if (typeof value === "boolean" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => cleanJson(item, depth + 1) ?? null);
  if (!isObject(value)) return undefined;
  const clean: JsonObject = Object.create(null);
  for (const key of Object.keys(value).sort()) {
    const member = cleanJson(value[key], depth + 1);
    if (member !== undefined) clean[key.toWellFormed()] = member;
  }
  return { ...clean };
}

/** Whether two values are equal, whatever the order of their keys. */
export const sameJson = (a: unknown, b: unknown): boolean =>
  a === b || JSON.stringify(cleanJson(a)) === JSON.stringify(cleanJson(b));
