import type { Db } from "../database/open.ts";
import { preparedFirst } from "../database/prepared.ts";
import type { AccessRequestRow } from "../database/schema.ts";

/** What a request for access has besides other requests; undefined for a review. */
export const findAccessRequest = preparedFirst((db, requestId: string) =>
  db.selectFrom("access_request").selectAll().where("request_id", "=", requestId),
);

/** The types of all requests for access, by request. */
export async function listAccessTypes(db: Db): Promise<ReadonlyMap<string, AccessRequestRow["type"]>> {
  const rows = await db.selectFrom("access_request").select(["request_id", "type"]).execute();
  return new Map(rows.map(({ request_id, type }) => [request_id, type]));
}

/** The newest question of a guest that became this request: its link is the guest's page. */
export const findConfirmationOf = preparedFirst((db, requestId: string) =>
  db
    .selectFrom("access_confirmation")
    .selectAll()
    .where("request_id", "=", requestId)
    .orderBy("created", "desc")
    .limit(1),
);

/** A guest's question for access. */
export const findConfirmation = preparedFirst((db, id: string) =>
  db.selectFrom("access_confirmation").selectAll().where("id", "=", id),
);
