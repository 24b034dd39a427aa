import type {
  AccessGrantRow,
  AccessLinkRow,
  ConflictRow,
  DraftRow,
  RecordRow,
  RequestRow,
} from "../../../shared/database/schema.ts";
import type { Ledger } from "./ledger.ts";
import type { Place } from "./place.ts";
import type { World } from "./world.ts";

/** What one step has at hand. */
export interface Scene {
  world: World;
  ledger: Ledger;
  place: Place;
}

/**
 * Does one thing as its person and says so in words; undefined when there is nothing to do it to. What she is not told
 * is done does not enter the ledger.
 */
export type Action = (scene: Scene) => Promise<string | undefined>;
export type Actions = Record<string, Action>;

export type Json = Record<string, unknown>;

/** Any row of a table that this place shows, by chance. */
export async function anyOf<T extends "draft" | "record" | "request" | "conflict" | "access_grant" | "access_link">(
  { world, place }: Scene,
  table: T,
) {
  const rows = await place.db
    .selectFrom(table as "draft")
    .selectAll()
    .orderBy("id")
    .execute();
  return world.chance.pick(rows as unknown as Row[T][]);
}

interface Row {
  draft: DraftRow;
  record: RecordRow;
  request: RequestRow;
  conflict: ConflictRow;
  access_grant: AccessGrantRow;
  access_link: AccessLinkRow;
}
