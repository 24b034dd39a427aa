import { isObject, type Json, type JsonObject } from "../kernel/json.ts";
import type { OpenPlace } from "../metadata/place.schema.ts";

const separator = ".";

/** A vocabulary value, which is one thing. Members of objects are never called `id` (custom-fields.schema.ts). */
const isReference = (value: JsonObject): boolean => Object.hasOwn(value, "id");

/**
 * Custom fields as a document keeps them: each member of an object under its own name, as in `journal:journal.volume`,
 * so that two users can edit different members at once. Names of custom fields have no dot (records 8.4).
 */
export const withMembersApart = (fields: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]): [string, Json][] =>
      !name.includes(separator) && isObject(value) && !isReference(value as JsonObject)
        ? Object.entries(value as JsonObject).map(([member, inner]) => [`${name}${separator}${member}`, inner])
        : [[name, value]],
    ),
  );

/** What the map of an `open` place has. */
export function namesOf({ mergesMembers }: OpenPlace, value: Json | undefined): JsonObject {
  if (!isObject(value)) return {};
  return mergesMembers ? withMembersApart(value as JsonObject) : (value as JsonObject);
}

/** The inverse. A live client may have written an object as a whole: its members come before those by name. */
export function withMembersTogether(names: JsonObject): JsonObject {
  const fields: JsonObject = {};
  for (const [path, value] of Object.entries(withMembersApart(names))) {
    const at = path.indexOf(separator);
    if (at < 0) {
      if (!isObject(fields[path])) fields[path] = value;
      continue;
    }
    const [name, member] = [path.slice(0, at), path.slice(at + 1)];
    const known = fields[name];
    fields[name] = { ...(isObject(known) ? (known as JsonObject) : {}), [member]: value };
  }
  return Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
}
