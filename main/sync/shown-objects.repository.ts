import { sql } from "kysely";
import type { Tx } from "../../shared/database/open.ts";
import { type FoundObject, listChanged } from "../../shared/live-events/changed-objects.repository.ts";
import type { Change } from "../../shared/sync-protocol/feed.schema.ts";

/** Users whose cards in these changes differ from the stored ones. A user who was opened has a bundle instead. */
async function listOtherCards(tx: Tx, changes: readonly Change[]): Promise<FoundObject[]> {
  const cards = changes.flatMap(({ bundle }) => bundle?.people ?? []);
  if (cards.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    select distinct user.id from user
    join json_each(${JSON.stringify(cards)}) as card on user.id = card.value ->> 'id'
    where user.revision_id is not card.value ->> 'revision_id'
    and user.id not in (select object_id from base where kind = 'user')`.execute(tx);
  return rows.map(({ id }) => ({ kind: "user", id }));
}

/** What open windows may show of the objects that these changes are about to replace. */
export const listShown = async (tx: Tx, changes: readonly Change[]): Promise<FoundObject[]> => [
  ...(await listChanged(
    tx,
    changes.map(({ kind, id }) => ({ kind, id })),
  )),
  ...(await listOtherCards(tx, changes)),
];
