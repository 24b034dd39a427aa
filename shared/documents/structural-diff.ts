import * as Y from "yjs";
import { isObject, type Json, type JsonObject, sameJson } from "../kernel/json.ts";
import type { ListPlace, Place } from "../metadata/place.schema.ts";
import { build, buildItem } from "./build.ts";
import { canonical, canonicalAt, canonicalItem, type DraftInput } from "./draft-input.ts";
import { itemPlace, layout, positionKey, rootName, wordKey } from "./layout.ts";
import { matchItems, type TakenKeys, takeKey } from "./matching.ts";
import { entriesOf, plainItem, plainOf } from "./materialise.ts";
import { namesOf } from "./open-members.ts";
import { placeInOrder } from "./reorder.ts";
import { DiffEffort, diffText } from "./text-diff.ts";

/**
 * Changes the content of `doc` to `next` and touches only differences, so that concurrent edits elsewhere stay. Texts are
 * changed by splices, list items are matched. Makes no update when nothing differs.
 */
export function editDocument(doc: Y.Doc, next: DraftInput): void {
  const draft = canonical(next) as unknown as JsonObject;
  const root = doc.getMap<unknown>(rootName);
  doc.transact(() => editFields(root, layout.fields, draft, new DiffEffort()));
}

/** Changes the value of `key` in `parent` to `next` (canonical; undefined: no value). */
export function editAt(
  parent: Y.Map<unknown>,
  key: string,
  place: Place,
  next: Json | undefined,
  effort: DiffEffort,
): void {
  const found: unknown = parent.get(key);
  if (place.kind === "text" && found instanceof Y.Text) editText(found, typeof next === "string" ? next : "", effort);
  else if (place.kind === "object" && found instanceof Y.Map) editFields(found, place.fields, next, effort);
  else if (place.kind === "open" && found instanceof Y.Map) editNames(found, namesOf(place, next), effort);
  else if (place.kind === "list" && found instanceof Y.Map)
    editList(found, place, Array.isArray(next) ? next : [], effort);
  else if (!sameJson(canonicalAt(place, plainOf(place, found)), next)) {
    if (next === undefined) parent.delete(key);
    else parent.set(key, build(place, next));
  }
}

function editText(text: Y.Text, next: string, effort: DiffEffort): void {
  let shift = 0;
  for (const { at, remove, insert } of diffText(text.toString(), next, effort)) {
    if (insert !== "") text.insert(at + shift, insert);
    if (remove > 0) text.delete(at + shift + insert.length, remove);
    shift += insert.length - remove;
  }
}

function editFields(
  map: Y.Map<unknown>,
  fields: Readonly<Record<string, Place>>,
  next: Json | undefined,
  effort: DiffEffort,
): void {
  for (const [key, field] of Object.entries(fields))
    editAt(map, key, field, isObject(next) ? (next[key] as Json | undefined) : undefined, effort);
}

function editNames(map: Y.Map<unknown>, next: JsonObject, effort: DiffEffort): void {
  for (const key of new Set([...map.keys(), ...Object.keys(next)]))
    editAt(map, key, { kind: "value" }, next[key], effort);
}

function editList(map: Y.Map<unknown>, list: ListPlace, next: readonly Json[], effort: DiffEffort): void {
  const entries = entriesOf(map);
  const old = entries.map(({ item }) => canonicalItem(list, plainItem(list, item)) ?? null);
  if (JSON.stringify(old) === JSON.stringify(next)) return;
  const matched = matchItems(list, old, next);
  const kept = new Set(matched);
  entries.forEach(({ key }, index) => {
    if (!kept.has(index)) map.delete(key);
  });
  const taken: TakenKeys = new Map(entries.flatMap(({ key }, index) => (kept.has(index) ? [[key, 2]] : [])));
  const positions = placeInOrder(
    matched,
    entries.map(({ position }) => position),
  );
  next.forEach((content, index) => {
    const entry = entries[matched[index] ?? -1];
    const position = positions[index];
    if (entry === undefined) {
      map.set(takeKey(list, content, taken), buildItem(list, content, position ?? ""));
    } else {
      if (JSON.stringify(old[matched[index] ?? -1]) !== JSON.stringify(content))
        editItem(entry.item, list, content, effort);
      if (position !== undefined) entry.item.set(positionKey, position);
    }
  });
}

/** Changes the content of an item. */
export const editItem = (item: Y.Map<unknown>, list: ListPlace, content: Json, effort: DiffEffort): void =>
  editFields(item, itemPlace(list).fields, list.item === "word" ? { [wordKey]: content } : content, effort);
