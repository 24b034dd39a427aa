import * as Y from "yjs";
import { isObject, type Json } from "../kernel/json.ts";
import type { ListPlace, ObjectPlace, Place } from "../metadata/place.schema.ts";
import { itemPlace, positionKey, wordKey } from "./layout.ts";
import { type TakenKeys, takeKey } from "./matching.ts";
import { namesOf } from "./open-members.ts";
import { positionsBetween } from "./position.ts";

/**
 * Makes the Yjs value for canonical JSON at a place. Empty texts, lists and objects are made too: two replicas that each
 * add the first subject then add to one list. Otherwise each would set its own list, and one list would be lost.
 */
export function build(place: Place, json: Json | undefined): unknown {
  switch (place.kind) {
    case "text":
      return new Y.Text(typeof json === "string" ? json : "");
    case "object":
      return buildObject(place, json);
    case "open":
      return new Y.Map(Object.entries(namesOf(place, json)));
    case "list":
      return buildList(place, Array.isArray(json) ? json : []);
    default:
      return json;
  }
}

function buildObject(place: ObjectPlace, json: Json | undefined): Y.Map<unknown> {
  const map = new Y.Map<unknown>();
  for (const [key, field] of Object.entries(place.fields)) {
    const member = build(field, isObject(json) ? (json[key] as Json | undefined) : undefined);
    if (member !== undefined) map.set(key, member);
  }
  return map;
}

function buildList(place: ListPlace, items: readonly Json[]): Y.Map<unknown> {
  const map = new Y.Map<unknown>();
  const positions = positionsBetween(undefined, undefined, items.length);
  const taken: TakenKeys = new Map();
  items.forEach((item, index) => {
    map.set(takeKey(place, item, taken), buildItem(place, item, positions[index] ?? ""));
  });
  return map;
}

/** An item of a list, with its position. */
export function buildItem(list: ListPlace, item: Json, position: string): Y.Map<unknown> {
  const map = buildObject(itemPlace(list), list.item === "word" ? { [wordKey]: item } : item);
  map.set(positionKey, position);
  return map;
}
