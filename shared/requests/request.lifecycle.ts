/** States of a request (interface, Request status; requests 3, 5). */
export const statuses = ["draft", "submitted", "accepted", "declined", "cancelled", "expired"] as const;
export type RequestStatus = (typeof statuses)[number];

export const actions = [
  ...(["accept", "cancel", "decline", "expire", "submit"] as const),
  ...(["request-changes", "request-review"] as const),
];
/** `request-changes` is a reviewer's, `request-review` the creator's answer to it. Both leave the request open. */
export type RequestAction = (typeof actions)[number];

interface Transition {
  from: readonly RequestStatus[];
  to: RequestStatus;
  /** The log event; submitting has none. */
  log?: "accepted" | "declined" | "cancelled" | "expired" | "changes_requested" | "review_requested";
  /** Whether the request stays linked to its draft. */
  keepsReview: boolean;
}

/** All transitions between statuses. A decision is never overwritten. */
export const lifecycle: Readonly<Record<RequestAction, Transition>> = {
  submit: { from: ["draft"], to: "submitted", keepsReview: true },
  accept: { from: ["submitted", "draft"], to: "accepted", log: "accepted", keepsReview: false },
  decline: { from: ["submitted", "draft"], to: "declined", log: "declined", keepsReview: true },
  cancel: { from: ["submitted", "draft"], to: "cancelled", log: "cancelled", keepsReview: false },
  expire: { from: ["submitted"], to: "expired", log: "expired", keepsReview: true },
  "request-changes": { from: ["submitted"], to: "submitted", log: "changes_requested", keepsReview: true },
  "request-review": { from: ["submitted"], to: "submitted", log: "review_requested", keepsReview: true },
};

/** The transition that an action makes from a status, or undefined. */
export function transitionOf(action: RequestAction, status: string): Transition | undefined {
  const transition = lifecycle[action];
  return transition.from.some((from) => from === status) ? transition : undefined;
}

export const isOpen = (status: string): boolean => status === "submitted";
export const isClosed = (status: string): boolean => status !== "draft" && status !== "submitted";

export const asAction = (name: string): RequestAction | undefined => actions.find((action) => action === name);

/** The title of a request in lists of unsent work. Before it is submitted it may have no title. */
export const quotedTitle = (title: string): string => (title === "" ? "a request" : `“${title}”`);
