import type { Db } from "../../../shared/database/open.ts";
import type { UpstreamObjectRow } from "../../../shared/database/schema.ts";
import type { ObjectKind } from "../../../shared/kernel/object-ref.ts";
import type { Change, FeedPage } from "../../../shared/sync-protocol/feed.schema.ts";
import { InvalidAnswer } from "../../sync/validate-answer.ts";
import { listAfter } from "./shadow.repository.ts";
import { firstUnsettled } from "./write/journal.repository.ts";

const rowsAtOnce = 200;

/** The position of a cursor. */
export function seqOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const seq = /^s(\d+)$/.exec(cursor)?.[1];
  // A Carrel server was connected before.
  if (seq === undefined) throw new InvalidAnswer("cursor: of another server");
  return Number(seq);
}

const changeOf = ({ kind, id, seq, state, bundle }: UpstreamObjectRow): Change => ({
  kind: kind as ObjectKind,
  id,
  seq,
  state,
  ...(bundle === null ? {} : { bundle: JSON.parse(bundle) }),
});

/** The page of the shadow after a position, up to the first change whose outcome the outbox does not have yet. */
export async function pageAfter(db: Db, seq: number): Promise<FeedPage> {
  const held = (await firstUnsettled(db)) ?? Number.POSITIVE_INFINITY;
  const rows = (await listAfter(db, seq, rowsAtOnce)).filter((row) => row.seq < held);
  const end = rows.at(-1)?.seq ?? seq;
  return {
    changes: rows.map(changeOf),
    applied: [],
    usage: [],
    cursor: `s${end}`,
    seq: end,
    more: rows.length === rowsAtOnce,
  };
}
