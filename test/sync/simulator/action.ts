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

/** The record that a row is about. */
function topicOf(row: { id: string; topic_record_id?: string; draft_id?: string }): string {
  return row.topic_record_id ?? row.draft_id ?? row.id;
}

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
  return world.pick(rows as unknown as Row[T][], topicOf);
}

/** A draft that fits, by chance; now and then one that does not. */
export async function anyDraft(scene: Scene, fits: (scene: Scene, draft: DraftRow) => Promise<boolean>) {
  const { world, place } = scene;
  const rows = await place.db.selectFrom("draft").selectAll().orderBy("id").execute();
  const fitting: DraftRow[] = [];
  for (const row of rows) if (await fits(scene, row)) fitting.push(row);
  return world.pick(fitting.length > 0 && world.chance.happens(0.9) ? fitting : rows);
}

export const takesFiles = async (_scene: Scene, draft: DraftRow): Promise<boolean> => draft.files_enabled === 1;

export async function hasSomeFiles({ place }: Scene, { id }: DraftRow): Promise<boolean> {
  const row = place.db
    .selectFrom("file_entry")
    .select("id")
    .where("owner_id", "=", id)
    .where("status", "=", "completed");
  return (await row.executeTakeFirst()) !== undefined;
}

/** Whether nothing is missing of its files: without that it cannot be published. */
export const hasItsFiles = async (scene: Scene, draft: DraftRow): Promise<boolean> =>
  draft.files_enabled === 0 || hasSomeFiles(scene, draft);

interface Row {
  draft: DraftRow;
  record: RecordRow;
  request: RequestRow;
  conflict: ConflictRow;
  access_grant: AccessGrantRow;
  access_link: AccessLinkRow;
}
