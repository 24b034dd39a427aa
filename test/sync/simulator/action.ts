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

/** What a step gets. */
export interface Scene {
  world: World;
  ledger: Ledger;
  place: Place;
}

/**
 * Does one thing as a user and returns a description; undefined when there is no object for it. Only acknowledged changes
 * enter the ledger.
 */
export type Action = (scene: Scene) => Promise<string | undefined>;
export type Actions = Record<string, Action>;

export type Json = Record<string, unknown>;

/** The record to which a row belongs. */
function topicOf(row: { id: string; topic_record_id?: string; draft_id?: string }): string {
  return row.topic_record_id ?? row.draft_id ?? row.id;
}

/** A random row of a table at this place. */
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

/** A random draft that fits; sometimes one that does not. */
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

/** Whether all files of a draft are complete, so that it can be published. */
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
