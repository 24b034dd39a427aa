import { type Change, changesBetween, goneItem, idOf, outerItem, valueAt } from "./change.ts";
import { cleanJson, isObject, type Json, type JsonObject, sameJson } from "./json.ts";
import { placeAt } from "./layout.ts";
import { plainOfKeyed } from "./materialise.ts";
import { DiffEffort } from "./text-diff.ts";
import { mergeText } from "./text-merge.ts";

/**
 * A value that did not make it (hosts-and-sync 4): `mine` was meant, `theirs` stands (absent: nothing). It belongs to the
 * author of the edit that was applied (`author`), or to whoever wrote at that path before (`earlier`: a removal that was
 * applied took an edit along). Values are plain JSON; `path` names list items by key.
 */
export interface LostValue {
  path: string[];
  mine: Json;
  theirs?: Json;
  loser: "author" | "earlier";
}

/** A value to be set after merging, so that the result is the one decided here; absent: nothing there. */
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
  /** By loser and path; of one path the last value counts. */
  lost: Map<string, LostValue>;
  repairs: Repair[];
  effort: DiffEffort;
}

/**
 * Compares what an author changed with what has happened meanwhile. What stood first stays, the value that arrives later
 * is kept as lost; only texts that were edited in different places merge.
 *
 * @param changes what the author changed, from what the author saw
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
 * The changes without the additions of items that stand already under another key: a document made anew names its items
 * by what they say now, and what was added to the one before may have come into it by another way.
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
  const gone = goneItem(path, judging.current);
  if (gone !== undefined) loseItem(change, gone, judging);
  else if (placeAt(path.slice(0, -1))?.kind !== "list") judgeLeaf(change, judging);
  else if (change.after === undefined) judgeRemoval(change, judging);
  else judgeAddition(change, judging);
}

/** An edit into an item that was removed elsewhere: the item as its author last saw it is kept. */
function loseItem({ path, item }: Change, gone: string[], judging: Judging): void {
  const outer = outerItem(path) ?? gone;
  const whole = valueAt({ item: item ?? null }, ["item", ...gone.slice(outer.length)]);
  if (whole === undefined || judging.lost.has(lostId("author", gone))) return;
  keep({ path: gone, mine: plainAt(gone, whole) ?? null, loser: "author" }, judging);
}

function judgeLeaf(change: Change, judging: Judging): void {
  const { path, before, after } = change;
  const stands = valueAt(judging.current, path);
  const result = valueAt(judging.merged, path);
  if (sameJson(stands, after) || sameJson(stands, before)) {
    repair(path, after, result, judging);
  } else if (placeAt(path)?.kind === "text") {
    const text = mergeText(textOf(before), textOf(after), textOf(stands), judging.effort);
    // Where nothing overlapped, Yjs has merged already; it has not where there was no update to apply.
    if (!text.isPlain || result === stands) repair(path, text.merged, result, judging);
    if (text.conflict) lose(path, after, text.merged, judging);
  } else {
    repair(path, stands, result, judging);
    lose(path, after, stands, judging);
  }
}

const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");

/** Removed, whatever was edited in it meanwhile; that edit is kept for its author. */
function judgeRemoval(change: Change, judging: Judging): void {
  const stands = valueAt(judging.current, change.path);
  if (stands === undefined) return;
  repair(change.path, undefined, valueAt(judging.merged, change.path), judging);
  if (sameJson(stands, change.before)) return;
  keep({ path: change.path, mine: plainAt(change.path, stands) ?? null, loser: "earlier" }, judging);
}

/** Added on two sides under one key: one item, with what either side filled in. */
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

/** The leaves below a keyed item; items of lists in it count as leaves too. */
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
