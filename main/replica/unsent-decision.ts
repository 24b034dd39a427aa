import type { Tx } from "../../shared/database/open.ts";
import { findDraft } from "../../shared/drafts/draft.reader.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { deleteReview, putReview } from "../../shared/requests/request.schema.ts";
import {
  deleteOperations,
  findSameDecision,
  findWithoutAttempt,
  listUnconfirmedDecisions,
} from "../sync/operation.repository.ts";
import { keepUnsent } from "../sync/snapshot.ts";

interface Decision {
  kind: string;
  object: { kind: string; id: string };
}

/**
 * Deletes an earlier decision of the same kind on the object, if it was never sent. It refers to outdated content, and
 * would block all later operations.
 * @returns the id of an earlier decision that was sent and has no answer yet. Then no second one may be added.
 */
export async function replaceUnsentDecision(tx: Tx, { kind, object }: Decision): Promise<string | undefined> {
  const unsent = await findWithoutAttempt(tx, kind, object);
  if (!unsent) return findSameDecision(tx, { kind, object });
  await deleteOperations(tx, [unsent.id]);
  return undefined;
}

/** Decisions that the server may still execute before it deletes the draft: they end with it. */
const harmless = new Set<string>([putReview.name, deleteReview.name]);

/**
 * Prepares the discard of a draft: withdraws the decisions on it and its review that were never sent. The user who
 * discards a draft no longer wants it published or reviewed.
 * @returns a snapshot of the draft. @throws Failure 409 if the server may have executed one of the decisions.
 */
export async function endDraft(tx: Tx, draftId: string): Promise<string | null> {
  const review = (await findDraft(tx, draftId))?.request_id ?? draftId;
  const onDraft = await listUnconfirmedDecisions(tx, [draftId, review]);
  const queued = onDraft.filter(({ kind }) => kind === putReview.name).map(({ payload }) => JSON.parse(payload).id);
  const decisions = [...onDraft, ...(await listUnconfirmedDecisions(tx, queued))];
  const unsent = decisions.filter(({ state, attempts }) => state === "pending" && attempts === 0);
  if (decisions.some((decision) => !unsent.includes(decision) && !harmless.has(decision.kind))) {
    throw new Failure(
      "conflict",
      "The server may have the publication or the review of this draft already. Wait for its answer before deleting the draft.",
    );
  }
  await deleteOperations(
    tx,
    unsent.map(({ id }) => id),
  );
  return keepUnsent(tx, draftId);
}
