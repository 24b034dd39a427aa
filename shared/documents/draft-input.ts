import type { ListPlace, ObjectPlace, Place, ScalarPlace } from "../metadata/place.schema.ts";
import { cleanJson, isObject, type Json, type JsonObject } from "./json.ts";
import { layout } from "./layout.ts";

/** What a PUT of a draft can say (records 3.2), without the list of files. */
export interface DraftInput {
  metadata: JsonObject;
  custom_fields: JsonObject;
  access: { record: string; files: string; embargo: { active: boolean; reason: string | null; until?: string } };
  pids: JsonObject;
  files: { enabled: boolean; default_preview: string | null; order: string[] };
}

/**
 * `input` in the one form a document can hold: known keys in the layout's order, empty texts and empty lists left out,
 * of a vocabulary reference the id alone, a person's derived `name` left out (records 8.2), `access` and `files`
 * filled with their defaults. What has the wrong JSON type is left out: validation has reported it before.
 */
export function canonical(input: unknown): DraftInput {
  const draft = object(layout, input) ?? {};
  const access = isObject(draft.access) ? draft.access : {};
  const files = isObject(draft.files) ? draft.files : {};
  return {
    metadata: (draft.metadata ?? {}) as JsonObject,
    custom_fields: (draft.custom_fields ?? {}) as JsonObject,
    access: {
      record: "public",
      files: "public",
      ...access,
      embargo: { active: false, reason: null, ...(isObject(access.embargo) ? access.embargo : {}) },
    },
    pids: (draft.pids ?? {}) as JsonObject,
    files: { enabled: true, default_preview: null, ...files, order: Array.isArray(files.order) ? files.order : [] },
  } as DraftInput;
}

/** The canonical form of what stands at one place; undefined when nothing is left of it. */
export function canonicalAt(place: Place, input: unknown): Json | undefined {
  switch (place.kind) {
    case "text":
      return typeof input === "string" && input !== "" ? input.toWellFormed() : undefined;
    case "scalar":
      return scalar(place, input);
    case "ref":
      return isObject(input) && typeof input.id === "string" ? { id: input.id.toWellFormed() } : undefined;
    case "value":
      return cleanJson(input);
    case "open":
      return isObject(input) ? cleanJson(input) : undefined;
    case "object":
      return emptyToUndefined(object(place, input));
    case "list":
      return list(place, input);
  }
}

function scalar(place: ScalarPlace, input: unknown): Json | undefined {
  if (input === null) return place.nullable === true ? null : undefined;
  if (typeof input === "boolean") return place.type === "boolean" ? input : undefined;
  if (typeof input !== "string" || place.type !== "string") return undefined;
  return place.oneOf === undefined || place.oneOf.includes(input) ? input.toWellFormed() : undefined;
}

function object(place: ObjectPlace, input: unknown): JsonObject | undefined {
  if (!isObject(input)) return undefined;
  const result: JsonObject = {};
  for (const [key, field] of Object.entries(place.fields)) {
    const member = canonicalAt(field, input[key]);
    if (member !== undefined) result[key] = member;
  }
  // The name of a person is made of its parts (records 8.2); kept as well, each edit of a part would conflict twice.
  if (result.type === "personal" && result.family_name) delete result.name;
  return result;
}

const emptyToUndefined = (value: JsonObject | undefined): JsonObject | undefined =>
  value === undefined || Object.keys(value).length === 0 ? undefined : value;

function list(place: ListPlace, input: unknown): Json[] | undefined {
  if (!Array.isArray(input)) return undefined;
  const items = input.flatMap((item) => {
    const kept = canonicalItem(place, item);
    return kept === undefined ? [] : [kept];
  });
  return items.length === 0 ? undefined : items;
}

/** An item keeps its index even when nothing valid is left of it (records 3.3). */
export const canonicalItem = (place: ListPlace, item: unknown): Json | undefined => {
  if (place.item !== "word") return object(place.item, item);
  return typeof item === "string" ? item.toWellFormed() : undefined;
};
