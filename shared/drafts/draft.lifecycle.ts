import type { DraftRow } from "../database/schema.ts";

const microsPerDay = 86_400_000_000;
/** The `expires_at` of a draft lies this long after its last change. Nothing is deleted then (records 3.5). */
export const draftLifeMicros = 90 * microsPerDay;

export type DraftStatus =
  | "draft"
  | "new_version_draft"
  | "draft_with_review"
  | "new_version_draft_with_review"
  | "in_review"
  | "declined"
  | "expired"
  | "published";

/** The status of a draft (requests-users-groups 4.1). `isFirst`: nothing of its family is published. */
export function draftStatus(draft: Pick<DraftRow, "is_edit">, isFirst: boolean, review?: string): DraftStatus {
  if (draft.is_edit === 1) return "published";
  if (review === "submitted") return "in_review";
  if (review === "declined" || review === "expired") return review;
  const plain = isFirst ? "draft" : "new_version_draft";
  return review === "draft" ? `${plain}_with_review` : plain;
}

/** Whether a review prevents publishing the draft directly (records 3.4). */
export const isReviewOpen = (status: string | undefined): boolean => status === "draft" || status === "submitted";

/** Whether a queued command ends a review, so that the draft can be published after it. */
export const endsReview = (command: string): boolean =>
  command === "review.delete" || command === "request.cancel" || command === "request.decline";
