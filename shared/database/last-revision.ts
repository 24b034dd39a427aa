import type { Db, Tx } from "./open.ts";
import { findSetting, storeSetting } from "./setting.repository.ts";

/** What can be deleted and made again under the same id. */
type Kind = "collection" | "draft" | "group";

const nameOf = (kind: Kind, id: string): string => `last_revision:${kind}:${id}`;

/** Stores the last revision of something that is deleted. */
export async function keepLastRevision(tx: Tx, kind: Kind, id: string, revision: number): Promise<void> {
  await storeSetting(tx, nameOf(kind, id), String(revision));
}

/** The first revision of something new. If the id was used before, it continues, so that no earlier ETag fits again. */
export const firstRevision = async (db: Db, kind: Kind, id: string): Promise<number> =>
  Number((await findSetting(db, nameOf(kind, id))) ?? 0) + 1;
