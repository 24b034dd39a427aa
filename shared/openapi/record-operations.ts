import { z } from "zod";
import { accessLinkInput } from "../access/access-link.schema.ts";
import { accessSettings, grantChange, grantReplacement, grantsInput } from "../access/grant.schema.ts";
import { accessRequestBody, requestAnswer } from "../access-requests/access-request.schema.ts";
import { servedTypes } from "../files/content-headers.ts";
import { fileInitInputs, fileMetadataInput } from "../files/file.schema.ts";
import { removedFilesInput, renamedFilesInput } from "../files/file-rename.schema.ts";
import { drawnTypes } from "../iiif/image-info.presenter.ts";
import { vendorType } from "../kernel/negotiation.ts";
import { deletionInput } from "../records/deletion.schema.ts";
import { recordTypes } from "../representations/representations.ts";
import { recordSearchRules, userRecordSearchRules } from "../search/record-search.service.ts";
import { statsAnswers, statsQueries } from "../usage/stats-query.schema.ts";
import { accessGrant, accessGrantList, accessLink, accessLinkList } from "./answers/access.schema.ts";
import {
  containerListing,
  fileCollection,
  fileEntry,
  iiifCanvas,
  iiifImageInfo,
  iiifManifest,
  iiifSequence,
  removedFileList,
} from "./answers/file.schema.ts";
import {
  communityList,
  draft,
  draftWithDoi,
  ownRecordList,
  publicationDoi,
  record,
  recordList,
  recordOrDraft,
  savedDraft,
  versionList,
} from "./answers/record.schema.ts";
import { request } from "./answers/review.schema.ts";
import { draftBody } from "./draft-body.schema.ts";
import type { Parameter, Row } from "./operation.ts";

const bareTypes = new Set(recordTypes.map((type) => type.split(";")[0] ?? type));
const media = [...bareTypes].filter((type) => type !== "application/json");
const tagged = { isTagged: true };
const aRecord = { answer: record, media, isTagged: true };
const aDraft = { answer: draft, media, isTagged: true };
const saved = { answer: savedDraft, media, isTagged: true, body: draftBody };
const anEntry = { answer: fileEntry };
const zip = { media: ["application/zip"] };
const bytes = {
  media: servedTypes,
  also: [
    [206, "The requested range"],
    [304, "Not modified"],
  ] as const,
  parameters: [
    { name: "Range", in: "header", description: "`bytes=0-499`, `bytes=500-`, `bytes=-500`" },
    { name: "download", in: "query", description: "`1`: as attachment, whatever the type" },
  ] satisfies Parameter[],
};
const upload = {
  answer: fileEntry,
  also: [[201, "The first part is stored; `Upload-Offset` tells how much, `ETag` names the upload"]] as const,
  consumes: "application/octet-stream",
  parameters: [
    { name: "Upload-Complete", in: "header", description: "`?0`: more follows; `?1`: this is everything" },
    { name: "Upload-Length", in: "header", description: "Bytes of the whole, when known" },
    { name: "Repr-Digest", in: "header", description: "`sha-256=:…:` of the whole, verified" },
  ] satisfies Parameter[],
};
const resumed = {
  answer: fileEntry,
  also: [[204, "This part is stored"]] as const,
  consumes: "application/partial-upload",
  parameters: [
    { name: "Upload-Offset", in: "header", description: "Where the part begins; 409 unless it is the stored offset" },
    { name: "Upload-Complete", in: "header", description: "`?1` with the last part" },
    { name: "If-Match", in: "header", description: "The upload's `ETag`; 412 if another one has begun since" },
  ] satisfies Parameter[],
};

const integer = { type: "integer", minimum: 1 };
const browsing: Parameter[] = [
  { name: "depth", in: "query", description: "`1`: direct children alone", schema: { enum: ["1"] } },
  { name: "q", in: "query", description: "Entries whose path contains this text" },
  { name: "page", in: "query", description: "Page of entries", schema: integer },
  { name: "size", in: "query", description: "Entries on a page, 1000 by default", schema: integer },
];
const listing = { answer: containerListing, parameters: browsing };
const inside = { ...listing, media: [vendorType, ...servedTypes, "application/zip"] };
const ld = ["application/ld+json"];
const archive = "Its files as one ZIP";
const ofFolder: Parameter = { name: "folder", in: "query", description: "Only the files of this folder" };
const whole = "Everything inside an archive";
const part = "A directory of an archive, as list or ZIP, or the bytes of a member";
const versions = { sorts: ["version"], defaultSort: "version", defaultSize: 25 };
const deleted: Parameter = { name: "include_deleted", in: "query", description: "`1`: deleted ones too; for admins" };

/** Drafts, records, their files and who may see them. */
export const recordOperations: Record<string, Row[]> = {
  Drafts: [
    ["POST /records", "Create a draft", 201, saved],
    ["GET /records/{id}/draft", "Read a draft", 200, aDraft],
    ["PUT /records/{id}/draft", "Replace a draft", 200, { ...saved, isGuarded: true }],
    ["POST /records/{id}/draft", "Start editing a published record", 201, aDraft],
    ["DELETE /records/{id}/draft", "Discard a draft", 204, { isGuarded: true }],
    [
      "POST /records/{id}/draft/actions/publish",
      "Publish a draft; an offline replica queues it and returns the draft",
      202,
      { answer: recordOrDraft, media, ...tagged },
    ],
    ["POST /records/{id}/draft/pids/doi", "Reserve a DOI", 201, { ...aDraft, answer: draftWithDoi }],
    [
      "DELETE /records/{id}/draft/pids/doi",
      "Release a reserved DOI",
      204,
      { also: [[200, "The draft, for `Accept: application/vnd.inveniordm.v1+json`", draftWithDoi]] },
    ],
    [
      "GET /records/{id}/draft/publication-doi",
      "The DOI that the record has once the draft is published",
      200,
      { answer: publicationDoi },
    ],
    [
      "GET /user/records",
      "Drafts and records that the caller can edit",
      200,
      { answer: ownRecordList, media, search: userRecordSearchRules },
    ],
  ],
  "Draft files": [
    ["GET /records/{id}/draft/files", "The files of a draft", 200, { answer: fileCollection }],
    ["POST /records/{id}/draft/files", "Announce files", 201, { answer: fileCollection, body: fileInitInputs }],
    ["DELETE /records/{id}/draft/files", "Remove all files", 204],
    ["GET /records/{id}/draft/files/{key}", "One file", 200, anEntry],
    [
      "PUT /records/{id}/draft/files/{key}",
      "Replace the metadata of a file",
      200,
      { ...anEntry, body: fileMetadataInput },
    ],
    ["DELETE /records/{id}/draft/files/{key}", "Remove a file", 204],
    ["GET /records/{id}/draft/files/{key}/content", "Download", 200, bytes],
    [
      "HEAD /records/{id}/draft/files/{key}/content",
      "How much of an upload is stored: `Upload-Offset`, and its `ETag`",
      204,
      {
        also: [
          [200, "Completed: as a download without its bytes"],
          [206, "A range, without its bytes"],
          [304, "Not modified"],
        ],
      },
    ],
    ["PUT /records/{id}/draft/files/{key}/content", "Upload, whole or the first part", 200, upload],
    ["PATCH /records/{id}/draft/files/{key}/content", "Resume an interrupted upload", 200, resumed],
    ["POST /records/{id}/draft/files/{key}/commit", "Finish an upload", 200, anEntry],
    [
      "POST /records/{id}/draft/actions/files-import",
      "Import the files of the previous version",
      201,
      { answer: fileCollection },
    ],
    [
      "POST /records/{id}/draft/actions/files-rename",
      "Rename or move files in one step; preview and order follow",
      200,
      { answer: fileCollection, body: renamedFilesInput },
    ],
    [
      "POST /records/{id}/draft/actions/files-remove",
      "Remove several files in one step",
      204,
      { body: removedFilesInput },
    ],
    ["GET /records/{id}/draft/files-archive", archive, 200, { ...zip, parameters: [ofFolder] }],
    ["GET /records/{id}/draft/removed-files", "Files removed within a day", 200, { answer: removedFileList }],
    ["POST /records/{id}/draft/removed-files/{version}/restore", "Restore a removed file", 200, anEntry],
    ["GET /sync/drafts/{id}/files/{key}/container", whole, 200, listing],
    ["GET /sync/drafts/{id}/files/{key}/container/{path}", part, 200, inside],
  ],
  Records: [
    ["GET /records", "Search published records", 200, { answer: recordList, media, search: recordSearchRules }],
    [
      "GET /records/{id}",
      "Read a published record",
      200,
      {
        ...aRecord,
        media: [...media, "application/zip"],
        parameters: [deleted],
        also: [[302, "The id is that of the family: redirect to its latest version"]],
      },
    ],
    ["GET /records/{id}/versions", "All versions", 200, { answer: versionList, media, search: versions }],
    ["POST /records/{id}/versions", "Start the next version", 201, aDraft],
    ["GET /records/{id}/versions/latest", "The latest version", 200, aRecord],
    ["GET /records/{id}/files", "The files of a record", 200, { answer: fileCollection }],
    ["GET /records/{id}/files/{key}", "One file", 200, anEntry],
    ["GET /records/{id}/files/{key}/content", "Download", 200, bytes],
    ["GET /records/{id}/files/{key}/container", whole, 200, listing],
    ["GET /records/{id}/files/{key}/container/{path}", part, 200, inside],
    ["GET /records/{id}/files-archive", archive, 200, zip],
    [
      "DELETE /records/{id}/delete",
      "Delete a record; a tombstone stays",
      204,
      { body: deletionInput, isGuarded: true },
    ],
    ["POST /records/{id}/restore", "Restore a deleted record", 200, { answer: record, ...tagged }],
    ["POST /records/{id}/request-deletion", "Refused: owners cannot ask for deletion here", 403],
    ["GET /records/{id}/communities", "Always empty: communities are not offered", 200, { answer: communityList }],
    [
      "GET /records/{id}/communities-suggestions",
      "Always empty: communities are not offered",
      200,
      { answer: communityList },
    ],
    ["POST /stats", "Views and downloads of records", 200, { answer: statsAnswers, body: statsQueries }],
    [
      "GET /iiif/{subject}/manifest",
      "IIIF manifest of `record:{id}` or `draft:{id}`",
      200,
      { answer: iiifManifest, media: ld },
    ],
    ["GET /iiif/{subject}/sequence/default", "IIIF sequence", 200, { answer: iiifSequence, media: ld }],
    ["GET /iiif/{subject}/canvas/{key}", "IIIF canvas of an image", 200, { answer: iiifCanvas, media: ld }],
    ["GET /iiif/{image}", "Leads to the description of a picture", 303],
    ["GET /iiif/{image}/info.json", "IIIF description of a picture", 200, { answer: iiifImageInfo, media: ld }],
    [
      "GET /iiif/{image}/{region}/{size}/{rotation}/{file}",
      "A picture in another size: IIIF Image API 3 and 2, level 1",
      200,
      { media: drawnTypes, isTagged: true },
    ],
  ],
  Access: [
    ["GET /records/{id}/access/links", "Access links", 200, { answer: accessLinkList }],
    ["POST /records/{id}/access/links", "Create an access link", 201, { answer: accessLink, body: accessLinkInput }],
    ["GET /records/{id}/access/links/{link}", "One access link", 200, { answer: accessLink }],
    [
      "PATCH /records/{id}/access/links/{link}",
      "Change an access link",
      200,
      { answer: accessLink, body: accessLinkInput },
    ],
    ["DELETE /records/{id}/access/links/{link}", "Delete an access link", 204],
    ["GET /records/{id}/access/grants", "Grants", 200, { answer: accessGrantList }],
    ["POST /records/{id}/access/grants", "Give access", 201, { answer: accessGrantList, body: grantsInput }],
    ["GET /records/{id}/access/grants/{n}", "One grant by its place in the list", 200, { answer: accessGrant }],
    ["PUT /records/{id}/access/grants/{n}", "Replace a grant", 200, { answer: accessGrant, body: grantReplacement }],
    ["PATCH /records/{id}/access/grants/{n}", "Change a grant", 200, { answer: accessGrant, body: grantChange }],
    ["DELETE /records/{id}/access/grants/{n}", "Remove access", 204],
    ...["users", "groups"].flatMap((kind): Row[] => [
      [`GET /records/{id}/access/${kind}`, `Grants of ${kind}`, 200, { answer: accessGrantList }],
      [`GET /records/{id}/access/${kind}/{subject}`, "The grant of one of them", 200, { answer: accessGrant }],
      [`PATCH /records/{id}/access/${kind}/{subject}`, "Change it", 200, { answer: accessGrant, body: grantChange }],
      [`DELETE /records/{id}/access/${kind}/{subject}`, "Remove it", 204],
    ]),
    [
      "POST /records/{id}/access/request",
      "Ask for access to the files; a guest confirms the address first",
      200,
      { answer: z.union([request, requestAnswer]), body: accessRequestBody },
    ],
    ["PUT /records/{id}/access", "Change the access settings", 200, { answer: recordOrDraft, body: accessSettings }],
  ],
};
