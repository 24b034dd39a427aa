import { Failure } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { mergeSeen } from "../kernel/merge-seen.ts";
import type { DescribeFile } from "./file.schema.ts";

export type Description = Record<string, unknown>;

/** The description in the row of a file. */
export const descriptionOf = (row: { metadata?: unknown } | undefined): Description =>
  JSON.parse(String(row?.metadata ?? "{}"));

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
  const { next, isDisputed } = mergeSeen({ seen, mine, theirs: descriptionOf(entry) });
  if (isDisputed && abilities.decides)
    throw new Failure("conflict", "The description of this file was changed elsewhere meanwhile: look at it again.");
  return next;
}
