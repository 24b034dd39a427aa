import type { ReviewRequest } from "../../api-client/request-types.ts";
import { userName } from "../../format/names.ts";

type Reviewer = ReviewRequest["reviewers"][number];

/** The names of a request's reviewers, as one text. */
export function reviewerNames(request: ReviewRequest, isMeant: (reviewer: Reviewer) => boolean = () => true): string {
  const { reviewers, expanded } = request;
  const cards = [...(expanded?.reviewers ?? []), ...(expanded?.receiver ? [expanded.receiver] : [])];
  return reviewers
    .filter(isMeant)
    .map(({ user }) =>
      userName(
        cards.find(({ id }) => id === user),
        user,
      ),
    )
    .join(", ");
}
