import type { RequestRow } from "../database/schema.ts";
import type { Caller } from "../kernel/caller.ts";
import type { RequestAction } from "./request.lifecycle.ts";
import type { Named, Reviewer } from "./reviewer.schema.ts";

type Reviewed = Pick<RequestRow, "receiver_id" | "reviewers" | "creator_id" | "status">;
/** A person with their groups: a reviewer by name, or as a member of a group. */
export type Person = Pick<Caller, "userId" | "roles">;

const pending = (named: Named): Reviewer => ({ ...named, outcome: "pending", decided: null });

/** All reviewers: the receiver first, who is stored only with an outcome. */
export function reviewersOf({ receiver_id, reviewers }: Pick<Reviewed, "receiver_id" | "reviewers">): Reviewer[] {
  const stored: Reviewer[] = reviewers === "[]" ? [] : JSON.parse(reviewers);
  const receiver = stored.find(({ user }) => user === receiver_id) ?? pending({ user: receiver_id });
  return [receiver, ...stored.filter(({ user }) => user !== receiver_id)];
}

/** The reviewers who are named themselves, not by a group. */
export const reviewingUsers = (request: Pick<Reviewed, "receiver_id" | "reviewers">): string[] =>
  reviewersOf(request).flatMap(({ user }) => user ?? []);

export const reviewingGroups = (request: Pick<Reviewed, "receiver_id" | "reviewers">): string[] =>
  reviewersOf(request).flatMap(({ group }) => group ?? []);

export const isSame = (a: Named, b: Named): boolean => a.user === b.user && a.group === b.group;

const isPart = ({ user, group }: Named, { userId, roles }: Person): boolean =>
  group === undefined ? user === userId : roles.has(group);

export const isReviewer = (request: Pick<Reviewed, "receiver_id" | "reviewers">, person: Person): boolean =>
  person.userId !== null && reviewersOf(request).some((one) => isPart(one, person));

/** Whether an open request waits for changes that a reviewer requested. */
export const waitsForChanges = (request: Reviewed): boolean =>
  request.status === "submitted" && reviewersOf(request).some(({ outcome }) => outcome === "changes_requested");

/** Whether an open request waits for this person: for their review, or for the changes requested of them. */
export function waitsFor(request: Reviewed, person: Person): boolean {
  if (request.status !== "submitted") return false;
  if (request.creator_id === person.userId && waitsForChanges(request)) return true;
  return reviewersOf(request).some((one) => one.outcome === "pending" && isPart(one, person));
}

const storedForm = (reviewers: readonly Reviewer[]): string => JSON.stringify(reviewers);

/** The stored form of the reviewers of a new request: those besides the receiver, each once. */
export function firstReviewers(receiverId: string, named: readonly Named[]): string {
  const others = named.filter(({ user }) => user !== receiverId);
  const once = others.filter((one, index) => others.findIndex((other) => isSame(one, other)) === index);
  return storedForm(once.map(({ user, group }) => pending(user === undefined ? { group } : { user })));
}

/** The columns after a reviewer is added. */
export const withReviewer = (request: Reviewed, added: Named) => ({
  reviewers: storedForm([...reviewersOf(request), pending(added)]),
});

/** The columns after a reviewer is removed; the next person is then the receiver. Undefined if none would be left. */
export function withoutReviewer(request: Reviewed, removed: Named) {
  const left = reviewersOf(request).filter((one) => !isSame(one, removed));
  const receiver = left.find(({ user }) => user !== undefined)?.user;
  return receiver === undefined ? undefined : { receiver_id: receiver, reviewers: storedForm(left) };
}

/** The stored reviewers after the account of one was deactivated or activated; unchanged if they are none themselves. */
export function withAccount(request: Reviewed, userId: string, isActive: boolean): string {
  const before = reviewersOf(request);
  const own = before.find(({ user }) => user === userId);
  if (!own || (own.deactivated === undefined) === isActive) return request.reviewers;
  const { deactivated: _, ...entry } = own;
  const after: Reviewer = isActive ? entry : { ...entry, deactivated: true };
  return storedForm(before.map((one) => (one === own ? after : one)));
}

const outcomeOf: Partial<Record<RequestAction, Reviewer["outcome"]>> = {
  "request-changes": "changes_requested",
  accept: "accepted",
  decline: "declined",
};

/** The entry of a person among the reviewers: their own, else that of a group of theirs. */
const entryOf = (reviewers: readonly Reviewer[], person: Person): Reviewer | undefined =>
  reviewers.find(({ user }) => user !== undefined && user === person.userId) ??
  reviewers.find((one) => isPart(one, person));

/** The stored reviewers after an action of a person. A superuser who decides becomes a reviewer. */
export function reviewersAfter(request: Reviewed, action: RequestAction, person: Person, now: number): string {
  const before = reviewersOf(request);
  if (action === "request-review") {
    return storedForm(
      before.map((one) =>
        one.outcome === "changes_requested" ? { ...one, outcome: "pending" as const, decided: null } : one,
      ),
    );
  }
  const outcome = outcomeOf[action];
  if (outcome === undefined) return request.reviewers;
  const own = entryOf(before, person);
  const decided: Reviewer = { ...(own ?? { user: person.userId ?? "" }), outcome, decided: now };
  return storedForm(own ? before.map((one) => (one === own ? decided : one)) : [...before, decided]);
}

/** Why an action of a person does not apply to the reviewers' outcomes now; undefined if it does. */
export function obstacleTo(action: RequestAction, request: Reviewed, person: Person): string | undefined {
  if (action === "request-review" && !waitsForChanges(request)) return "no changes are requested.";
  const own = entryOf(reviewersOf(request), person);
  const isRepeated = action === "request-changes" && own?.outcome === "changes_requested";
  return isRepeated ? "you have requested changes already." : undefined;
}
