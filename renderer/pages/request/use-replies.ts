import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { RequestEvent } from "../../api-client/request-types.ts";
import { repliesQuery } from "../../api-client/requests.ts";

/** Number of replies shown; earlier ones on request. */
const shownReplies = 3;

/** A comment, or a deleted one with replies. */
export const isThread = ({ type, children_count = 0 }: RequestEvent) => type === "C" || children_count > 0;

/**
 * Replies to show, oldest first: the newest three, or all on request or if `target` is among the others.
 * @param target the comment or reply in the address.
 */
export function useReplies(request: string, comment: RequestEvent, target?: string) {
  const { children = [], children_count = 0 } = comment;
  const newest = children.slice(0, shownReplies);
  const isAway = target !== undefined && target !== comment.id && !newest.some(({ id }) => id === target);
  const [wantsAll, setWantsAll] = useState(false);
  const isWhole = (wantsAll || isAway) && children_count > newest.length;
  const whole = useQuery({
    ...repliesQuery(request, comment.id),
    enabled: isWhole && children_count > children.length,
  });
  const all = children_count > children.length ? whole.data?.hits.hits : children.toReversed();
  const replies = (isWhole && all) || newest.toReversed();
  return {
    replies,
    hidden: children_count - replies.length,
    showAll: () => setWantsAll(true),
    isFetching: whole.isFetching,
  };
}
