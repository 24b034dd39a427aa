import { deleteAccessLink, updateAccessLink } from "../../shared/access/access-link.schema.ts";
import { deleteGrant, updateGrant } from "../../shared/access/grant.schema.ts";
import { deleteComment, resolveComment, updateComment } from "../../shared/comments/comment.schema.ts";
import type { Db } from "../../shared/database/open.ts";
import type { Operation } from "./operation.repository.ts";

const changes = [
  ...[updateComment, deleteComment, resolveComment],
  ...[updateAccessLink, deleteAccessLink, updateGrant, deleteGrant],
].map(({ name }) => name);

/** Unsent changes of these comments, links and grants, oldest first. */
export async function listChangesOf(db: Db, ids: readonly string[]): Promise<Operation[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom("operation")
    .selectAll()
    .where("object_id", "in", ids)
    .where("kind", "in", changes)
    .where("state", "in", ["pending", "sending"])
    .orderBy("position")
    .execute();
}
