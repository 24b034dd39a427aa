import type { Request } from "express";

/** The form of links and times in JSON answers, for typed clients; the operator chooses it (interoperability 5, 34). */
export interface BodyForm {
  /** Absolute links of files begin with it; undefined for paths, as the interface has them. */
  baseUrl: string | undefined;
  /** Whether times are in ISO 8601, for `YYYY-MM-DD hh:mm:ss.ffffff`. */
  hasIsoTimes: boolean;
}

/** The form of a call's answer; undefined for the usual one. */
export type FormOf = (req: Request) => BodyForm | undefined;

/** Members with content of users, which stays unchanged. */
const contentKeys = new Set(["metadata", "custom_fields", "payload"]);
const timeKeys = new Set(["created", "updated", "expires_at", "last_activity_at"]);
const spaced = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d\.\d{6})$/;

function valueIn(key: string, value: unknown, holder: string, form: BodyForm): unknown {
  if (typeof value !== "string") return contentKeys.has(key) ? value : inForm(value, form, key);
  if (form.hasIsoTimes && timeKeys.has(key)) return value.replace(spaced, "$1T$2+00:00");
  const isPath = form.baseUrl !== undefined && holder === "links" && value.startsWith("/");
  return isPath ? form.baseUrl + value : value;
}

async function* eachInForm(items: AsyncIterable<unknown>, form: BodyForm): AsyncGenerator<unknown> {
  for await (const item of items) yield inForm(item, form);
}

/**
 * A JSON body in another form; the given one stays as it is.
 * @param holder the key under which the value stands.
 */
export function inForm(value: unknown, form: BodyForm, holder = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => inForm(item, form));
  if (typeof value !== "object" || value === null) return value;
  if (Symbol.asyncIterator in value) return eachInForm(value as AsyncIterable<unknown>, form);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, valueIn(key, inner, holder, form)]));
}
