import { z } from "zod";
import { conflictChoice } from "../drafts/draft.schema.ts";
import { hostView } from "../host/host.schema.ts";
import { tokenForm } from "../sync-protocol/connect.schema.ts";
import { libraryBody } from "../sync-protocol/library.schema.ts";
import { ticketRequest } from "../sync-protocol/live.schema.ts";
import { named } from "./answers/named.schema.ts";
import {
  conflict,
  conflictList,
  copied,
  keptComment,
  openedLibrary,
  operationList,
  storage,
  syncStatus,
  ticket,
  tray,
  trayEntry,
  unsentComment,
} from "./answers/replica.schema.ts";
import type { Operation, Row } from "./operation.ts";
import { peopleOperations } from "./people-operations.ts";
import { recordOperations } from "./record-operations.ts";
import { reviewOperations } from "./review-operations.ts";

const status = { answer: syncStatus };
const hostAnswer = named("Host", "What a host is, and the features that it offers.", hostView);
const leaving = [
  { name: "data", in: "query", description: "`keep` or `remove` the local data", schema: { enum: ["keep", "remove"] } },
  { name: "force", in: "query", description: "`true`: even with unsent operations" },
] as const;

/** Status and control of sync, on a replica (hosts-and-sync 5). */
const replicaRows: Row[] = [
  ["GET /sync/status", "The sync status of this replica", 200, status],
  ["POST /sync/run", "Sync now", 202, status],
  ["POST /sync/pause", "Stop sending and fetching", 200, status],
  ["POST /sync/resume", "Resume", 200, status],
  ["POST /sync/connect", "Connect to a server, or sign in again", 200, { ...status, body: tokenForm }],
  ["DELETE /sync/connect", "Disconnect", 200, { ...status, parameters: leaving }],
  ["GET /sync/operations", "Unsent operations", 200, { answer: operationList }],
  ["GET /sync/tray", "Operations that the server rejected", 200, { answer: tray }],
  ["POST /sync/tray/{id}/retry", "Send it again", 200, { answer: trayEntry }],
  ["POST /sync/tray/{id}/copy", "Make a new draft or comment from it", 201, { answer: copied }],
  ["DELETE /sync/tray/{id}", "Discard it", 204],
  ["GET /sync/storage", "Bytes on this computer", 200, { answer: storage }],
  ["POST /sync/library", "Open another library of this computer", 202, { answer: openedLibrary, body: libraryBody }],
  ["POST /sync/storage/free", "Remove local copies of files that the server has", 200, { answer: storage }],
];

/** What the app keeps for its user, on both hosts. */
const deskRows: Row[] = [
  ["GET /sync/events", "`status`, `changed` and `presence` as they happen", 200, { media: ["text/event-stream"] }],
  ["GET /sync/conflicts", "Open conflicts", 200, { answer: conflictList }],
  ["POST /sync/conflicts/{id}", "Choose one of the two values", 200, { answer: conflict, body: conflictChoice }],
  ...["", "/{place}"].flatMap((place): Row[] => [
    [`GET /sync/comment-drafts/{request}${place}`, "A comment that was not sent yet", 200, { answer: unsentComment }],
    [`PUT /sync/comment-drafts/{request}${place}`, "Save it", 200, { answer: unsentComment, body: keptComment }],
  ]),
];

const byTag: Record<string, Row[]> = {
  ...recordOperations,
  ...reviewOperations,
  ...peopleOperations,
  "This computer": replicaRows.map(
    ([route, summary, code, more]): Row => [route, summary, code, { ...more, onlyOn: "replica" }],
  ),
  "The desk of the app": deskRows,
  "Live documents": [
    [
      "POST /sync/ticket",
      "A ticket for the socket of a draft's document",
      201,
      { answer: ticket, body: ticketRequest, onlyOn: "server" },
    ],
  ],
  "This host": [["GET /host", "What this host is and offers", 200, { answer: hostAnswer }]],
  "This document": [
    ["GET /openapi.json", "This document", 200, { answer: z.looseObject({ openapi: z.string() }) }],
    ["GET /docs", "This document for people", 200, { media: ["text/html"] }],
  ],
};

/** Every call for clients of a host; without the calls between replicas and their server. */
export const operationsOf = (role: "server" | "replica"): Operation[] =>
  Object.entries(byTag)
    .flatMap(([tag, rows]) =>
      rows.map(([route, summary, code, more]) => ({ tag, route, summary, status: code, ...more })),
    )
    .filter(({ onlyOn }) => onlyOn === undefined || onlyOn === role);
