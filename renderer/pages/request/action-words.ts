import type { ReviewRequest } from "../../api-client/request-types.ts";
import type { RequestAction } from "../../api-client/requests.ts";
import { asksForAccess, isForeign } from "./part.ts";

type Place = "action" | "ask" | "means" | "done";

/** The key of the words for an action: deciding on access differs from deciding on a review. */
export const wordsOf = (request: ReviewRequest, place: Place, action: RequestAction) =>
  isForeign(request) && (action === "accept" || action === "decline" || action === "cancel")
    ? (`request.community.${place}.${action}` as const)
    : asksForAccess(request) && (action === "accept" || action === "decline" || action === "cancel")
      ? (`request.access.${place}.${action}` as const)
      : (`request.${place}.${action}` as const);
