import { type SqlBool, sql } from "kysely";

/** Whether a user is a reviewer of the row of `request`: its receiver, another reviewer, or a member of a reviewing group. */
export const reviewedBy = (userId: string) => sql<SqlBool>`(request.receiver_id = ${userId} or (
  request.reviewers <> '[]' and exists (
    select 1 from json_each(request.reviewers) as reviewer where reviewer.value ->> '$.user' = ${userId}
      or reviewer.value ->> '$.group' in (select group_name from membership where membership.user_id = ${userId}))))`;

/** Whether a group is a reviewer of the row of `request`. */
export const reviewedByGroup = (name: string) => sql<SqlBool>`(request.reviewers <> '[]' and exists (
    select 1 from json_each(request.reviewers) as reviewer where reviewer.value ->> '$.group' = ${name}))`;
