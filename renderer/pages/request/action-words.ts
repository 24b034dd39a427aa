import type { ReviewRequest } from "../../api-client/request-types.ts";
import type { RequestAction } from "../../api-client/requests.ts";
import { asksForAccess, isForeign } from "./part.ts";

type Place = "action" | "ask" | "means" | "done";

/** The key of the words for an action: deciding on access or for a community differs from deciding on a review. */
export function wordsOf(request: ReviewRequest, place: Place, action: RequestAction) {
  if (action === "accept" || action === "decline" || action === "cancel") {
    if (isForeign(request)) return `request.community.${place}.${action}` as const;
    if (asksForAccess(request)) return `request.access.${place}.${action}` as const;
  }
  return `request.${place}.${action}` as const;
}
