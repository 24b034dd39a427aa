import { sql } from "kysely";
import type { BundleRow } from "../../../../shared/bundles/bundle.schema.ts";
import type { Db } from "../../../../shared/database/open.ts";
import { describeFile } from "../../../../shared/files/file.schema.ts";
import { type Description, descriptionOf } from "../../../../shared/files/file-description.ts";
import { isSame } from "../../../../shared/kernel/merge-seen.ts";
import { findKeyThere } from "../places.repository.ts";
import type { TheirFile } from "../read/their-record.ts";
import { findAttempt, upsertAttempt } from "./journal.repository.ts";

/** Unsent descriptions of files of a draft, oldest first. */
export async function listDescriptions(db: Db, draftId: string) {
  const { rows } = await sql<{
    id: string;
    entryId: string;
    key: string;
  }>`select wire_id as id, payload ->> 'entryId' as "entryId", payload ->> 'key' as key from operation
    where kind = ${describeFile.name} and state in ('pending', 'sending') and payload ->> 'draftId' = ${draftId}
    order by position`.execute(db);
  return rows;
}

/** Notes what the user saw when they described a file. */
export const noteSeen = (db: Db, operation_id: string, seen: Description, now: number) =>
  upsertAttempt(db, {
    ...{ operation_id, step: "described", state: "made", sent: now, seq: null, looks: 0, next_look: now },
    known: JSON.stringify({ seen }),
  });

/** Before another description of a file is stored: keeps what the user saw for those that wait. */
export async function noteFormerDescriptions(
  db: Db,
  draftId: string,
  { shown, there, now }: { shown: readonly BundleRow[]; there: readonly TheirFile[]; now: number },
): Promise<void> {
  for (const { id, entryId, key: named } of await listDescriptions(db, draftId)) {
    const key = (await findKeyThere(db, draftId, entryId)) ?? named;
    const row = shown.find((one) => one.key === key);
    const file = there.find((one) => one.key === key);
    if (!row || !file || isSame(descriptionOf(row), file.metadata ?? {}) || (await findAttempt(db, id))) continue;
    await noteSeen(db, id, descriptionOf(row), now);
  }
}
