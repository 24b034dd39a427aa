import { type SqlBool, sql } from "kysely";

/** Whether a user is a reviewer of the row of `request`: its receiver, or one of its other reviewers. */
export const reviewedBy = (userId: string) => sql<SqlBool>`(request.receiver_id = ${userId} or (
  request.reviewers <> '[]' and exists (
    select 1 from json_each(request.reviewers) as reviewer where reviewer.value ->> '$.user' = ${userId})))`;
