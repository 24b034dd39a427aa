import type { z } from "zod";
import { accessLinkInput } from "../access/access-link.schema.ts";
import { accessSettings, grantChange, grantReplacement, grantsInput } from "../access/grant.schema.ts";
import { actionBody, commentBody } from "../comments/comment.schema.ts";
import { fileInitInputs, fileMetadataInput } from "../files/file.schema.ts";
import { groupChange, newGroup } from "../groups/group.schema.ts";
import { deletionInput } from "../records/deletion.schema.ts";
import { requestBody, reviewBody } from "../requests/request.schema.ts";
import { passwordChange, passwordForm } from "../sign-in/sign-in.schema.ts";
import { newToken } from "../tokens/token.schema.ts";
import { groupsBody } from "../users/user.schema.ts";
import { draftBody } from "./draft-body.schema.ts";

/** One call of the API as the document describes it. */
export interface Operation {
  tag: string;
  /** `GET /records/{id}`, below `/api`. */
  route: string;
  summary: string;
  /** Success status and, when it is not JSON, the media type of the answer. */
  answer: number;
  produces?: string;
  body?: z.ZodType;
  /** Media type of a body that is not JSON. */
  consumes?: string;
  /** Search parameters (`q`, `sort`, `page`, `size`). */
  isList?: boolean;
}

type Row = [route: string, summary: string, answer: number, more?: Omit<Partial<Operation>, "route" | "summary">];

const list = { isList: true };
const bytes = { produces: "application/octet-stream" };
const zip = { produces: "application/zip" };
const svg = { produces: "image/svg+xml" };
const manifest = { produces: "application/ld+json" };
const octets = { consumes: "application/octet-stream" };
const archive = "Its files as one ZIP";
const container = "Everything inside an archive, or one directory or member of it";

const byTag: Record<string, Row[]> = {
  Drafts: [
    ["POST /records", "Create a draft", 201, { body: draftBody }],
    ["GET /records/{id}/draft", "Read a draft", 200],
    ["PUT /records/{id}/draft", "Replace a draft", 200, { body: draftBody }],
    ["POST /records/{id}/draft", "Start editing a published record", 201],
    ["DELETE /records/{id}/draft", "Discard a draft", 204],
    ["POST /records/{id}/draft/actions/publish", "Publish a draft", 202],
    ["POST /records/{id}/draft/pids/doi", "Reserve a DOI", 201],
    ["DELETE /records/{id}/draft/pids/doi", "Give a reserved DOI back", 204],
    ["GET /user/records", "Drafts and records that the caller can edit", 200, list],
  ],
  "Draft files": [
    ["GET /records/{id}/draft/files", "The files of a draft", 200],
    ["POST /records/{id}/draft/files", "Announce files", 201, { body: fileInitInputs }],
    ["DELETE /records/{id}/draft/files", "Remove all files", 204],
    ["GET /records/{id}/draft/files/{key}", "One file", 200],
    ["PUT /records/{id}/draft/files/{key}", "Replace the metadata of a file", 200, { body: fileMetadataInput }],
    ["DELETE /records/{id}/draft/files/{key}", "Remove a file", 204],
    ["GET /records/{id}/draft/files/{key}/content", "Download", 200, bytes],
    ["PUT /records/{id}/draft/files/{key}/content", "Upload, whole or the first part", 200, octets],
    [
      "PATCH /records/{id}/draft/files/{key}/content",
      "Go on with a cut upload",
      200,
      { consumes: "application/partial-upload" },
    ],
    ["POST /records/{id}/draft/files/{key}/commit", "Finish an upload", 200],
    ["POST /records/{id}/draft/actions/files-import", "Take over the files of the previous version", 201],
    ["GET /records/{id}/draft/files-archive", archive, 200, zip],
    ["GET /sync/drafts/{id}/files/{key}/container", container, 200],
    ["GET /sync/drafts/{id}/files/{key}/container/{path}", container, 200],
  ],
  Records: [
    ["GET /records", "Search published records", 200, list],
    ["GET /records/{id}", "Read a published record", 200],
    ["GET /records/{id}/versions", "All versions", 200, list],
    ["POST /records/{id}/versions", "Start the next version", 201],
    ["GET /records/{id}/versions/latest", "The latest version", 200],
    ["GET /records/{id}/files", "The files of a record", 200],
    ["GET /records/{id}/files/{key}", "One file", 200],
    ["GET /records/{id}/files/{key}/content", "Download", 200, bytes],
    ["GET /records/{id}/files/{key}/container", container, 200],
    ["GET /records/{id}/files/{key}/container/{path}", container, 200],
    ["GET /records/{id}/files-archive", archive, 200, zip],
    ["DELETE /records/{id}/delete", "Delete a record; a tombstone stays", 204, { body: deletionInput }],
    ["POST /records/{id}/restore", "Restore a deleted record", 200],
    ["POST /records/{id}/request-deletion", "Refused: owners cannot ask for deletion here", 403],
    ["GET /records/{id}/communities", "Always empty: communities are not offered", 200],
    ["GET /records/{id}/communities-suggestions", "Always empty: communities are not offered", 200],
    ["GET /iiif/{subject}/manifest", "IIIF manifest of `record:{id}` or `draft:{id}`", 200, manifest],
    ["GET /iiif/{subject}/sequence/default", "IIIF sequence", 200, manifest],
    ["GET /iiif/{subject}/canvas/{key}", "IIIF canvas of an image", 200, manifest],
  ],
  Access: [
    ["GET /records/{id}/access/links", "Access links", 200],
    ["POST /records/{id}/access/links", "Create an access link", 201, { body: accessLinkInput }],
    ["GET /records/{id}/access/links/{link}", "One access link", 200],
    ["PATCH /records/{id}/access/links/{link}", "Change an access link", 200, { body: accessLinkInput }],
    ["DELETE /records/{id}/access/links/{link}", "Delete an access link", 204],
    ["GET /records/{id}/access/grants", "Grants", 200],
    ["POST /records/{id}/access/grants", "Give access", 201, { body: grantsInput }],
    ["GET /records/{id}/access/grants/{n}", "One grant by its place in the list", 200],
    ["PUT /records/{id}/access/grants/{n}", "Replace a grant", 200, { body: grantReplacement }],
    ["PATCH /records/{id}/access/grants/{n}", "Change a grant", 200, { body: grantChange }],
    ["DELETE /records/{id}/access/grants/{n}", "Take access back", 204],
    ...["users", "groups"].flatMap((kind): Row[] => [
      [`GET /records/{id}/access/${kind}`, `Grants of ${kind}`, 200],
      [`GET /records/{id}/access/${kind}/{subject}`, "The grant of one of them", 200],
      [`PATCH /records/{id}/access/${kind}/{subject}`, "Change it", 200, { body: grantChange }],
      [`DELETE /records/{id}/access/${kind}/{subject}`, "Take it back", 204],
    ]),
    ["PUT /records/{id}/access", "Change the access settings", 200, { body: accessSettings }],
  ],
  Reviews: [
    ["GET /records/{id}/draft/review", "The review of a draft", 200],
    ["PUT /records/{id}/draft/review", "Ask for a review", 200, { body: reviewBody }],
    ["DELETE /records/{id}/draft/review", "Withdraw it before it is sent", 204],
    ["POST /records/{id}/draft/actions/submit-review", "Send it", 202, { body: actionBody }],
    ["GET /records/{id}/requests", "Requests on a record", 200, list],
    ["POST /records/{id}/requests", "Ask for a review of a published record", 201, { body: reviewBody }],
    ["GET /requests", "Requests that the caller can read", 200, list],
    ["GET /user/requests", "Requests of and to the caller", 200, list],
    ["GET /requests/{id}", "One request", 200],
    ["PUT /requests/{id}", "Change title or description", 200, { body: requestBody }],
    ["DELETE /requests/{id}", "Delete a request that was not sent", 204],
    [
      "POST /requests/{id}/actions/{action}",
      "`submit`, `accept`, `decline` or `cancel` a request",
      200,
      { body: actionBody },
    ],
    ["POST /requests/{id}/lock", "Lock the conversation", 200],
    ["POST /requests/{id}/unlock", "Unlock it", 200],
  ],
  Comments: [
    ["GET /requests/{id}/timeline", "Comments and events", 200, list],
    ["GET /requests/{id}/timeline_focused", "The page of the timeline that has one comment", 200],
    ["POST /requests/{id}/comments", "Comment", 201, { body: commentBody }],
    ["GET /requests/{id}/comments/{cid}", "One comment", 200],
    ["PUT /requests/{id}/comments/{cid}", "Change it", 200, { body: commentBody }],
    ["DELETE /requests/{id}/comments/{cid}", "Delete it", 204],
    ["POST /requests/{id}/comments/{cid}/reply", "Reply to it", 201, { body: commentBody }],
    ["GET /requests/{id}/comments/{cid}/replies", "Its replies", 200, list],
    ["GET /requests/{id}/comments/{cid}/replies_focused", "The page of replies that has one reply", 200],
    ["PUT /requests/{id}/files/upload/{filename}", "Attach a file", 200, octets],
    ["GET /requests/{id}/files/{key}/content", "Download an attachment", 200, bytes],
    ["DELETE /requests/{id}/files/{key}", "Remove an attachment", 204],
    ["GET /sync/notifications", "What others did that concerns the caller", 200, list],
    ["POST /sync/notifications/read", "Mark as read", 204],
  ],
  People: [
    ["GET /users", "Search people", 200, list],
    ["GET /users/{id}", "One person", 200],
    ["GET /users/{id}/avatar.svg", "Her picture", 200, svg],
    ["GET /users/{id}/groups", "Her groups", 200],
    ["POST /users/{id}/groups", "Add her to groups", 200, { body: groupsBody }],
    ["PUT /users/{id}/groups", "Replace her groups", 200, { body: groupsBody }],
    ["DELETE /users/{id}/groups", "Take her out of groups", 200, { body: groupsBody }],
    ["GET /groups", "Search groups", 200, list],
    ["POST /groups", "Create a group", 201, { body: newGroup }],
    ["GET /groups/{id}", "One group", 200],
    ["PUT /groups/{id}", "Change its description", 200, { body: groupChange }],
    ["DELETE /groups/{id}", "Delete it", 204],
    ["GET /groups/{id}/avatar.svg", "Its picture", 200, svg],
  ],
  "Sign-in": [
    ["POST /login", "Open a session with a password", 200, { body: passwordForm }],
    ["POST /logout", "End it", 200],
    ["GET /me", "Who the caller is", 200],
    ["POST /change-password", "Change the password", 200, { body: passwordChange }],
    ["GET /tokens", "The caller's tokens", 200],
    ["POST /tokens", "Create a token", 201, { body: newToken }],
    ["GET /tokens/{id}", "One token", 200],
    ["DELETE /tokens/{id}", "Revoke it", 204],
    ["DELETE /tokens/current", "Revoke the token of this call", 204],
  ],
  Vocabularies: [
    ["GET /vocabularies/{type}", "Search a vocabulary", 200, list],
    ["GET /vocabularies/{type}/{id}", "One entry", 200],
    ...["affiliations", "names", "subjects", "funders", "awards"].flatMap((type): Row[] => [
      [`GET /${type}`, `Search ${type}`, 200, list],
      [`GET /${type}/{id}`, "One entry", 200],
    ]),
  ],
  "This document": [
    ["GET /openapi.json", "This document", 200],
    ["GET /docs", "This document for people", 200, { produces: "text/html" }],
  ],
};

/** Every call that clients make; what replicas and their server say to each other is not among them. */
export const operations: readonly Operation[] = Object.entries(byTag).flatMap(([tag, rows]) =>
  rows.map(([route, summary, answer, more]) => ({ tag, route, summary, answer, ...more })),
);
