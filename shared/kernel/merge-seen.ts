import { type Json, sameJson } from "./json.ts";

type Values = Record<string, unknown>;

export const isSame = (one: unknown, other: unknown): boolean =>
  sameJson((one ?? null) as Json, (other ?? null) as Json);

/**
 * The values of others with the changes that a user made to the ones they saw.
 * @returns `isDisputed`: both changed one value; `next` has the user's.
 */
export function mergeSeen<V extends Values>({ seen, mine, theirs }: Record<"seen" | "mine" | "theirs", V>) {
  const next: Values = { ...theirs };
  let isDisputed = false;
  for (const key of new Set([...Object.keys(seen), ...Object.keys(mine)])) {
    if (isSame(seen[key], mine[key])) continue;
    isDisputed ||= !isSame(theirs[key], seen[key]) && !isSame(theirs[key], mine[key]);
    if (key in mine) next[key] = mine[key];
    else delete next[key];
  }
  return { next: next as V, isDisputed };
}
