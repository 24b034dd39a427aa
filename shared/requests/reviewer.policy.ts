import type { RequestRow } from "../database/schema.ts";
import type { RequestAction } from "./request.lifecycle.ts";
import type { Reviewer } from "./reviewer.schema.ts";

type Reviewed = Pick<RequestRow, "receiver_id" | "reviewers" | "creator_id" | "status">;

const pending = (user: string): Reviewer => ({ user, outcome: "pending", decided: null });

/** All reviewers: the receiver first, who is stored only with an outcome. */
export function reviewersOf({ receiver_id, reviewers }: Pick<Reviewed, "receiver_id" | "reviewers">): Reviewer[] {
  const stored: Reviewer[] = reviewers === "[]" ? [] : JSON.parse(reviewers);
  const receiver = stored.find(({ user }) => user === receiver_id) ?? pending(receiver_id);
  return [receiver, ...stored.filter(({ user }) => user !== receiver_id)];
}

export const isReviewer = (request: Pick<Reviewed, "receiver_id" | "reviewers">, userId: string | null): boolean =>
  userId !== null && reviewersOf(request).some(({ user }) => user === userId);

/** Whether an open request waits for changes that a reviewer requested. */
export const waitsForChanges = (request: Reviewed): boolean =>
  request.status === "submitted" && reviewersOf(request).some(({ outcome }) => outcome === "changes_requested");

/** Whether an open request waits for this user: for their review, or for the changes requested of them. */
export function waitsFor(request: Reviewed, userId: string): boolean {
  if (request.status !== "submitted") return false;
  if (request.creator_id === userId && waitsForChanges(request)) return true;
  return reviewersOf(request).some(({ user, outcome }) => user === userId && outcome === "pending");
}

const storedForm = (reviewers: readonly Reviewer[]): string => JSON.stringify(reviewers);

const outcomeOf: Partial<Record<RequestAction, Reviewer["outcome"]>> = {
  "request-changes": "changes_requested",
  accept: "accepted",
  decline: "declined",
};

/** The stored reviewers after an action of a user. A superuser who decides becomes a reviewer. */
export function reviewersAfter(request: Reviewed, action: RequestAction, userId: string, now: number): string {
  const before = reviewersOf(request);
  if (action === "request-review") {
    return storedForm(before.map((one) => (one.outcome === "changes_requested" ? pending(one.user) : one)));
  }
  const outcome = outcomeOf[action];
  if (outcome === undefined) return request.reviewers;
  const decided: Reviewer = { user: userId, outcome, decided: now };
  const others = before.filter(({ user }) => user !== userId);
  return storedForm(
    others.length < before.length ? before.map((one) => (one.user === userId ? decided : one)) : [...others, decided],
  );
}

/** Why an action of a user does not apply to the reviewers' outcomes now; undefined if it does. */
export function obstacleTo(action: RequestAction, request: Reviewed, userId: string): string | undefined {
  if (action === "request-review" && !waitsForChanges(request)) return "no changes are requested.";
  const own = reviewersOf(request).find(({ user }) => user === userId);
  const isRepeated = action === "request-changes" && own?.outcome === "changes_requested";
  return isRepeated ? "you have requested changes already." : undefined;
}
