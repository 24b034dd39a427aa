import { type Answer, emptyAnswer, invalid, jsonAnswer, objectOf, Refusal, serverError } from "./call.ts";
import { findCommunity } from "./community.routes.ts";
import { familyOf, publishErrors, requireDraft } from "./content.ts";
import { addEvent, isOpen, presentRequest } from "./request-state.ts";
import { type Context, plain, type Route, vendor } from "./route.ts";
import type { RequestRow } from "./state.ts";
import { cleanHtml } from "./texts.ts";

function reviewOf(context: Context): RequestRow | undefined {
  const { reviewId } = familyOf(context.site, requireDraft(context, 1));
  return reviewId === undefined ? undefined : context.site.state.requests.get(reviewId);
}

function requireReview(context: Context): RequestRow {
  const review = reviewOf(context);
  if (!review) throw new Refusal(404, "Review for draft not found");
  return review;
}

/** Deletes the review that is there: the old request is 404 (F19). */
function put(context: Context): Answer {
  const { site, person } = context;
  const draft = requireDraft(context, 3);
  const { type, receiver } = objectOf(context.json());
  const family = familyOf(site, draft);
  const known = reviewOf(context);
  if (known && isOpen(known)) throw new Refusal(400, "An open review cannot be deleted.");
  // Review is submission to a community, nothing else (F21).
  if (type !== "community-submission") throw invalid([{ field: "type", messages: ["Invalid review type."] }]);
  const { community } = objectOf(receiver);
  if (typeof community !== "string") throw serverError();
  const found = findCommunity(site, community);
  if (!found) throw invalid([{ field: "receiver", messages: ["Unknown community."] }]);
  if (known) site.state.requests.delete(known.id);
  const now = site.clock.now();
  const request: RequestRow = {
    ...{
      id: site.newUuid(),
      number: site.state.requests.size + 1,
      type: "community-submission",
      title: "",
      description: "",
    },
    ...{ status: "created", createdBy: person?.id ?? 0, receiver: { community: found.id }, topic: draft.id },
    ...{ created: now, updated: now, lastActivity: now, revision: 2, isLocked: false, comments: [] },
  };
  site.state.requests.set(request.id, request);
  family.reviewId = request.id;
  return jsonAnswer(presentRequest(context, request));
}

function remove(context: Context): Answer {
  const draft = requireDraft(context, 3);
  const review = requireReview(context);
  if (isOpen(review)) throw new Refusal(400, "An open review cannot be deleted.");
  context.site.state.requests.delete(review.id);
  delete familyOf(context.site, draft).reviewId;
  return emptyAnswer();
}

function submit(context: Context): Answer {
  const { site, person } = context;
  const draft = requireDraft(context, 3);
  const review = requireReview(context);
  if (isOpen(review)) throw new Refusal(400, "Error for action 'submit': Could not execute the action");
  const errors = publishErrors(site, draft);
  if (errors.length > 0) throw invalid(errors);
  const title = typeof draft.metadata.title === "string" ? draft.metadata.title : "";
  Object.assign(review, { status: "submitted", updated: site.clock.now(), revision: review.revision + 1, title });
  const { content } = objectOf(objectOf(context.call.body.length === 0 ? undefined : context.json()).payload);
  if (typeof content === "string" && content !== "")
    addEvent(site, review, { type: "C", author: person?.id, content: cleanHtml(content) });
  return jsonAnswer(presentRequest(context, review), 202);
}

const accepts = [plain, vendor];
const at = "/api/records/:id/draft";
export const reviewRoutes: readonly Route[] = [
  {
    method: "GET",
    path: `${at}/review`,
    accepts,
    run: (context) => jsonAnswer(presentRequest(context, requireReview(context))),
  },
  { method: "PUT", path: `${at}/review`, accepts, run: put },
  { method: "DELETE", path: `${at}/review`, accepts, run: remove },
  { method: "POST", path: `${at}/actions/submit-review`, accepts, run: submit },
];
