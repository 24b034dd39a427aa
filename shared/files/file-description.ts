import { Failure } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { type Json, sameJson } from "../kernel/json.ts";
import type { DescribeFile } from "./file.schema.ts";

export type Description = Record<string, unknown>;

/** The description in the row of a file. */
export const descriptionOf = (row: { metadata?: unknown } | undefined): Description =>
  JSON.parse(String(row?.metadata ?? "{}"));

export const isSame = (one: unknown, other: unknown): boolean =>
  sameJson((one ?? null) as Json, (other ?? null) as Json);

/**
 * The description of others with the changes that a user made to the one they saw.
 * @returns `isDisputed`: both changed one value; `next` has the user's.
 */
export function mergeDescriptions({ seen, mine, theirs }: Record<"seen" | "mine" | "theirs", Description>) {
  const next = { ...theirs };
  let isDisputed = false;
  for (const key of new Set([...Object.keys(seen), ...Object.keys(mine)])) {
    if (isSame(seen[key], mine[key])) continue;
    isDisputed ||= !isSame(theirs[key], seen[key]) && !isSame(theirs[key], mine[key]);
    if (key in mine) next[key] = mine[key];
    else delete next[key];
  }
  return { next, isDisputed };
}

/**
 * The description that a user gave to a file on a replica, over what others changed meanwhile (hosts-and-sync 4). A
 * replica shows the user's values until the server has decided.
 * @throws Failure 409 if both changed one value: the user looks at it again.
 */
export function describedLater(
  { abilities }: Pick<Host, "abilities">,
  entry: { metadata: string | null },
  { metadata: mine, seen }: DescribeFile,
): Description {
  if (!seen) return mine;
  const { next, isDisputed } = mergeDescriptions({ seen, mine, theirs: descriptionOf(entry) });
  if (isDisputed && abilities.decides)
    throw new Failure("conflict", "The description of this file was changed elsewhere meanwhile: look at it again.");
  return next;
}
