import type { Tx } from "../database/open.ts";
import type { ObjectRef } from "../kernel/object-ref.ts";
import { listOpenReviewedBy, updateRequestRow } from "./request.repository.ts";
import { withAccount } from "./reviewer.policy.ts";

/** Notes in the open requests that a reviewer was deactivated or activated. @returns the requests that this touches. */
export async function noteReviewerAccount(
  tx: Tx,
  userId: string,
  { isActive, now }: { isActive: boolean; now: number },
): Promise<ObjectRef[]> {
  const touched: ObjectRef[] = [];
  for (const request of await listOpenReviewedBy(tx, userId)) {
    const reviewers = withAccount(request, userId, isActive);
    if (reviewers === request.reviewers) continue;
    await updateRequestRow(tx, request.id, { reviewers, updated: now, revision_id: request.revision_id + 1 });
    touched.push({ kind: "request", id: request.id });
  }
  return touched;
}
