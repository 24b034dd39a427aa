import * as Y from "yjs";
import { isObject, maxDepth } from "../kernel/json.ts";
import type { ListPlace, ObjectPlace, Place } from "../metadata/place.schema.ts";
import { canonicalAt } from "./draft-input.ts";
import { itemPlace, positionKey, rootName } from "./layout.ts";
import { isPosition } from "./position.ts";
import type { Before } from "./touched.ts";
import { hasListContent } from "./yjs-internals.ts";

const nothingBefore: Before = { isUntouched: () => false, keeps: () => false };

/** Longest key of an item and longest name of a custom field or identifier scheme, in characters. */
const maxKeyLength = 200;

/**
 * The first problem with the shape of a document (hosts-and-sync 8, Live document), as a text with its path; undefined
 * when there is none. A `Y.Map` is accepted in place of a plain object. An unknown field must be unchanged: a newer
 * program wrote it.
 * @param before the document when it was last checked
 */
export function shapeProblem(
  place: Place,
  found: unknown,
  path: readonly string[],
  before: Before = nothingBefore,
): string | undefined {
  if (before.isUntouched(found)) return undefined;
  switch (place.kind) {
    case "text":
      return isPlainText(found) ? undefined : complain(path, "must be a text");
    case "object":
      return objectProblem(place, found, path, [], before);
    case "list":
      return listProblem(place, found, path, before);
    case "open":
      return openProblem(found, path);
    case "value":
      return isPlainValue(found) ? undefined : complain(path, "must be plain JSON");
    default: {
      const plain = found instanceof Y.Map && isPlainValue(found) ? found.toJSON() : found;
      const known = canonicalAt(place, plain);
      const foreign = isObject(plain) && Object.keys(plain).some((key) => key !== "id");
      return known === undefined || foreign ? complain(path, "has a value that does not belong there") : undefined;
    }
  }
}

const complain = (path: readonly string[], words: string): string => `${path.join(".") || rootName}: ${words}.`;

function objectProblem(
  place: ObjectPlace,
  found: unknown,
  path: readonly string[],
  extra: readonly string[],
  before: Before,
): string | undefined {
  const members = membersOf(found);
  if (members === undefined) return complain(path, "must be a map");
  const missing = place.required?.find((key) => members.get(key) === undefined);
  if (missing !== undefined) return complain([...path, missing], "is missing");
  for (const [key, member] of members) {
    if (extra.includes(key)) continue;
    const field = Object.hasOwn(place.fields, key) ? place.fields[key] : undefined;
    if (field === undefined) {
      if (found instanceof Y.Map && before.keeps(found, key)) continue;
      return complain([...path, key], "is unknown");
    }
    const problem = shapeProblem(field, member, [...path, key], before);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function membersOf(found: unknown): Map<string, unknown> | undefined {
  if (found instanceof Y.Map) return !hasListContent(found) ? new Map(found.entries()) : undefined;
  return isObject(found) && isPlainValue(found) ? new Map(Object.entries(found)) : undefined;
}

function listProblem(list: ListPlace, found: unknown, path: readonly string[], before: Before): string | undefined {
  if (!(found instanceof Y.Map && !hasListContent(found))) return complain(path, "must be a map of items");
  for (const [key, item] of found.entries()) {
    if (before.isUntouched(item)) continue;
    const here = [...path, key];
    if (key === "" || key.length > maxKeyLength) return complain(path, "has an item whose key is empty or too long");
    if (!(item instanceof Y.Map && !hasListContent(item))) return complain(here, "must be a map");
    const position: unknown = item.get(positionKey);
    if (position !== undefined && !isPosition(position)) return complain([...here, positionKey], "is no place");
    const problem = objectProblem(itemPlace(list), item, here, [positionKey], before);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function openProblem(found: unknown, path: readonly string[]): string | undefined {
  if (!(found instanceof Y.Map && !hasListContent(found))) return complain(path, "must be a map");
  for (const [key, value] of found.entries()) {
    if (key === "" || key.length > maxKeyLength) return complain(path, "has a name that is empty or too long");
    if (!isPlainValue(value)) return complain([...path, key], "must be plain JSON");
  }
  return undefined;
}

/** Whether a text has no formats, embedded objects or attributes. */
const isPlainText = (found: unknown): boolean =>
  found instanceof Y.Text &&
  Object.keys(found.getAttributes()).length === 0 &&
  found
    .toDelta()
    .every(
      (part: { insert?: unknown; attributes?: unknown }) =>
        typeof part.insert === "string" && part.attributes === undefined,
    );

/** Whether a value is JSON that `cleanJson` accepts, or a map of such values. */
function isPlainValue(found: unknown, depth = 0): boolean {
  if (depth > maxDepth) return false;
  const arePlain = (members: Iterable<unknown>) => [...members].every((member) => isPlainValue(member, depth + 1));
  if (found instanceof Y.Map) return !hasListContent(found) && arePlain(found.values());
  if (Array.isArray(found)) return arePlain(found);
  if (isObject(found)) return arePlain(Object.values(found));
  return found === null || ["string", "boolean"].includes(typeof found) || Number.isFinite(found);
}
