import type { Tx } from "../database/open.ts";
import type { RequestRow } from "../database/schema.ts";
import { insertRequest, takeNumber } from "./request.repository.ts";

/** A request that is submitted from the start. */
export type OpenRequest = Pick<
  RequestRow,
  "id" | "creator_id" | "receiver_id" | "topic_record_id" | "topic_parent_id" | "title" | "description"
>;

/** Inserts a request that is submitted from the start. Checks no right. */
export async function openRequest(tx: Tx, request: OpenRequest, now: number): Promise<RequestRow> {
  const row: RequestRow = {
    ...request,
    ...{
      number: await takeNumber(tx),
      status: "submitted",
      is_locked: 0,
      reviewers: "[]",
      revision_id: 1,
      expires_at: null,
    },
    ...{ created: now, updated: now, last_activity_at: now },
  };
  await insertRequest(tx, row);
  return row;
}
