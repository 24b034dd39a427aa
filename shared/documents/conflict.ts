import { cleanJson, isObject, type Json, type JsonObject, sameJson } from "../kernel/json.ts";
import { type Change, changesBetween, deletedItem, idOf, outerItem, valueAt } from "./change.ts";
import { placeAt } from "./layout.ts";
import { plainOfKeyed } from "./materialise.ts";
import { DiffEffort } from "./text-diff.ts";
import { mergeText } from "./text-merge.ts";

/**
 * A value that lost a conflict (hosts-and-sync 4): `mine` lost, `theirs` is in the draft (absent: no value). The loser
 * is the author of the applied edit (`author`), or whoever wrote at that path before (`earlier`), when the applied edit
 * removed an item. Values are plain JSON; `path` names list items by key.
 */
export interface LostValue {
  path: string[];
  mine: Json;
  theirs?: Json;
  loser: "author" | "earlier";
}

/** A value to set after Yjs merged, so that the result is the one decided here; absent: no value. */
export interface Repair {
  path: string[];
  value?: Json;
}

export interface Verdict {
  lost: LostValue[];
  repairs: Repair[];
}

interface Judging {
  current: JsonObject;
  merged: JsonObject;
  /** By loser and path; the last value of a path counts. */
  lost: Map<string, LostValue>;
  repairs: Repair[];
  effort: DiffEffort;
}

/**
 * Compares an author's changes with the concurrent ones. The value that arrived first stays; the later value is lost
 * and kept. Only texts that were edited in different places are merged.
 *
 * @param changes the author's changes, relative to the draft that the author saw
 * @param current the keyed draft just before the author's update is applied
 * @param merged the keyed draft just after
 */
export function judge(
  changes: readonly Change[],
  current: JsonObject,
  merged: JsonObject,
  effort = new DiffEffort(),
): Verdict {
  const judging: Judging = { current, merged, lost: new Map(), repairs: [], effort };
  for (const change of changes) judgeChange(change, judging);
  return { lost: [...judging.lost.values()], repairs: judging.repairs };
}

/**
 * Removes additions of items that exist already under another key. A new document derives keys from the items' present
 * content, and may have got an item of the old document in another way.
 */
export function withoutStanding(changes: readonly Change[], current: JsonObject): Change[] {
  const standing = new Map<string, Set<string>>();
  const stands = ({ path, before, after }: Change): boolean => {
    const parent = path.slice(0, -1);
    if (before !== undefined || after === undefined || placeAt(parent)?.kind !== "list") return false;
    const items = valueAt(current, parent);
    if (!isObject(items) || Object.hasOwn(items, path.at(-1) ?? "")) return false;
    const content = (item: unknown): string => JSON.stringify(cleanJson(plainAt(path, item as Json)));
    const known = standing.get(idOf(parent)) ?? new Set(Object.values(items).map(content));
    standing.set(idOf(parent), known);
    return known.has(content(after));
  };
  return changes.filter((change) => !stands(change));
}

function judgeChange(change: Change, judging: Judging): void {
  const { path } = change;
  const deletedPath = deletedItem(path, judging.current);
  if (deletedPath !== undefined) loseItem(change, deletedPath, judging);
  else if (placeAt(path.slice(0, -1))?.kind !== "list") judgeLeaf(change, judging);
  else if (change.after === undefined) judgeRemoval(change, judging);
  else judgeAddition(change, judging);
}

/** An edit in an item that was removed concurrently: keeps the item as its author last saw it. */
function loseItem({ path, item }: Change, deletedPath: string[], judging: Judging): void {
  const outer = outerItem(path) ?? deletedPath;
  const whole = valueAt({ item: item ?? null }, ["item", ...deletedPath.slice(outer.length)]);
  if (whole === undefined || judging.lost.has(lostId("author", deletedPath))) return;
  keep({ path: deletedPath, mine: plainAt(deletedPath, whole) ?? null, loser: "author" }, judging);
}

function judgeLeaf(change: Change, judging: Judging): void {
  const { path, before, after } = change;
  const stands = valueAt(judging.current, path);
  const result = valueAt(judging.merged, path);
  if (sameJson(stands, after) || sameJson(stands, before)) {
    repair(path, after, result, judging);
  } else if (placeAt(path)?.kind === "text") {
    const text = mergeText(textOf(before), textOf(after), textOf(stands), judging.effort, textOf(result));
    // Without overlap Yjs has merged the texts already, unless there was no update to apply.
    if (!text.isPlain || result === stands) repair(path, text.merged, result, judging);
    if (text.conflict) lose(path, after, text.merged, judging);
  } else {
    repair(path, stands, result, judging);
    lose(path, after, stands, judging);
  }
}

const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");

/** A removal wins over concurrent edits in the item; those edits are kept for their author. */
function judgeRemoval(change: Change, judging: Judging): void {
  const stands = valueAt(judging.current, change.path);
  if (stands === undefined) return;
  repair(change.path, undefined, valueAt(judging.merged, change.path), judging);
  if (sameJson(stands, change.before)) return;
  keep({ path: change.path, mine: plainAt(change.path, stands) ?? null, loser: "earlier" }, judging);
}

/** Two items added concurrently under one key become one item, with the members of both. */
function judgeAddition(change: Change, judging: Judging): void {
  const { path, after } = change;
  const stands = valueAt(judging.current, path);
  if (after === undefined) return;
  if (stands === undefined) {
    if (valueAt(judging.merged, path) === undefined) repair(path, after, undefined, judging);
    return;
  }
  for (const inner of leavesOf(path, after)) judgeLeaf({ path: inner.path, after: inner.value }, judging);
  for (const inner of leavesOf(path, stands))
    if (valueAt({ item: after }, ["item", ...inner.path.slice(path.length)]) === undefined)
      repair(inner.path, inner.value, valueAt(judging.merged, inner.path), judging);
}

/** The leaves of a keyed item; items of its lists count as leaves. */
function leavesOf(path: readonly string[], item: Json): { path: string[]; value: Json }[] {
  const nest = path.reduceRight<Json>((value, key) => ({ [key]: value }), item);
  const shell = path.reduceRight<Json>((value, key) => ({ [key]: value }), {});
  return changesBetween(shell as JsonObject, nest as JsonObject).flatMap(({ path: leaf, after }) =>
    after === undefined ? [] : [{ path: leaf, value: after }],
  );
}

function repair(path: string[], wanted: Json | undefined, result: Json | undefined, { repairs }: Judging): void {
  if (!sameJson(wanted, result)) repairs.push(wanted === undefined ? { path } : { path, value: wanted });
}

const lostId = (loser: LostValue["loser"], path: readonly string[]): string => `${loser}/${idOf(path)}`;

const keep = (value: LostValue, { lost }: Judging): unknown => lost.set(lostId(value.loser, value.path), value);

function lose(path: string[], mine: Json | undefined, theirs: Json | undefined, judging: Judging): void {
  const stands = plainAt(path, theirs);
  const standing = stands === undefined ? {} : { theirs: stands };
  keep({ path, mine: plainAt(path, mine) ?? null, ...standing, loser: "author" }, judging);
}

const plainAt = (path: readonly string[], keyed: Json | undefined): Json | undefined => {
  const place = placeAt(path);
  return place === undefined ? keyed : plainOfKeyed(place, keyed);
};
