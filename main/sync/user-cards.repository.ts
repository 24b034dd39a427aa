import { sql } from "kysely";
import type { Bundle } from "../../shared/bundles/bundle.schema.ts";
import type { Tx } from "../../shared/database/open.ts";
import type { FoundObject } from "../../shared/live-events/changed-objects.repository.ts";

/** Users whose cards in these bundles are newer or older than the ones here. A user who was opened has a bundle instead. */
export async function listOtherCards(tx: Tx, bundles: readonly Bundle[]): Promise<FoundObject[]> {
  const cards = bundles.flatMap(({ people }) => people);
  if (cards.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    select distinct user.id from user
    join json_each(${JSON.stringify(cards)}) as card on user.id = card.value ->> 'id'
    where user.revision_id is not card.value ->> 'revision_id'
    and user.id not in (select object_id from base where kind = 'user')`.execute(tx);
  return rows.map(({ id }) => ({ kind: "user", id }));
}
