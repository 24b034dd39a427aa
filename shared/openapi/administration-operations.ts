import { backupSchedule } from "../administration/administration.schema.ts";
import { personListRules } from "../administration/person-list.ts";
import { removedRecordRules } from "../administration/removed-record-rules.ts";
import { quotaBody } from "../blobs/storage-quota.schema.ts";
import { backups, doiQueue, mailQueue, overview, removedRecords, retried } from "./answers/administration.schema.ts";
import { person, personList, sentReset } from "./answers/people.schema.ts";
import type { Row } from "./operation.ts";

/** What administrators see and do on a server. */
export const administrationOperations: Record<string, Row[]> = {
  Administration: [
    ["GET /administration/people", "All users", 200, { answer: personList, search: personListRules }],
    ["GET /administration/people/{id}", "One user", 200, { answer: person }],
    ["POST /administration/people/{id}/actions/deactivate", "End their access", 200, { answer: person }],
    ["POST /administration/people/{id}/actions/activate", "Let them sign in again", 200, { answer: person }],
    ["POST /administration/people/{id}/actions/reset-password", "Offer a new password", 200, { answer: sentReset }],
    [
      "POST /administration/people/{id}/actions/reset-second-factor",
      "Remove their second factor",
      200,
      { answer: person },
    ],
    ["PUT /administration/people/{id}/quota", "Set their storage quota", 200, { answer: person, body: quotaBody }],
    ["GET /administration/overview", "What needs attention", 200, { answer: overview }],
    ["GET /administration/mail", "Unsent mail", 200, { answer: mailQueue }],
    ["POST /administration/mail/actions/retry", "Send all failed mail again", 200, { answer: retried }],
    ["POST /administration/mail/{id}/actions/retry", "Send one again", 200, { answer: retried }],
    ["DELETE /administration/mail/{id}", "Discard unsent mail", 204],
    ["GET /administration/dois", "DOIs that are not registered", 200, { answer: doiQueue }],
    ["POST /administration/dois/actions/retry", "Register all failed ones again", 200, { answer: retried }],
    ["POST /administration/dois/{id}/actions/retry", "Register that of one record again", 200, { answer: retried }],
    ["GET /administration/backups", "Backups of the server", 200, { answer: backups }],
    ["POST /administration/backups", "Write one now", 202, { answer: backups }],
    ["PUT /administration/backups/schedule", "Set the schedule", 200, { answer: backups, body: backupSchedule }],
    [
      "GET /administration/removed-records",
      "Deleted records",
      200,
      { answer: removedRecords, search: removedRecordRules },
    ],
  ],
};
