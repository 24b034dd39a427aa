import { cleanJson, isObject, type Json, type JsonObject } from "../kernel/json.ts";
import type { ListPlace, ObjectPlace, OpenPlace, Place, ScalarPlace } from "../metadata/place.schema.ts";
import { layout } from "./layout.ts";
import { withMembersTogether } from "./open-members.ts";

/** The content of a PUT of a draft (records 3.2), without the list of files. */
export interface DraftInput {
  metadata: JsonObject;
  custom_fields: JsonObject;
  access: { record: string; files: string; embargo: { active: boolean; reason: string | null; until?: string } };
  pids: JsonObject;
  files: { enabled: boolean; default_preview: string | null; order: string[] };
}

/**
 * `input` in canonical form: known keys in the layout's order, no empty texts or lists, vocabulary references as ids
 * alone, no derived `name` of a person (records 8.2), defaults of `access` and `files`. Omits values of a wrong JSON
 * type, which validation has reported before.
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

/** The canonical form of the value at a place; undefined when it is empty. */
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
      return canonicalNames(place, isObject(input) ? cleanJson(input) : undefined);
    case "object":
      return emptyToUndefined(object(place, input));
    case "list":
      return list(place, input);
  }
}

const canonicalNames = ({ mergesMembers }: OpenPlace, names: Json | undefined): Json | undefined =>
  mergesMembers && isObject(names) ? withMembersTogether(names as JsonObject) : names;

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
  // A person's name derives from its parts (records 8.2). If it were stored too, each edit of a part would conflict twice.
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

/** The canonical form of a list item. An item keeps its index even without any valid part (records 3.3). */
export const canonicalItem = (place: ListPlace, item: unknown): Json | undefined => {
  if (place.item !== "word") return object(place.item, item);
  return typeof item === "string" ? item.toWellFormed() : undefined;
};
