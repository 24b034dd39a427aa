import { type Change, changesBetween, itemPaths, outerItem, valueAt } from "./change.ts";
import { isObject, type Json, type JsonObject, sameJson } from "./json.ts";
import { placeAt } from "./layout.ts";
import { plainOfKeyed } from "./materialise.ts";
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

/**
 * Compares what an author changed with what has happened meanwhile. What stood first stays, the value that arrives later
 * is kept as lost; only texts that were edited in different places merge.
 *
 * @param changes what the author changed, from what the author saw
 * @param current the keyed draft just before the author's update is applied
 * @param merged the keyed draft just after
 */
export function judge(changes: readonly Change[], current: JsonObject, merged: JsonObject): Verdict {
  const verdict: Verdict = { lost: [], repairs: [] };
  for (const change of changes) judgeChange(change, current, merged, verdict);
  return { lost: withoutRepeats(verdict.lost), repairs: verdict.repairs };
}

/**
 * The changes without the additions of items that stand already under another key: a document made anew names its items
 * by what they say now, and what was added to the one before may have come into it by another way.
 */
export function withoutStanding(changes: readonly Change[], current: JsonObject): Change[] {
  const stands = ({ path, before, after }: Change): boolean => {
    const parent = path.slice(0, -1);
    if (before !== undefined || after === undefined || placeAt(parent)?.kind !== "list") return false;
    const items = valueAt(current, parent);
    if (!isObject(items) || Object.hasOwn(items, path.at(-1) ?? "")) return false;
    return Object.values(items).some((item) => sameJson(plainAt(path, item), plainAt(path, after)));
  };
  return changes.filter((change) => !stands(change));
}

function judgeChange(change: Change, current: JsonObject, merged: JsonObject, verdict: Verdict): void {
  const { path } = change;
  const gone = itemPaths(path).find((item) => item.length < path.length && valueAt(current, item) === undefined);
  if (gone !== undefined) loseItem(change, gone, verdict);
  else if (placeAt(path.slice(0, -1))?.kind !== "list") judgeLeaf(change, current, merged, verdict);
  else if (change.after === undefined) judgeRemoval(change, current, merged, verdict);
  else judgeAddition(change, current, merged, verdict);
}

/** An edit into an item that was removed elsewhere: the item as its author last saw it is kept. */
function loseItem(change: Change, gone: string[], verdict: Verdict): void {
  const outer = outerItem(change.path) ?? gone;
  const inside = valueAt({ item: change.item ?? null }, ["item", ...gone.slice(outer.length)]);
  const whole = inside ?? (change.path.length > gone.length ? undefined : change.after);
  if (whole === undefined) return;
  verdict.lost.push({ path: gone, mine: plainAt(gone, whole) ?? null, loser: "author" });
}

function judgeLeaf(change: Change, current: JsonObject, merged: JsonObject, verdict: Verdict): void {
  const { path, before, after } = change;
  const stands = valueAt(current, path);
  const result = valueAt(merged, path);
  if (sameJson(stands, after) || sameJson(stands, before)) {
    repair(path, after, result, verdict);
  } else if (placeAt(path)?.kind === "text") {
    const text = mergeText(textOf(before), textOf(after), textOf(stands));
    // Where nothing overlapped, Yjs has merged already; it has not where there was no update to apply.
    if (!text.isPlain || result === stands) repair(path, text.merged, result, verdict);
    if (text.conflict) lose(path, after, text.merged, verdict);
  } else {
    repair(path, stands, result, verdict);
    lose(path, after, stands, verdict);
  }
}

const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");

/** Removed, whatever was edited in it meanwhile; that edit is kept for its author. */
function judgeRemoval(change: Change, current: JsonObject, merged: JsonObject, verdict: Verdict): void {
  const stands = valueAt(current, change.path);
  if (stands === undefined) return;
  repair(change.path, undefined, valueAt(merged, change.path), verdict);
  if (sameJson(stands, change.before)) return;
  verdict.lost.push({ path: change.path, mine: plainAt(change.path, stands) ?? null, loser: "earlier" });
}

/** Added on two sides under one key: one item, with what either side filled in. */
function judgeAddition(change: Change, current: JsonObject, merged: JsonObject, verdict: Verdict): void {
  const { path, after } = change;
  const stands = valueAt(current, path);
  if (after === undefined) return;
  if (stands === undefined) {
    if (valueAt(merged, path) === undefined) repair(path, after, undefined, verdict);
    return;
  }
  for (const inner of leavesOf(path, after))
    judgeLeaf({ path: inner.path, after: inner.value }, current, merged, verdict);
  for (const inner of leavesOf(path, stands))
    if (valueAt({ item: after }, ["item", ...inner.path.slice(path.length)]) === undefined)
      repair(inner.path, inner.value, valueAt(merged, inner.path), verdict);
}

/** The leaves below a keyed item; items of lists in it count as leaves too. */
function leavesOf(path: readonly string[], item: Json): { path: string[]; value: Json }[] {
  const nest = path.reduceRight<Json>((value, key) => ({ [key]: value }), item);
  const shell = path.reduceRight<Json>((value, key) => ({ [key]: value }), {});
  return changesBetween(shell as JsonObject, nest as JsonObject).flatMap(({ path: leaf, after }) =>
    after === undefined ? [] : [{ path: leaf, value: after }],
  );
}

function repair(path: string[], wanted: Json | undefined, result: Json | undefined, verdict: Verdict): void {
  if (!sameJson(wanted, result)) verdict.repairs.push(wanted === undefined ? { path } : { path, value: wanted });
}

function lose(path: string[], mine: Json | undefined, theirs: Json | undefined, verdict: Verdict): void {
  const stands = plainAt(path, theirs);
  verdict.lost.push({
    path,
    mine: plainAt(path, mine) ?? null,
    ...(stands === undefined ? {} : { theirs: stands }),
    loser: "author",
  });
}

const plainAt = (path: readonly string[], keyed: Json | undefined): Json | undefined => {
  const place = placeAt(path);
  return place === undefined ? keyed : plainOfKeyed(place, keyed);
};

/** One entry for each path; the last one has the latest value. */
const withoutRepeats = (lost: readonly LostValue[]): LostValue[] => [
  ...new Map(lost.map((value) => [`${value.loser}/${JSON.stringify(value.path)}`, value])).values(),
];
