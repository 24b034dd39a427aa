import type { Db } from "../database/open.ts";
import { preparedFirst } from "../database/prepared.ts";
import type { ForeignRequestRow } from "../database/schema.ts";

/** What a request of an InvenioRDM has besides ours; undefined for one of a Carrel server. */
export const findForeignRequest = preparedFirst((db, requestId: string) =>
  db.selectFrom("foreign_request").selectAll().where("request_id", "=", requestId),
);

/** The types of all such requests, by request. */
export async function listForeignTypes(db: Db): Promise<ReadonlyMap<string, string>> {
  const rows = await db.selectFrom("foreign_request").select(["request_id", "type"]).execute();
  return new Map(rows.map(({ request_id, type }) => [request_id, type]));
}

/** The actions that their server offers to this user. */
export const offeredActions = ({ offered }: ForeignRequestRow): string[] => JSON.parse(offered);

/** The receiver in `expanded`. */
export function expandedReceiver({ their_receiver }: ForeignRequestRow): Record<string, unknown> {
  const { title, ...named } = JSON.parse(their_receiver);
  return { id: Object.values(named)[0] ?? "", ...(title === undefined ? {} : { title }), is_ghost: true };
}
