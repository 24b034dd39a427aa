import { actionBody, commentBody } from "../comments/comment.schema.ts";
import { timelineRules } from "../comments/timeline-search.ts";
import { readBody } from "../notifications/notification.schema.ts";
import { requestBody, reviewBody } from "../requests/request.schema.ts";
import { ownRequestSearchRules, requestSearchRules } from "../requests/request-search.ts";
import { reviewerBody } from "../requests/reviewer.schema.ts";
import {
  attachment,
  event,
  notificationList,
  replies,
  request,
  requestList,
  reviewingPeople,
  timeline,
} from "./answers/review.schema.ts";
import type { Parameter, Row } from "./operation.ts";

const aRequest = { answer: request, isTagged: true };
const anEvent = { answer: event, isTagged: true };
const queued = "An offline replica queued it; the status is still the last one from the server";
const queueable = { also: [[202, queued, request]] as const };
const size = { name: "size", in: "query", description: "Hits on a page", schema: { type: "integer" } } as const;
const focus: Parameter[] = [
  { name: "focus_event_id", in: "query", description: "The event whose page is wanted" },
  size,
];
const page: Parameter = { name: "page", in: "query", description: "From 1", schema: { type: "integer" } };

/** Reviews, conversations and notifications. */
export const reviewOperations: Record<string, Row[]> = {
  Reviews: [
    ["GET /records/{id}/draft/review", "The review of a draft", 200, aRequest],
    ["PUT /records/{id}/draft/review", "Ask for a review", 200, { ...aRequest, ...queueable, body: reviewBody }],
    ["DELETE /records/{id}/draft/review", "Withdraw it before it is sent", 204],
    ["POST /records/{id}/draft/actions/submit-review", "Send it", 202, { ...aRequest, body: actionBody }],
    ["GET /records/{id}/requests", "Requests on a record", 200, { answer: requestList, search: requestSearchRules }],
    ["POST /records/{id}/requests", "Ask for a review of a published record", 201, { ...aRequest, body: reviewBody }],
    ["GET /requests", "Requests that the caller can read", 200, { answer: requestList, search: requestSearchRules }],
    [
      "GET /user/requests",
      "Requests by and for the caller",
      200,
      { answer: requestList, search: ownRequestSearchRules },
    ],
    ["GET /requests/{id}", "One request", 200, aRequest],
    ["PUT /requests/{id}", "Change title or description", 200, { ...aRequest, body: requestBody, isGuarded: true }],
    ["DELETE /requests/{id}", "Delete a request that was not sent", 204, { isGuarded: true }],
    [
      "POST /requests/{id}/actions/{action}",
      "`submit`, `accept`, `decline`, `cancel`, `request-changes` or `request-review` a request",
      200,
      { ...aRequest, ...queueable, body: actionBody, isGuarded: true },
    ],
    [
      "GET /requests/{id}/reviewers",
      "The people who review, members of groups included, as far as the caller may see them",
      200,
      { answer: reviewingPeople },
    ],
    [
      "POST /requests/{id}/reviewers",
      "Add a reviewer to an open request: `{user}` or `{group}`",
      200,
      { ...aRequest, body: reviewerBody },
    ],
    ["DELETE /requests/{id}/reviewers/{who}", "Remove the reviewer `user:<id>` or `group:<name>`", 200, aRequest],
    ["POST /requests/{id}/lock", "Lock the conversation", 204],
    ["POST /requests/{id}/unlock", "Unlock it", 204],
  ],
  Comments: [
    ["GET /requests/{id}/timeline", "Comments and events", 200, { answer: timeline, search: timelineRules }],
    [
      "GET /requests/{id}/timeline_focused",
      "The page of the timeline that has one comment",
      200,
      { answer: timeline, parameters: focus },
    ],
    ["POST /requests/{id}/comments", "Comment", 201, { ...anEvent, body: commentBody }],
    ["GET /requests/{id}/comments/{cid}", "One comment", 200, anEvent],
    ["PUT /requests/{id}/comments/{cid}", "Change it", 200, { ...anEvent, body: commentBody, isGuarded: true }],
    ["DELETE /requests/{id}/comments/{cid}", "Delete it", 204, { isGuarded: true }],
    ["POST /requests/{id}/comments/{cid}/resolve", "Settle a comment on a field or file", 200, anEvent],
    ["POST /requests/{id}/comments/{cid}/reopen", "Open it again", 200, anEvent],
    ["POST /requests/{id}/comments/{cid}/reply", "Reply to it", 201, { ...anEvent, body: commentBody }],
    ["GET /requests/{id}/comments/{cid}/replies", "Its replies", 200, { answer: replies, search: timelineRules }],
    [
      "GET /requests/{id}/comments/{cid}/replies_focused",
      "The page of replies that has one reply",
      200,
      { answer: replies, parameters: focus },
    ],
    [
      "PUT /requests/{id}/files/upload/{filename}",
      "Attach a file",
      200,
      { answer: attachment, consumes: "application/octet-stream" },
    ],
    ["GET /requests/{id}/files/{key}/content", "Download an attachment", 200, { media: ["application/octet-stream"] }],
    ["DELETE /requests/{id}/files/{key}", "Remove an attachment", 204],
    [
      "GET /sync/notifications",
      "Notifications for the caller",
      200,
      { answer: notificationList, parameters: [page, size] },
    ],
    ["POST /sync/notifications/read", "Mark as read", 204, { body: readBody }],
  ],
};
