import type { Person } from "../../api-client/people.ts";
import { isSuperuser } from "../../api-client/people.ts";
import type { ReviewRequest } from "../../api-client/request-types.ts";
import type { RequestAction } from "../../api-client/requests.ts";

/** The user's part in a request (requests 3.1). */
export interface Part {
  isCreator: boolean;
  isReviewer: boolean;
  isSuperuser: boolean;
  /** The user's id. */
  me: string | undefined;
  /** What the user, or a group of theirs, decided as a reviewer. */
  outcome: ReviewRequest["reviewers"][number]["outcome"] | undefined;
}

/** Whether a reviewer is the user, or a group of theirs. */
const isOneOf = (person: Person | undefined, { user, group }: { user?: string; group?: string }): boolean =>
  group === undefined ? user === person?.id : (person?.groups.includes(group) ?? false);

/** Whether the request is one of an InvenioRDM: it names no reviewers, but what the user may do now. */
export const isForeign = ({ reviewers }: Pick<ReviewRequest, "reviewers">): boolean => reviewers.length === 0;

/** The actions that an InvenioRDM offers. A draft is submitted on its own page. */
const offeredThere = ({ links }: ReviewRequest): RequestAction[] =>
  (["cancel", "decline", "accept"] as const).filter((action) => action in links.actions);

export const partIn = (request: ReviewRequest, person: Person | undefined): Part => ({
  isCreator: request.created_by.user === person?.id,
  isReviewer: isForeign(request)
    ? offeredThere(request).includes("accept")
    : request.reviewers.some((one) => isOneOf(person, one)),
  isSuperuser: isSuperuser(person),
  me: person?.id,
  outcome: (
    request.reviewers.find(({ user }) => user !== undefined && user === person?.id) ??
    request.reviewers.find((one) => isOneOf(person, one))
  )?.outcome,
});

/** Whether the request asks for access to files, and not for a review. */
export const asksForAccess = ({ type }: Pick<ReviewRequest, "type">): boolean =>
  type === "user-access-request" || type === "guest-access-request";

/** The kind of a request, which decides its wording. */
export function kindOf(request: ReviewRequest): "unsent" | "access" | "community" | "asked" {
  if (request.status === "draft") return "unsent";
  if (asksForAccess(request)) return "access";
  return isForeign(request) ? "community" : "asked";
}

/** Whether the user may comment; in a locked conversation only superusers (requests 10). */
export const maySpeak = (request: ReviewRequest, part: Part): boolean => !request.is_locked || part.isSuperuser;

export const mayLock = (request: ReviewRequest, part: Part): boolean =>
  !isForeign(request) && (part.isSuperuser || (part.isReviewer && request.status !== "draft"));

/** Whether the user may add and remove reviewers: the creator, while the server knows the request and it is open. */
export function mayNameReviewers(request: ReviewRequest, part: Part): boolean {
  if (!(part.isCreator || part.isSuperuser) || asksForAccess(request) || isForeign(request)) return false;
  const isQueued = request.sync?.operations.some(({ kind }) => kind === "review.put") ?? false;
  return !isQueued && !request.is_closed;
}

const isDecision = (kind: string): boolean => kind.startsWith("request.") && !kind.endsWith("-reviewer");

/** A queued decision on a request, or its queued submission. */
export const queuedDecision = ({ sync }: Pick<ReviewRequest, "sync">) =>
  sync?.operations.find(({ kind }) => kind.startsWith("request.") || kind === "review.submit");

/** The user's current actions; none while a decision is queued (requests 5). */
export function actionsFor(request: ReviewRequest, part: Part): RequestAction[] {
  if (request.sync?.operations.some(({ kind }) => isDecision(kind))) return [];
  if (isForeign(request)) return offeredThere(request);
  const creates = part.isCreator || part.isSuperuser;
  if (request.status === "draft") {
    if (!creates) return [];
    if (!queuedDecision(request)) return ["cancel", "submit"];
    // A queued submission can be withdrawn instead.
    return request.sync?.state === "rejected" ? ["cancel"] : [];
  }
  if (request.status !== "submitted") return [];
  const decides = part.isReviewer || part.isSuperuser;
  const hasRequested = part.outcome === "changes_requested";
  const offered: [RequestAction, boolean][] = [
    ["cancel", creates],
    ["request-review", creates && request.changes_requested],
    ["decline", decides],
    ["request-changes", decides && !hasRequested && !asksForAccess(request)],
    ["accept", decides],
  ];
  return offered.filter(([, isOffered]) => isOffered).map(([action]) => action);
}
