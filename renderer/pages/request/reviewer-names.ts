import type { ReviewRequest } from "../../api-client/request-types.ts";
import { nameOrNumber, namesTogether } from "../../format/names.ts";
import { isForeign } from "./part.ts";

export type Reviewer = ReviewRequest["reviewers"][number];

/** The name of a reviewer: a person's, or their group's. */
export function reviewerName({ expanded }: ReviewRequest, { user, group }: Pick<Reviewer, "user" | "group">): string {
  if (user === undefined) return group ?? "";
  const cards = [...(expanded?.reviewers ?? []), ...(expanded?.receiver ? [expanded.receiver] : [])];
  return nameOrNumber(
    cards.find(({ id }) => id === user),
    user,
  );
}

/** The community or the person that a request of an InvenioRDM goes to. */
const receiverName = ({ receiver, expanded }: ReviewRequest): string =>
  expanded?.receiver?.title ?? Object.values(receiver).join(", ");

/** The names of a request's reviewers, as one text. */
export const reviewerNames = (request: ReviewRequest, isMeant: (reviewer: Reviewer) => boolean = () => true): string =>
  isForeign(request)
    ? receiverName(request)
    : namesTogether(request.reviewers.filter(isMeant).map((reviewer) => reviewerName(request, reviewer)));
