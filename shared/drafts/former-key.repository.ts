import type { Db, Tx } from "../database/open.ts";
import { prepared } from "../database/prepared.ts";
import type { FormerKey } from "../documents/former-keys.ts";
import { readPath, writePath } from "../documents/path-text.ts";

const listRows = prepared((db, recordId: string, after: number) =>
  db
    .selectFrom("former_key")
    .selectAll()
    .where("record_id", "=", recordId)
    .where("revision", ">", after)
    .orderBy("revision"),
);

/** For each publication of a record after a revision, in order: the items that got another key. */
export async function listFormerKeys(db: Db, recordId: string, after: number): Promise<FormerKey[][]> {
  const rows = await listRows(db, recordId, after);
  const publications = Map.groupBy(rows, ({ revision }) => revision).values();
  return [...publications].map((some) => some.map(({ path, key }) => ({ path: readPath(path), key })));
}

export async function insertFormerKeys(
  tx: Tx,
  { id, revision_id }: { id: string; revision_id: number },
  former: readonly FormerKey[],
): Promise<void> {
  for (const { path, key } of former) {
    const row = { record_id: id, revision: revision_id, path: writePath(path), key };
    await tx.insertInto("former_key").values(row).execute();
  }
}
