import type { BundleRow } from "../../../shared/bundles/bundle.schema.ts";
import { writePath } from "../../../shared/documents/path-text.ts";
import type { TheirRecord } from "./read/their-record.ts";

/** A value of the user that lost. */
export interface Lost {
  path: string[];
  mine: unknown;
  theirs?: unknown;
}

interface Owner {
  user: { id: string };
  /** Microseconds UTC. */
  now(): number;
  newUuid(): string;
}

/** The user's own values that lost, as conflicts. */
export const conflictRows = (
  { newUuid, now, user }: Owner,
  { id, parent }: TheirRecord,
  lost: readonly Lost[],
): BundleRow[] =>
  lost.map(({ path, mine, theirs }) => ({
    id: newUuid(),
    user_id: user.id,
    parent_id: parent.id,
    draft_id: id,
    path: writePath(path),
    mine: JSON.stringify(mine ?? null),
    theirs: JSON.stringify(theirs ?? null),
    theirs_by: null,
    created: now(),
  }));
